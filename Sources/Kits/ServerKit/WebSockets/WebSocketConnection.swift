public import NIOCore

/// Why a WebSocket ends (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let normal = Self(rawValue: 1000)
    /// The server is shutting down.
    public static let goingAway = Self(rawValue: 1001)
    public static let protocolError = Self(rawValue: 1002)
    public static let unsupportedData = Self(rawValue: 1003)
    /// A text that is not UTF-8.
    public static let invalidText = Self(rawValue: 1007)
    public static let policyViolation = Self(rawValue: 1008)
    public static let messageTooBig = Self(rawValue: 1009)
    public static let internalError = Self(rawValue: 1011)
    /// The server has no room for it now.
    public static let tryAgainLater = Self(rawValue: 1013)

    /// What to answer a close frame that says `said`: its code, nothing to nothing, or what was wrong with it.
    static func answer(to said: ByteBuffer) -> ByteBuffer {
        guard said.readableBytes > 0 else { return ByteBuffer() }
        guard let code = said.getInteger(at: said.readerIndex, as: UInt16.self).map(Self.init), code.mayBeSent else {
            return ByteBuffer(integer: protocolError.rawValue)
        }
        var reason = said
        reason.moveReaderIndex(forwardBy: 2)
        return ByteBuffer(integer: (String(validating: reason) == nil ? invalidText : code).rawValue)
    }

    /// Whether an endpoint may send it: 1004 to 1006 and 1015 are reserved for use without a frame (section 7.4.1).
    var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// One message from the peer.
public enum WebSocketMessage: Hashable, Sendable {
    case text(String)
    case binary(ByteBuffer)
}

/// An open WebSocket, as a service sees it.
///
/// Pings are answered, fragments joined and limits kept before a message comes here. ``send(_:)`` waits while the peer is not
/// reading, so a slow reader costs nobody but itself.
public final class WebSocketConnection: Sendable {
    /// How a connection is to be closed.
    struct Close: Sendable, Equatable {
        var code: WebSocketCloseCode
        var reason = ""
    }

    /// What the peer sends, for a handler that is one task. To be iterated once, by one task; ends when the peer closes.
    public var messages: WebSocketMessages { WebSocketMessages(wire: wire) }
    private let wire: any WebSocketWire
    private let work: WebSocketWork

    init(_ wire: any WebSocketWire, work: WebSocketWork) {
        self.wire = wire
        self.work = work
    }

    /// Writes one text message.
    ///
    /// - Throws: When the connection has ended, or the task is cancelled while it waits.
    public func send(_ text: String) async throws { try await wire.write(.text(text)) }

    /// Hands over one text message to be written, without waiting: for whoever must not be held up by a slow reader, such as another
    /// connection's task. Messages are written in the order in which they are handed over.
    ///
    /// - Returns: Whether it was taken. False when the connection has ended, or when ``maximumPosted`` bytes are waiting already: then the peer
    ///   reads too slowly, and the caller decides what becomes of it.
    public func post(_ text: String) -> Bool { wire.post(text) }

    /// How many bytes may wait to be written by ``post(_:)`` before another message is refused.
    public static let maximumPosted = 1_048_576

    /// Writes one binary message; throws like ``send(_:)-(String)``.
    public func send(_ bytes: ByteBuffer) async throws { try await wire.write(.binary(bytes)) }

    /// Runs work beside reading, in a task that is cancelled when the connection ends, and waited for before its session is closed. What it
    /// throws ends the connection with 1011. Not run when the connection has ended.
    public func start(_ work: @escaping @Sendable () async throws -> Void) { self.work.start(work) }

    /// Ends the connection: cancels its tasks, sends a close frame and waits a moment for the peer's.
    public func close(_ code: WebSocketCloseCode, reason: String = "") { wire.close(Close(code: code, reason: reason)) }
}

/// What carries messages between a service and its peer: frames over a network, or a hand-over within the process.
protocol WebSocketWire: Sendable {
    /// - Returns: A function that waits for the next message; nil when the peer has closed or broken the protocol. It throws what the
    ///   connection failed with, or `CancellationError`.
    func makeReader() -> (@concurrent () async throws -> WebSocketMessage?)
    func write(_ message: WebSocketMessage) async throws
    func post(_ text: String) -> Bool
    func close(_ close: WebSocketConnection.Close)
}

/// The messages of a ``WebSocketConnection``.
public struct WebSocketMessages: AsyncSequence, Sendable {
    public typealias Element = WebSocketMessage
    fileprivate let wire: any WebSocketWire

    public func makeAsyncIterator() -> Iterator { Iterator(read: wire.makeReader()) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let read: @concurrent () async throws -> WebSocketMessage?
        /// - Throws: What the connection failed with, or `CancellationError`.
        @concurrent public mutating func next() async throws -> WebSocketMessage? { try await read() }
    }
}
