import CompactEncoding

/// A datagram of the DHT.
public enum RPCMessage: Hashable, Sendable {
    case request(RPCRequest)
    case response(RPCResponse)

    static let requestType: UInt8 = 0x03
    static let responseType: UInt8 = 0x13

    /// Decodes a datagram; nil if it is malformed, or neither a request nor a response. The receiver drops it without a reply.
    ///
    /// Trailing bytes and unknown flags are ignored, since newer versions append fields.
    public init?(_ datagram: [UInt8]) {
        var decoder = Decoder(datagram)
        guard let type = try? decoder.readUInt8() else { return nil }
        switch type {
        case Self.requestType:
            guard let request = try? RPCRequest(from: &decoder) else { return nil }
            self = .request(request)
        case Self.responseType:
            guard let response = try? RPCResponse(from: &decoder) else { return nil }
            self = .response(response)
        default:
            return nil
        }
    }
}
