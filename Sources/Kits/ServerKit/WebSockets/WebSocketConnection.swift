import HTTPTypes
public import NIOCore
import NIOWebSocket

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

    /// What the peer sends. To be iterated once, by one task; ends when the peer closes.
    public let messages: WebSocketMessages
    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    private let state: WebSocketState

    init(
        inbound: NIOAsyncChannelInboundStream<WebSocketFrame>, outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>,
        state: WebSocketState
    ) {
        self.outbound = outbound
        self.state = state
        messages = WebSocketMessages(inbound: inbound, outbound: outbound, state: state)
    }

    /// Writes one text message.
    ///
    /// - Throws: When the connection has ended, or the task is cancelled while it waits.
    public func send(_ text: String) async throws {
        try await write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
    }

    /// Writes one binary message; throws like ``send(_:)-(String)``.
    public func send(_ bytes: ByteBuffer) async throws {
        try await write(WebSocketFrame(fin: true, opcode: .binary, data: bytes))
    }

    // The writer notices cancellation only while it waits, and never that a close frame has gone out.
    private func write(_ frame: WebSocketFrame) async throws {
        try Task.checkCancellation()
        if state.hasSentClose { throw ChannelError.outputClosed }
        try await outbound.write(frame)
    }

    /// Ends the connection: cancels the handler, sends a close frame and waits a moment for the peer's.
    public func close(_ code: WebSocketCloseCode, reason: String = "") {
        state.request(Close(code: code, reason: reason))
    }
}

/// The messages of a ``WebSocketConnection``.
public struct WebSocketMessages: AsyncSequence, Sendable {
    public typealias Element = WebSocketMessage

    fileprivate let inbound: NIOAsyncChannelInboundStream<WebSocketFrame>
    fileprivate let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    fileprivate let state: WebSocketState

    public func makeAsyncIterator() -> Iterator {
        Iterator(frames: inbound.makeAsyncIterator(), messages: self)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var frames: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
        fileprivate let messages: WebSocketMessages

        /// - Returns: nil when the peer has closed or broken the protocol.
        /// - Throws: What the connection failed with, or `CancellationError`.
        @concurrent public mutating func next() async throws -> WebSocketMessage? {
            while true {
                guard let frame = try await frames.next() else { return nil }
                switch frame.opcode {
                case .text:
                    guard let text = String(validating: frame.unmaskedData) else {
                        messages.state.request(.init(code: .invalidText))
                        return nil
                    }
                    return .text(text)
                case .binary:
                    return .binary(frame.unmaskedData)
                case .connectionClose:
                    messages.state.peerClosed()
                    // Section 5.5.1.
                    let answer = WebSocketCloseCode.answer(to: frame.unmaskedData)
                    try? await messages.outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: answer))
                    return nil
                default:
                    continue
                }
            }
        }
    }
}

extension String {
    /// - Returns: nil when `bytes` are not UTF-8.
    fileprivate init?(validating bytes: ByteBuffer) {
        guard let text = try? bytes.getUTF8ValidatedString(at: bytes.readerIndex, length: bytes.readableBytes) else { return nil }
        self = text
    }
}
