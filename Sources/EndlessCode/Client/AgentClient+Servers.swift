import ClientKit
import EndlessCodeWire
import Foundation
import NetworkingKit
import PlatformKit
package import WireKit

/// The servers of this phone. Their addresses, tokens and fingerprints are in its keychain.
extension AgentClient {
    /// The server in use.
    package var server: SavedServer? { servers.first { $0.id == current } }

    // MARK: Adding

    /// Adds or updates the server of a QR code, uses it and connects.
    ///
    /// - Parameter text: `endlesscode://…`, as it was scanned or pasted.
    /// - Throws: ``CodeProblem``: `link`, `notAllowed`, `network`, `storage`. Nothing has changed then.
    @discardableResult
    package func addServer(link text: String) async throws(CodeProblem) -> SavedServer.ID {
        let link = try Self.link(text)
        try await network.check(link.address)
        var server = known(link.address) ?? SavedServer(link.address)
        // The code comes from the server's own terminal, so its values replace the saved ones.
        (server.token, server.fingerprint) = (link.token, link.fingerprint)
        return try await adopt(server)
    }

    /// Adds or updates a server by its address, uses it and connects.
    ///
    /// - Parameters:
    ///   - address: The address as the user typed it, or the text of a QR code.
    ///   - token: The token as the user typed it. If it is empty, a saved server at this address keeps its token; without a token
    ///     the line asks for one (``ConnectionHold/tokenMissing``).
    /// - Throws: ``CodeProblem``: `address`, `link`, `invalidToken`, `notAllowed`, `network`, `storage`. Nothing has changed then.
    @discardableResult
    package func addServer(address: String, token: String) async throws(CodeProblem) -> SavedServer.ID {
        try await addServer(address: address, token: token, fingerprint: nil)
    }

    /// - Parameter fingerprint: A certificate that the user has accepted for this address; nil to keep the saved one.
    func addServer(
        address: String, token: String, fingerprint: Fingerprint?, allowsPlainHTTP: Bool = false
    ) async throws(CodeProblem) -> SavedServer.ID {
        if Self.isLink(address) { return try await addServer(link: address) }
        let address = try Self.address(address)
        let text = token.plainCode
        guard text.isEmpty || AccessToken(text) != nil else { throw .invalidToken }
        try await network.check(address)
        var server = known(address) ?? SavedServer(address)
        server.token = AccessToken(text) ?? server.token
        server.fingerprint = fingerprint ?? server.fingerprint
        server.allowsPlainHTTP = allowsPlainHTTP || server.allowsPlainHTTP
        return try await adopt(server)
    }

    /// Saves the address of a server that the search has found, uses it and connects. Without a token, the line asks for one.
    ///
    /// - Throws: ``CodeProblem``: `address` for a server that cannot be reached; `notAllowed`, `network`, `storage`.
    @discardableResult
    package func addServer(_ found: FoundServer) async throws(CodeProblem) -> SavedServer.ID {
        guard let address = found.address else { throw .address(.invalidHost) }
        try await network.check(address)
        var server = known(found) ?? SavedServer(address)
        (server.address, server.name) = (address, found.name)
        return try await adopt(server)
    }

    /// Shows the camera until it sees the QR code of a server, and adds that server.
    ///
    /// - Parameter prompt: A sentence for the user, next to the camera's picture.
    /// - Returns: Nil if the user closed the camera.
    /// - Throws: ``CodeProblem``: as ``addServer(link:)``; `camera` if there is none or the user does not allow it.
    package func scanServer(prompt: String) async throws(CodeProblem) -> SavedServer.ID? {
        let text: String?
        do {
            text = try await phone.scanner.text(prompt: prompt) { (try? ServerLink($0)) != nil }
        } catch is CancellationError {
            return nil
        } catch {
            throw .camera
        }
        guard let text else { return nil }
        return try await addServer(link: text)
    }

    /// Returns true if this phone has a camera.
    package func canScan() async -> Bool { await phone.scanner.isAvailable() }

    /// Returns the syntax error of a text that the user types as an address; nil for a valid address.
    package nonisolated static func addressProblem(of text: String) -> ServerAddressError? {
        do throws(ServerAddressError) {
            _ = try ServerAddress(endlessCode: text)
            return nil
        } catch {
            return error
        }
    }

    nonisolated static func isLink(_ text: String) -> Bool {
        text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased().hasPrefix("\(ServerLink.scheme)://")
    }

    nonisolated static func link(_ text: String) throws(CodeProblem) -> ServerLink {
        do throws(ServerLinkError) {
            return try ServerLink(text)
        } catch {
            throw .link(error)
        }
    }

    nonisolated static func address(_ text: String) throws(CodeProblem) -> ServerAddress {
        do throws(ServerAddressError) {
            return try ServerAddress(endlessCode: text)
        } catch {
            throw .address(error)
        }
    }

    // MARK: Changing

    /// Uses another saved server from now on.
    ///
    /// - Throws: ``CodeProblem``: `noServer`, `storage`.
    package func use(_ id: SavedServer.ID) async throws(CodeProblem) {
        guard let server = servers.first(where: { $0.id == id }) else { throw .noServer }
        guard id != current else { return reconnect() }
        try await adopt(server)
    }

    /// Sets the token of the current server, typed or from the text of its QR code, and connects.
    ///
    /// - Throws: ``CodeProblem``: `noServer`, `invalidToken`, `link`, `storage`.
    package func setToken(_ text: String) async throws(CodeProblem) {
        if Self.isLink(text) {
            try await addServer(link: text)
            return
        }
        guard var server else { throw .noServer }
        guard let token = AccessToken(text.plainCode) else { throw .invalidToken }
        server.token = token
        try await save(server)
    }

