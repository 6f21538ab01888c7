public import EndlessCodeWire
import Foundation
public import NetworkingKit
import WireKit

/// The answer to the question whether an app may connect to an address.
public enum ServerPermission: Hashable, Sendable {
    case allowed
    /// The operator of the app has not allowed it.
    case refused
    /// No server answers there, or another program does, to which the app must not connect.
    case noServer
}

/// The servers that this phone may reach, and the ways to them.
public struct ServerNetwork: Sendable {
    /// A server that everybody with this app may use, such as the one of the box that serves the app. Used on a phone without another one.
    public struct Offered: Sendable {
        var link: ServerLink
        var name: String?
        var service: RemoteService?

        /// - Parameter service: The way to the server, where it is not a network.
        package init(_ link: ServerLink, name: String? = nil, service: RemoteService? = nil) {
            (self.link, self.name, self.service) = (link, name, service)
        }
    }

    /// The name of this phone, which other phones show.
    package var phoneName: String?
    let offered: [Offered]
    let transports: any ServerTransports
    private let decide: @Sendable (ServerAddress) async -> ServerPermission

    /// - Parameter decide: Decides about an address, before each connection. For apps that run on a box and would connect from there.
    public init(
        phoneName: String?, transports: any ServerTransports, offered: [Offered] = [],
        decide: @escaping @Sendable (ServerAddress) async -> ServerPermission = { _ in .allowed }
    ) {
        (self.phoneName, self.transports, self.offered, self.decide) = (phoneName, transports, offered, decide)
    }

    /// The offered servers as this phone shows them.
    var offeredServers: [SavedServer] {
        offered.enumerated().map { index, offered in
            var server = SavedServer(
                id: "offered-\(index)", offered.link.address, name: offered.name, token: offered.link.token,
                fingerprint: offered.link.fingerprint)
            server.isOffered = true
            return server
        }
    }

    /// - Throws: ``CodeProblem``: `notAllowed`, or `network` where no server answers.
    func check(_ address: ServerAddress) async throws(CodeProblem) {
        if offered.contains(where: { $0.link.address == address }) { return }
        switch await decide(address) {
        case .allowed: return
        case .refused: throw .notAllowed(address)
        case .noServer: throw .network
        }
    }

    /// The way to a server; nil for an address that is no URL.
    func service(at address: ServerAddress, fingerprint: Fingerprint?) -> RemoteService? {
        if let service = offered.first(where: { $0.link.address == address })?.service { return service }
        return address.url.map { transports.service(at: $0, pinning: address.scheme == .https ? fingerprint?.pin : nil) }
    }
}
