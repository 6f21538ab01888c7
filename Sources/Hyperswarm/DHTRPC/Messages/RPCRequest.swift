public import CompactEncoding

/// A request of the DHT as one datagram carries it.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.3; dht-rpc 6.26.3.
public struct RPCRequest: Hashable, Sendable {
    /// The length of a token in bytes.
    public static let tokenSize = 32

    /// Number that the response repeats.
    public var transactionID: UInt16
    /// Address of the receiver as the sender knows it.
    public var to: PeerAddress
    /// Id that the sender claims; valid only if it is the id of the sender's address. Nil from an ephemeral node.
    public var id: DHTKey?
    /// Token that the receiver issued earlier, 32 bytes.
    public var token: [UInt8]?
    public var command: RPCCommand
    public var target: DHTKey?
    public var value: [UInt8]?

    public init(
        transactionID: UInt16, to: PeerAddress, id: DHTKey? = nil, token: [UInt8]? = nil, command: RPCCommand,
        target: DHTKey? = nil,
        value: [UInt8]? = nil
    ) {
        self.transactionID = transactionID
        self.to = to
        self.id = id
        self.token = token
        self.command = command
        self.target = target
        self.value = value
    }

    public func encode() -> [UInt8] {
        var flags: UInt8 = 0
        if id != nil { flags |= 1 }
        if token != nil { flags |= 2 }
        if command.isInternal { flags |= 4 }
        if target != nil { flags |= 8 }
        if value != nil { flags |= 16 }
        var encoder = Encoder(capacity: 128 + (value?.count ?? 0))
        encoder.writeUInt8(RPCMessage.requestType)
        encoder.writeUInt8(flags)
        encoder.writeUInt16(transactionID)
        encoder.writeAddress(to)
        if let id { encoder.writeFixed(id.bytes) }
        if let token { encoder.writeFixed(token) }
        encoder.writeUInt(command.number)
        if let target { encoder.writeFixed(target.bytes) }
        if let value { encoder.writeBuffer(value) }
        return encoder.bytes
    }

    /// Reads the fields after the type byte.
    init(from decoder: inout Decoder) throws(CompactEncodingError) {
        let flags = try decoder.readUInt()
        transactionID = try decoder.readUInt16()
        to = try decoder.readAddress()
        id = flags & 1 == 0 ? nil : try decoder.readKey()
        token = flags & 2 == 0 ? nil : try decoder.readFixed(Self.tokenSize)
        command = RPCCommand(number: try decoder.readUInt(), isInternal: flags & 4 != 0)
        target = flags & 8 == 0 ? nil : try decoder.readKey()
        value = flags & 16 == 0 ? nil : try decoder.readBuffer()
    }
}

/// A command of the DHT itself or of the protocol above, each with its own numbering.
public struct RPCCommand: Hashable, Sendable {
    public var number: UInt64
    /// True for a command of the DHT itself, which every node answers.
    public var isInternal: Bool

    public init(number: UInt64, isInternal: Bool = false) {
        self.number = number
        self.isInternal = isInternal
    }

    public static let ping = RPCCommand(number: 0, isInternal: true)
    /// Asks for an answer to another port of the requester's host.
    public static let pingNAT = RPCCommand(number: 1, isInternal: true)
    public static let findNode = RPCCommand(number: 2, isInternal: true)
    /// Reports a node that the receiver named and that did not answer.
    public static let downHint = RPCCommand(number: 3, isInternal: true)
    /// Asks for an answer after a delay.
    public static let delayedPing = RPCCommand(number: 4, isInternal: true)
}

extension Decoder {
    /// Reads a key of 32 bytes.
    public mutating func readKey() throws(CompactEncodingError) -> DHTKey {
        guard let key = DHTKey(try readFixed(DHTKey.size)) else { throw CompactEncodingError(.truncated, "key") }
        return key
    }
}
