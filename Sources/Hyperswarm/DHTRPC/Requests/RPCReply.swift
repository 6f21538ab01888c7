public import CompactEncoding

/// An answer to a request of this node.
public struct RPCReply: Hashable, Sendable {
    /// Address of the node that answered.
    public var from: PeerAddress
    /// This node's address as the other node saw it.
    public var to: PeerAddress
    /// Id of the node; nil if it sent no id, or an id that does not match its address.
    public var id: DHTKey?
    /// Token for a write to this node, valid for 7.5 s at least.
    public var token: [UInt8]?
    public var closerNodes: [PeerAddress]
    /// Zero for success; see ``RPCErrorNumber``.
    public var error: UInt64
    public var value: [UInt8]?
    /// Time from the first send to the answer.
    public var roundTrip: Duration
    /// Socket at which the answer arrived.
    public var socket: SocketID

    public init(
        from: PeerAddress, to: PeerAddress, id: DHTKey? = nil, token: [UInt8]? = nil, closerNodes: [PeerAddress] = [],
        error: UInt64 = 0,
        value: [UInt8]? = nil, roundTrip: Duration = .zero, socket: SocketID = .main
    ) {
        self.from = from
        self.to = to
        self.id = id
        self.token = token
        self.closerNodes = closerNodes
        self.error = error
        self.value = value
        self.roundTrip = roundTrip
        self.socket = socket
    }
}

/// A request of the protocol above the DHT, for this node to answer.
public struct IncomingRequest: Hashable, Sendable {
    public var from: PeerAddress
    public var socket: SocketID
    /// True if the request carried a token that this node issued to the requester's host within the last 15 s.
    public var hasValidToken: Bool
    public var message: RPCRequest

    public init(from: PeerAddress, socket: SocketID = .main, hasValidToken: Bool = false, message: RPCRequest) {
        self.from = from
        self.socket = socket
        self.hasValidToken = hasValidToken
        self.message = message
    }
}

/// Failure of a request or a query.
public struct RPCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kind of a failure. Compare this; do not compare whole errors.
    public struct Code: Hashable, Sendable {
        private enum Base { case timedOut, overloaded, closed, noBootstrapNode, notStored }
        private var base: Base
        private init(_ base: Base) { self.base = base }

        /// The node did not answer any of the sends.
        public static let timedOut = Code(.timedOut)
        /// The queue of waiting requests is full.
        public static let overloaded = Code(.overloaded)
        /// This node is closed or suspended.
        public static let closed = Code(.closed)
        /// No bootstrap node answered.
        public static let noBootstrapNode = Code(.noBootstrapNode)
        /// Nodes answered, but none stored the record.
        public static let notStored = Code(.notStored)
    }

    public var code: Code
    /// Explanation for a log.
    public var detail: String

    public init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    public var description: String { "RPCError(\(code), \(detail))" }
}