    /// Removes a server from this phone, with its token and its cached content. The next server is used instead.
    ///
    /// - Throws: ``CodeProblem``: `storage`. Nothing has changed then.
    package func removeServer(_ id: SavedServer.ID) async throws(CodeProblem) {
        guard let server = servers.first(where: { $0.id == id }), !server.isOffered else { return }
        let left = servers.filter { $0.id != id }
        let next = id == current ? left.first?.id : current
        try await store(left, current: next)
        await endPush(of: server)
        for prompt in waiting where prompt.server == id { try? await engine.outbox?.remove(id: prompt.id) }
        servers = left
        if id == current { await begin(next) }
        // After the last write of the server's content.
        forgetSavedContent(of: id)
    }

    /// Returns a search for servers on the local network. Run it while the list is shown.
    package func makeSearch() -> ServerSearch { ServerSearch(self) }

    /// Returns the fields of the connection settings, filled with the current server's values.
    package func makeForm() -> ServerForm { ServerForm(self) }

    // MARK: Parts

    func known(_ address: ServerAddress) -> SavedServer? { servers.first { $0.address == address } }

    /// Returns the saved server that a found one is likely to be; nil without one. Only its certificate proves that it is the same.
    func known(_ found: FoundServer) -> SavedServer? {
        if let address = found.address, let known = known(address) { return known }
        return servers.first { $0.name == found.name && $0.isPinned && found.address?.scheme == .https && !$0.isOffered }
    }

    /// Saves a server as the one in use, and connects.
    @discardableResult
    private func adopt(_ server: SavedServer) async throws(CodeProblem) -> SavedServer.ID {
        let others = servers.filter { $0.id != server.id }
        let all = [server] + others
        try await store(all, current: server.id)
        servers = all
        if current == server.id { restartLine() } else { await begin(server.id) }
        return server.id
    }

    /// Saves changed values of the current server, and connects with them.
    func save(_ server: SavedServer) async throws(CodeProblem) {
        let all = servers.map { $0.id == server.id ? server : $0 }
        try await store(all, current: current)
        servers = all
        if server.id == current { restartLine() }
    }

    /// Connects to the current server anew, with its current values.
    func restartLine() {
        guard let server else { return }
        (hold, problem) = (nil, nil)
        engine.signIn(ServerAccess(server, self))
    }

    /// Leaves the current server for another one, or for none.
    func begin(_ id: SavedServer.ID?) async {
        persist()
        current = id
        (hold, problem) = (nil, nil)
        registration.reset()
        forgetContent()
        guard let server else { return engine.signOut() }
        loadContent(of: server.id)
        engine.signIn(ServerAccess(server, self))
    }

    // MARK: Name of the phone

    /// True if the user is asked for a name, because the system gives all phones of a model the same name.
    package var asksForPhoneName: Bool { network.phoneName == nil }

    /// The name that the server and other phones show.
    var phoneNameToSend: String { network.phoneName ?? (phoneName.isEmpty ? PhoneName.unnamed : phoneName) }

    /// Sets the name of this phone, and connects anew so that the server uses it.
    package func setPhoneName(_ text: String) {
        let name = PhoneName.checked(text) ?? ""
        guard name != phoneName else { return }
        phoneName = name
        engine.save(name, for: Key.phoneName)
        if status == .connected { restartLine() }
    }

    // MARK: Keychain

    private static let key = "servers"

    /// The content of the keychain. A server that can no longer be read is left out.
    private struct Stored: Codable {
        struct Entry: Codable {
            var server: SavedServer?
            init(_ server: SavedServer) { self.server = server }
            init(from decoder: any Decoder) throws { server = try? SavedServer(from: decoder) }
            func encode(to encoder: any Encoder) throws { try server?.encode(to: encoder) }
        }

        var servers: [Entry]
        var current: SavedServer.ID?
    }

    private func store(_ servers: [SavedServer], current: SavedServer.ID?) async throws(CodeProblem) {
        // Writing would replace servers that were not read.
        guard !isKeychainUnread else { throw .storage }
        do {
            let stored = Stored(servers: servers.filter { !$0.isOffered }.map { Stored.Entry($0) }, current: current)
            try await phone.keychain.set(WireJSON.encode(stored), for: Self.key)
        } catch {
            throw .storage
        }
    }

    /// Reads the saved settings and servers, and uses the server that was used last.
    package func restore() async throws {
        guard !isReady else { return }
        phoneID = savedPhoneID()
        phoneName = engine.saved.value(for: Key.phoneName) ?? ""
        wantsNotifications = engine.saved.value(for: Key.notifications) ?? false
        notificationContent = engine.saved.value(for: Key.notificationContent) ?? .nothing
        await registration.readPermission()
        await readNetworkLink()
        try await readServers()
        isReady = true
    }

    /// Reads the servers of the keychain. After a failure this is repeated when the app comes to the front.
    ///
    /// - Throws: `PhoneError.locked` while the phone is locked. Nothing has changed then.
    func readServers() async throws {
        var stored: Stored?
        do {
            stored = try await phone.keychain.data(for: Self.key).flatMap { try? WireJSON.decode(Stored.self, from: $0) }
            isKeychainUnread = false
        } catch PhoneError.locked {
            throw PhoneError.locked
        } catch {
            isKeychainUnread = true
            if isReady { return problem = .storage }
        }
        let offered = network.offeredServers
        servers = (stored?.servers.compactMap(\.server) ?? []).filter { saved in !offered.contains { $0.address == saved.address } }
        servers += offered
        let last = stored?.current.flatMap { id in servers.first { $0.id == id } } ?? servers.first
        await begin(last?.id)
        if isKeychainUnread { problem = .storage }
    }
}
