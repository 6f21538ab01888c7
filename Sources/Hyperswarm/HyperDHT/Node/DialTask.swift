import CryptoPrimitives
import DHTRPC
import NIOCore
import UDX

/// The state of one dial. Accessed on the node's event loop only.
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
    /// The task that owns the connection to a blind relay; nil without one.
    var relayTask: Task<Void, Never>?
    var relay: PublicKey?
    var holdsRandomPunch = false
    var timer: Scheduled<Void>?
    /// True once the caller has the connection, while its hole punch continues.
    var isDelivered = false

    init(stream: UDXStream, target: DHTKey, attempt: ConnectAttempt) {
        self.stream = stream
        self.target = target
        self.attempt = attempt
    }
}
