import CompactEncoding
import CryptoPrimitives

/// One side of the channel between a peer and a blind relay: frames of their connection go in, events and frames come out.
///
///     peer                        relay
///       | ── open, pair ────────────▶ |
///       | ◀──────────── open, pair ── |   the pair comes once the other peer has sent its own
///
/// Both sides open the channel at once and may send messages without waiting. The channel's id is the peer's public key.
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.13.
struct RelayChannel: Sendable {
    enum Event: Hashable, Sendable {
        /// A frame to write to the connection.
        case send([UInt8])
        case received(RelayMessage)
        /// The other side closed the channel, or does not know the protocol. No event follows.
        case closed
    }

    static let protocolName = "blind-relay"
    private static let localNumber: UInt64 = 1

    private let id: [UInt8]
    private var remoteNumber: UInt64?
    private(set) var isClosed = false

    /// - Parameter peer: The public key of the peer, on either side.
    init(peer: PublicKey) {
        id = peer.bytes
    }

    /// The first frame to write, which opens the channel.
    var opening: [UInt8] {
        MultiplexMessage.open(channel: RelayChannel.localNumber, protocolName: RelayChannel.protocolName, id: id).encoded
    }

    /// Returns the frame of one message.
    func frame(_ message: RelayMessage) -> [UInt8] {
        MultiplexMessage.data(channel: RelayChannel.localNumber, type: message.type, payload: message.payload).encoded
    }

    /// Processes one frame of the connection.
    ///
    /// - Throws: ``CompactEncodingError`` for a malformed frame, after which the connection has to be destroyed.
    mutating func receive(_ frame: [UInt8]) throws(CompactEncodingError) -> [Event] {
        var events: [Event] = []
        for message in try MultiplexMessage.decode(frame) where !isClosed {
            switch message {
            case .open(let number, RelayChannel.protocolName, id) where remoteNumber == nil && number != 0:
                remoteNumber = number
            case .open(let number, _, _):
                // Channels of other protocols are refused.
                events.append(.send(MultiplexMessage.reject(channel: number).encoded))
            case .reject(RelayChannel.localNumber):
                events.append(close())
            case .close(let number) where number == remoteNumber:
                events.append(close())
            case .data(let number, let type, let payload) where number == remoteNumber:
                if let message = try RelayMessage.decode(type: type, payload) { events.append(.received(message)) }
            case .reject, .close, .data:
                break
            }
        }
        return events
    }

    private mutating func close() -> Event {
        isClosed = true
        return .closed
    }
}
