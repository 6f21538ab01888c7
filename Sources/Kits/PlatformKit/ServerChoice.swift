public import Foundation
public import Observation
package import WireKit

/// The server of an app whose user chooses it: the address, kept in the preferences, and the phone as that server's app sees it.
///
/// Each server has secrets and a folder of its own, so that an account at one server is neither sent to another nor lost by a change. A
/// preset server is only the first one: the user can choose another.
@MainActor @Observable
public final class ServerChoice {
    private static let key = "server"

    /// A server, and the phone with the secrets and the folder that belong to it.
    public struct Server: Identifiable {
        package let address: ServerAddress
        /// The text of the address when it was chosen. Earlier versions kept capital letters.
        let name: String
        public let phone: Phone
        public nonisolated var url: URL { address.url }
        public nonisolated var id: URL { url }
    }

    /// The chosen or preset server; nil until there is one.
    public private(set) var server: Server?
    /// True while the user chooses another server.
    package var isChanging = false
    @ObservationIgnored private let phone: Phone
    /// The policy of the chosen server, or of the app.
    package var privacyPolicy: URL? { (server?.phone ?? phone).privacyPolicy }

    /// - Parameter preset: The address of the first server; an empty or invalid text for none.
    public init(phone: Phone, preset: String = "") {
        self.phone = phone
        // A stored address that is no longer valid counts as missing.
        let stored = phone.preferences.value(String.self, for: Self.key)
        if let address = try? ServerAddress(forPhone: stored ?? preset) { use(address, named: stored ?? address.text) }
    }

    /// Uses the server at an address from now on.
    package func choose(_ address: ServerAddress) {
        isChanging = false
        if server?.address != address { use(address, named: address.text) }
        phone.preferences.set(server?.name, for: Self.key)
    }

    private func use(_ address: ServerAddress, named name: String) {
        var phone = phone.part(forServer: name)
        phone.privacyPolicy = address.url.appending(path: "privacy")
        phone.changeServer = { [weak self] in self?.isChanging = true }
        let last = server
        server = Server(address: address, name: name, phone: phone)
        // Breaks the retain cycle of a client and its phone.
        last?.phone.instances.removeAll()
    }
}

extension Phone {
    /// Returns the phone with the secrets, the folder and the instances of one server.
    func part(forServer server: String) -> Phone {
        var phone = self
        phone.keychain = ServerKeychain(keychain: keychain, server: server)
        phone.folder = { [folder] in
            let own = try folder().appending(path: server.percentEncodedFileName)
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            return own
        }
        phone.storedFolder = { [storedFolder] in
            let own = storedFolder()?.appending(path: server.percentEncodedFileName)
            return own.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
        }
        phone.instances = AppInstances()
        return phone
    }
}

/// The secrets of one server.
private struct ServerKeychain: Keychain {
    let keychain: any Keychain
    let server: String

    func data(for key: String) async throws -> Data? { try await keychain.data(for: name(key)) }
    func set(_ data: Data?, for key: String) async throws { try await keychain.set(data, for: name(key)) }
    func unlocks() -> AsyncStream<Void> { keychain.unlocks() }
    private func name(_ key: String) -> String { "\(server) \(key)" }
}
