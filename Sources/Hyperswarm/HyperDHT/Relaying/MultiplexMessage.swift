import CompactEncoding

/// One message of Protomux, which carries several channels on one connection. Each frame of the connection holds one message or a batch.
///
/// Both sides number their channels from 1. A message names the channel by its sender's number; 0 is the control channel. A reader pairs
/// the two sides' channels by protocol and id.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.13.
enum MultiplexMessage: Hashable, Sendable {
    /// Opens a channel under the sender's number.
    case open(channel: UInt64, protocolName: String, id: [UInt8])
    /// Refuses the channel that the receiver opened under this number.
    case reject(channel: UInt64)
    /// Closes the channel that the sender opened under this number.
    case close(channel: UInt64)
    /// A message of a channel, which the sender opened under this number.
    case data(channel: UInt64, type: UInt64, payload: [UInt8])

    private enum Control {
        static let batch: UInt64 = 0
        static let open: UInt64 = 1
        static let reject: UInt64 = 2
        static let close: UInt64 = 3
    }

    /// Maximum messages in one frame; a longer batch is an error.
    static let maximumBatchCount = 1024

    /// Reads the messages of one frame. Control messages of an unknown kind, and batches inside a batch, are skipped.
    static func decode(_ frame: [UInt8]) throws(CompactEncodingError) -> [MultiplexMessage] {
        var decoder = Decoder(frame)
        let channel = try decoder.readUInt()
        let type = try decoder.readUInt()
        guard channel == 0, type == Control.batch else {
            return [try message(channel: channel, type: type, &decoder)].compactMap { $0 }
        }
        var messages: [MultiplexMessage] = []
        var current = try decoder.readUInt()
        var count = 0
        while !decoder.remaining.isEmpty {
            count += 1
            guard count <= maximumBatchCount else { throw CompactEncodingError(.tooManyElements, "messages in a batch") }
            let bytes = try decoder.readBuffer()
            if bytes.isEmpty {
                current = try decoder.readUInt()
                continue
            }
            var inner = Decoder(bytes)
            let type = try inner.readUInt()
            if let message = try message(channel: current, type: type, &inner) { messages.append(message) }
        }
        return messages
    }

    private static func message(
        channel: UInt64, type: UInt64, _ decoder: inout Decoder
    ) throws(CompactEncodingError) -> MultiplexMessage? {
        guard channel == 0 else {
            return .data(channel: channel, type: type, payload: try decoder.readFixed(decoder.remaining.count))
        }
        switch type {
        case Control.open:
            return .open(channel: try decoder.readUInt(), protocolName: try decoder.readString(), id: try decoder.readBuffer())
        case Control.reject: return .reject(channel: try decoder.readUInt())
        case Control.close: return .close(channel: try decoder.readUInt())
        default: return nil
        }
    }

    /// The frame that holds this message alone.
    var encoded: [UInt8] {
        var encoder = Encoder(capacity: 64)
        switch self {
        case .open(let channel, let protocolName, let id):
            encoder.writeUInt(0 as UInt64)
            encoder.writeUInt(Control.open)
            encoder.writeUInt(channel)
            encoder.writeString(protocolName)
            encoder.writeBuffer(id)
        case .reject(let channel):
            encoder.writeUInt(0 as UInt64)
            encoder.writeUInt(Control.reject)
            encoder.writeUInt(channel)
        case .close(let channel):
            encoder.writeUInt(0 as UInt64)
            encoder.writeUInt(Control.close)
            encoder.writeUInt(channel)
        case .data(let channel, let type, let payload):
            encoder.writeUInt(channel)
            encoder.writeUInt(type)
            encoder.writeFixed(payload)
        }
        return encoder.bytes
    }
}
