import CryptoPrimitives
import DHTRPC
import NIOCore
import Noise
import UDX

/// The state of one server. Accessed on the node's event loop only.
final class ServerTask {
    let publicKey: PublicKey
    let target: DHTKey
    let announcer: Announcer
    var listener: HandshakeListener
    let relayThrough: PublicKey?
    let onConnection: @Sendable (PeerConnection) -> Void
    var streams: [UInt32: (stream: UDXStream, result: NoiseHandshake.Result?)] = [:]
    var openings: [UInt32: Task<Void, Never>] = [:]
    var socketTasks: [UInt32: Task<Void, Never>] = [:]
    var sockets: [UInt32: [SocketID]] = [:]
    /// The connections to blind relays, by stream id.
    var relayTasks: [UInt32: (task: Task<Void, Never>, relay: PublicKey)] = [:]
    /// Connections that were made over a blind relay and may leave it, with the client's own stream id.
    var accepted: [UInt32: (connection: PeerConnection, remoteID: UInt32)] = [:]
    /// The streams for which ports are guessed.
    var randomPunches: Set<UInt32> = []
    var timer: Scheduled<Void>?

    init(
        publicKey: PublicKey, target: DHTKey, announcer: Announcer, listener: HandshakeListener, relayThrough: PublicKey?,
        onConnection: @escaping @Sendable (PeerConnection) -> Void
    ) {
        self.publicKey = publicKey
        self.target = target
        self.announcer = announcer
        self.listener = listener
        self.relayThrough = relayThrough
        self.onConnection = onConnection
    }
}
