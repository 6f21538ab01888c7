package import EndlessCodeWire
import Foundation
public import NetworkingKit
public import WireKit

/// The permission of an app to connect to an address.
public enum ServerPermission: Hashable, Sendable {
    case allowed
    /// The operator of the app has not allowed the address.
    case refused
    /// No server answers at the address, or a program answers to which the app must not connect.
    case noServer
}

/// The servers that this phone may reach, and the transports to them.
public struct ServerNetwork: Sendable {
    /// A server that everybody with this app may use, such as that of the box that serves the app. Used if the phone has no other.
    public struct Offered: Sendable {
        var link: ServerLink
        var name: String?
        var service: RemoteService?

        /// - Parameter service: The way to a server that is not reached over the network; nil for other servers.
        package init(_ link: ServerLink, name: String? = nil, service: RemoteService? = nil) {
            (self.link, self.name, self.service) = (link, name, service)
        }
    }

    /// The name of this phone, which other phones show.
    package var phoneName: String?
    let offered: [Offered]
    let transports: any ServerTransports
    private let decide: @Sendable (ServerAddress) async -> ServerPermission

    /// - Parameter decide: Decides about an address before each connection. For apps that run on a box and connect from the box.
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

    /// - Throws: ``CodeProblem``: `notAllowed`, or `network` if no server answers.
    func check(_ address: ServerAddress) async throws(CodeProblem) {
        if offered.contains(where: { $0.link.address == address }) { return }
        switch await decide(address) {
        case .allowed: return
        case .refused: throw .notAllowed(address)
        case .noServer: throw .network
        }
    }

    func service(at address: ServerAddress, fingerprint: Fingerprint?) -> RemoteService {
        if let service = offered.first(where: { $0.link.address == address })?.service { return service }
        let pin = address.scheme == .https ? fingerprint : nil
        return transports.service(at: address.url, pinning: pin.map { PinnedCertificate(fingerprint: $0) })
    }
}
