import CryptoPrimitives
import DHTRPC
import NIOCore
import UDX

/// One dial. Touched on the node's event loop only.
final class DialTask {
    let stream: UDXStream
    let target: DHTKey
    var attempt: ConnectAttempt
    var continuation: CheckedContinuation<Result<PeerConnection, ConnectError>, Never>?
    var search: Task<Void, Never>?
    var opening: Task<Void, Never>?
    var socketTask: Task<Void, Never>?
    var sockets: [SocketID] = []
    var onHop: (@Sendable (ConnectHop) -> Void)?
    var lastHop: ConnectHop?
    /// The connection to a blind relay.
    var relayTask: Task<Void, Never>?
    var relay: PublicKey?
    var holdsRandomPunch = false
    var timer: Scheduled<Void>?
    /// The caller has the connection, whose hole punch goes on.
    var isDelivered = false

    init(stream: UDXStream, target: DHTKey, attempt: ConnectAttempt) {
        self.stream = stream
        self.target = target
        self.attempt = attempt
    }
}
