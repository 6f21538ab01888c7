package import NIOCore

/// The status code of a WebSocket close frame (RFC 6455, section 7.4).
package struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = Self(rawValue: 1000)
    /// The server is shutting down.
    package static let goingAway = Self(rawValue: 1001)
    package static let protocolError = Self(rawValue: 1002)
    package static let unsupportedData = Self(rawValue: 1003)
    /// The message is not UTF-8.
    package static let invalidText = Self(rawValue: 1007)
    package static let policyViolation = Self(rawValue: 1008)
    package static let messageTooBig = Self(rawValue: 1009)
    package static let internalError = Self(rawValue: 1011)
    /// The server has no capacity now.
    package static let tryAgainLater = Self(rawValue: 1013)

    /// Returns the payload that answers a close frame: the peer's code, nothing for an empty payload, or an error code.
    static func answer(to payload: ByteBuffer) -> ByteBuffer {
        guard payload.readableBytes > 0 else { return ByteBuffer() }
        guard let code = payload.getInteger(at: payload.readerIndex, as: UInt16.self).map(Self.init), code.mayBeSent else {
            return ByteBuffer(integer: protocolError.rawValue)
        }
        var reason = payload
        reason.moveReaderIndex(forwardBy: 2)
        return ByteBuffer(integer: (String(validating: reason) == nil ? invalidText : code).rawValue)
    }

    /// True when an endpoint may send the code: 1004 to 1006 and 1015 are reserved (section 7.4.1).
    var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// One message from the peer.
package enum WebSocketMessage: Hashable, Sendable {
    case text(String)
    case binary(ByteBuffer)
}

/// An open WebSocket, for use by a service.
///
/// Pings, fragments and limits are handled before a message arrives here. ``send(_:)`` waits while the peer does not read, so a slow peer
/// delays only its own session.
package final class WebSocketConnection: Sendable {
    /// The code and reason of a close frame.
    struct Close: Sendable, Equatable {
        var code: WebSocketCloseCode
        var reason = ""
    }

    /// The peer's messages, for a session that is a single task. Iterate once, from one task. Ends when the peer closes.
    package var messages: WebSocketMessages { WebSocketMessages(wire: wire) }
    private let wire: any WebSocketWire
    private let work: WebSocketWork

    init(_ wire: any WebSocketWire, work: WebSocketWork) {
        self.wire = wire
        self.work = work
    }

    /// Writes one text message.
    ///
    /// - Throws: An error when the connection has ended or the task is cancelled while waiting.
    package func send(_ text: String) async throws { try await wire.write(.text(text)) }

    /// Queues one text message without waiting, for callers that a slow peer must not delay, such as another connection's task. Messages
    /// are written in the order of the calls.
    ///
    /// - Returns: False when the connection has ended or ``maximumPosted`` bytes are already waiting. The peer then reads too slowly, and
    ///   the caller decides what to do with the connection.
    package func post(_ text: String) -> Bool { wire.post(text) }

    /// Maximum bytes that may wait when ``post(_:)`` accepts another message.
    package static let maximumPosted = 1_048_576

    /// Writes one binary message. Throws like ``send(_:)-(String)``.
    package func send(_ bytes: ByteBuffer) async throws { try await wire.write(.binary(bytes)) }

    /// Runs work concurrently with reading, in a task that is cancelled and awaited when the connection ends, before the session closes. An
    /// error closes the connection with 1011. Does nothing after the connection has ended.
    package func start(_ work: @escaping @Sendable () async throws -> Void) { self.work.start(work) }

    /// Closes the connection: cancels its tasks, sends a close frame and waits a second for the peer's.
    package func close(_ code: WebSocketCloseCode, reason: String = "") { wire.close(Close(code: code, reason: reason)) }
}

/// The carrier of messages between a service and its peer: frames over a network, or a queue within the process.
protocol WebSocketWire: Sendable {
    /// - Returns: A function that waits for the next message. It returns nil when the peer has closed or violated the protocol, and throws
    ///   the error of the connection or `CancellationError`.
    func makeReader() -> (@concurrent () async throws -> WebSocketMessage?)
    func write(_ message: WebSocketMessage) async throws
    func post(_ text: String) -> Bool
    func close(_ close: WebSocketConnection.Close)
}

/// The messages of a ``WebSocketConnection``.
package struct WebSocketMessages: AsyncSequence, Sendable {
    package typealias Element = WebSocketMessage
    fileprivate let wire: any WebSocketWire

    package func makeAsyncIterator() -> Iterator { Iterator(read: wire.makeReader()) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let read: @concurrent () async throws -> WebSocketMessage?
        /// - Throws: The error of the connection, or `CancellationError`.
        @concurrent package mutating func next() async throws -> WebSocketMessage? { try await read() }
    }
}
