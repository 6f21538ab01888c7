import Foundation

/// One binary frame between a session and its page.
///
/// ```
///  0        1                    4                 8                 12
///  ┌────────┬────────────────────┬─────────────────┬─────────────────┬───────────┐
///  │ kind   │ 0       0       0  │ stream          │ sequence        │ payload … │
///  └────────┴────────────────────┴─────────────────┴─────────────────┴───────────┘
/// ```
///
/// Numbers are big-endian. The header takes 12 bytes so that the page can read samples of two or four bytes in place.
/// `Docs/Protocols/WebUI.md` describes the exchange of frames.
struct StreamFrame: Hashable, Sendable {
    enum Kind: UInt8, Sendable, CaseIterable {
        /// A chunk. The only kind with a payload, which is never empty.
        case data = 1
        /// The last item of a direction, with a sequence number like that of a chunk.
        case end = 2
        /// The reader has taken all items below `sequence`.
        case acknowledge = 3
        /// After a reconnect: all items below `sequence` have arrived.
        case resume = 4
        /// Ends both directions at once. `sequence` is 0.
        case cancel = 5
    }

    static let headerLength = 12
    /// Maximum length of a payload, in bytes.
    static let maximumPayloadLength = 32_768

    var kind: Kind
    var stream: UInt32
    var sequence: UInt32 = 0
    var payload = Data()

    init(_ kind: Kind, stream: UInt32, sequence: UInt32 = 0, payload: Data = Data()) {
        self.kind = kind
        self.stream = stream
        self.sequence = sequence
        self.payload = payload
    }

    /// Reads a frame from the bytes of one WebSocket message.
    ///
    /// - Returns: nil when the bytes are not a frame: an unknown kind, reserved bytes other than 0, stream 0, or a payload of a length that the
    ///   kind does not have.
    init?(_ bytes: Data) {
        guard bytes.count >= Self.headerLength else { return nil }
        let header = bytes.prefix(Self.headerLength)
        let numbers = [0, 4, 8].map { header.dropFirst($0).prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
        guard numbers[0] & 0xff_ffff == 0, let kind = Kind(rawValue: UInt8(numbers[0] >> 24)), numbers[1] > 0 else { return nil }
        let lengths = kind == .data ? 1...Self.maximumPayloadLength : 0...0
        guard lengths.contains(bytes.count - Self.headerLength) else { return nil }
        self.init(kind, stream: numbers[1], sequence: numbers[2], payload: Data(bytes.dropFirst(Self.headerLength)))
    }

    var bytes: Data {
        var bytes = Data(capacity: Self.headerLength + payload.count)
        for number in [UInt32(kind.rawValue) << 24, stream, sequence] {
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        bytes.append(payload)
        return bytes
    }
}
