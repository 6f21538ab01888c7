import CompactEncoding

/// A message between a peer and a blind relay.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.13.
enum RelayMessage: Hashable, Sendable {
    /// From a peer: pairs its stream with that of the other peer that knows the token. From the relay: the pairing is complete.
    ///
    /// - Parameters:
    ///   - isInitiator: True for the peer that chose the relay. Each token has one peer of each kind.
    ///   - streamID: The UDX stream id on which the sender of the message receives.
    case pair(isInitiator: Bool, token: [UInt8], streamID: UInt32)
    /// Ends a pairing, pending or complete.
    case unpair(token: [UInt8])

    static let tokenSize = 32
    private static let initiatorFlag: UInt8 = 1

    private enum Number {
        static let pair: UInt64 = 0
        static let unpair: UInt64 = 1
    }

    /// The number of the message within its channel.
    var type: UInt64 {
        switch self {
        case .pair: Number.pair
        case .unpair: Number.unpair
        }
    }

    /// Reads a message. `nil` for a type that is not assigned.
    static func decode(type: UInt64, _ payload: [UInt8]) throws(CompactEncodingError) -> RelayMessage? {
        var decoder = Decoder(payload)
        switch type {
        case Number.pair:
            let flags = try decoder.readUInt8()
            let token = try decoder.readFixed(tokenSize)
            guard let streamID = UInt32(exactly: try decoder.readUInt()) else {
                throw CompactEncodingError(.invalidValue, "stream id")
            }
            // The first sequence number, which is always 0.
            _ = try decoder.readUInt()
            return .pair(isInitiator: flags & initiatorFlag != 0, token: token, streamID: streamID)
        case Number.unpair:
            _ = try decoder.readUInt8()
            return .unpair(token: try decoder.readFixed(tokenSize))
        default:
            return nil
        }
    }

    var payload: [UInt8] {
        var encoder = Encoder(capacity: 48)
        switch self {
        case .pair(let isInitiator, let token, let streamID):
            encoder.writeUInt8(isInitiator ? RelayMessage.initiatorFlag : 0)
            encoder.writeFixed(token)
            encoder.writeUInt(UInt64(streamID))
            encoder.writeUInt(0 as UInt64)
        case .unpair(let token):
            encoder.writeUInt8(0)
            encoder.writeFixed(token)
        }
        return encoder.bytes
    }
}
