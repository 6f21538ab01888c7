import EndlessCodeWire
import Foundation
import NetworkingKit

/// One use of a server by this phone, with the token and the certificate at its beginning.
package final class ServerAccess: Equatable, Sendable {
    let server: SavedServer
    let service: RemoteService
    weak let client: AgentClient?

    init(_ server: SavedServer, _ client: AgentClient) {
        self.server = server
        service = client.network.service(at: server.address, fingerprint: server.fingerprint)
        self.client = client
    }

    package static func == (a: ServerAccess, b: ServerAccess) -> Bool { a === b }
}
