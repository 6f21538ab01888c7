import NIOCore
import NIOWebSocket

/// Sees every frame first: refuses what RFC 6455 forbids a client, notes signs of life, and ends the connection in order.
///
/// After ``beginClosing()`` data is dropped unread, so that the peer's close frame is seen however much stands before it.
final class FrameGuard: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private static let opcodes: [WebSocketOpcode] = [.continuation, .text, .binary, .connectionClose, .ping, .pong]

    private let state: WebSocketState
    private var context: ChannelHandlerContext?
    private var isClosing = false

    init(state: WebSocketState) { self.state = state }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        state.heard()
        if isClosing {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
        } else if frame.maskKey == nil || frame.rsv1 || frame.rsv2 || frame.rsv3 || !Self.opcodes.contains(frame.opcode) {
            // Section 5.1: unmasked; section 5.2: a reserved bit without an extension, or a reserved opcode.
            end(context, .protocolError)
        } else {
            context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if isClosing { context.read() }
    }

    func beginClosing() {
        isClosing = true
        context?.read()
    }

    private func end(_ context: ChannelHandlerContext, _ code: WebSocketCloseCode) {
        isClosing = true
        context.writeAndFlush(Self.wrapOutboundOut(.close(code, reason: "")), promise: nil)
        context.close(promise: nil)
    }
}

/// Turns what the aggregator of fragments refuses into a close frame.
final class FragmentErrors: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOWebSocketFrameAggregator.Error {
            let code: WebSocketCloseCode =
                switch error {
                case .accumulatedFrameSizeIsTooLarge, .tooManyFragments: .messageTooBig
                default: .protocolError
                }
            context.writeAndFlush(Self.wrapOutboundOut(.close(code, reason: "")), promise: nil)
            context.close(promise: nil)
        }
        context.fireErrorCaught(error)
    }
}

extension WebSocketFrame {
    /// A close frame. `reason` is cut to what a control frame holds (123 bytes).
    static func close(_ code: WebSocketCloseCode, reason: String) -> WebSocketFrame {
        var data = ByteBuffer(integer: code.rawValue)
        var text = reason
        while text.utf8.count > 123 { text.removeLast() }
        data.writeString(text)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    }
}
