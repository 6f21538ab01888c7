public import CompactEncoding

/// A response of the DHT as one datagram carries it.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.4; dht-rpc 6.26.3.
public struct RPCResponse: Hashable, Sendable {
    /// Maximum closer nodes that a node sends and a receiver uses.
    public static let maximumCloserNodeCount = 20

    /// Number copied from the request.
    public var transactionID: UInt16
    /// Address of the requester as the responder saw it.
    public var to: PeerAddress
    public var id: DHTKey?
    /// Token for a write that follows soon, 32 bytes.
    public var token: [UInt8]?
    public var closerNodes: [PeerAddress]
    /// Zero for success, ``RPCErrorNumber`` otherwise.
    public var error: UInt64
    public var value: [UInt8]?

    public init(
        transactionID: UInt16, to: PeerAddress, id: DHTKey? = nil, token: [UInt8]? = nil, closerNodes: [PeerAddress] = [],
        error: UInt64 = 0,
        value: [UInt8]? = nil
    ) {
        self.transactionID = transactionID
        self.to = to
        self.id = id
        self.token = token
        self.closerNodes = closerNodes
        self.error = error
        self.value = value
    }

    public func encode() -> [UInt8] {
        var flags: UInt8 = 0
        if id != nil { flags |= 1 }
        if token != nil { flags |= 2 }
        if !closerNodes.isEmpty { flags |= 4 }
        if error != 0 { flags |= 8 }
        if value != nil { flags |= 16 }
        var encoder = Encoder(capacity: 224 + (value?.count ?? 0))
        encoder.writeUInt8(RPCMessage.responseType)
        encoder.writeUInt8(flags)
        encoder.writeUInt16(transactionID)
        encoder.writeAddress(to)
        if let id { encoder.writeFixed(id.bytes) }
        if let token { encoder.writeFixed(token) }
        if !closerNodes.isEmpty { encoder.writeAddresses(closerNodes) }
        if error != 0 { encoder.writeUInt(error) }
        if let value { encoder.writeBuffer(value) }
        return encoder.bytes
    }

    /// Reads the fields after the type byte.
    init(from decoder: inout Decoder) throws(CompactEncodingError) {
        let flags = try decoder.readUInt()
        transactionID = try decoder.readUInt16()
        to = try decoder.readAddress()
        id = flags & 1 == 0 ? nil : try decoder.readKey()
        token = flags & 2 == 0 ? nil : try decoder.readFixed(RPCRequest.tokenSize)
        closerNodes = flags & 4 == 0 ? [] : try decoder.readAddresses()
        error = flags & 8 == 0 ? 0 : try decoder.readUInt()
        value = flags & 16 == 0 ? nil : try decoder.readBuffer()
    }
}

/// Error numbers of responses.
public enum RPCErrorNumber {
    public static let unknownCommand: UInt64 = 1
    /// The token is wrong or expired; the response carries a new one.
    public static let invalidToken: UInt64 = 2
}
