import NIOCore
import NIOWebSocket

/// The first handler of a WebSocket: refuses what RFC 6455 forbids a client, answers pings, pings a silent peer, and closes in order.
///
/// After ``beginClosing()`` it drops data unread, so that the peer's close frame arrives however much data precedes it.
final class FrameGuard: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private static let opcodes: [WebSocketOpcode] = [.continuation, .text, .binary, .connectionClose, .ping, .pong]

    private let state: WebSocketState
    private let heartbeat: WebSocketUpgrade.Heartbeat
    private let usage: MessageBudget.Usage
    private var context: ChannelHandlerContext?
    private var isClosing = false
    /// Completes when our close frame, and so everything before it, has been written to the network.
    private(set) var closeWritten: EventLoopFuture<Void>?
    /// True when a frame of any kind has arrived since the last ping.
    private var hasReceivedFrame = false
    /// The unwritten bytes at the last heartbeat when it could not ping because the channel was not writable; otherwise nil.
    private var unwrittenBytes: Int?
    /// True while the channel reads from the peer. Reading pauses while the service is behind, and silence then does not mean a
    /// dead peer. Initially true: a channel reads when it becomes a WebSocket.
    private var isReading = true
    private var nextHeartbeat: Scheduled<Void>?

    init(state: WebSocketState, heartbeat: WebSocketUpgrade.Heartbeat, usage: MessageBudget.Usage) {
        self.state = state
        self.heartbeat = heartbeat
        self.usage = usage
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        ping(after: heartbeat.interval, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        nextHeartbeat?.cancel()
    }

    // MARK: Heartbeat

    private func ping(after interval: Duration, _ context: ChannelHandlerContext) {
        nextHeartbeat = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(interval)) {
            self.hasReceivedFrame = false
            self.unwrittenBytes = nil
            if !context.channel.isWritable {
                // A ping would only queue behind unread data. Progress in writing proves that the peer is alive.
                self.unwrittenBytes = Self.unwrittenBytes(context)
            } else if !self.state.hasSentClose {
                context.writeAndFlush(
                    Self.wrapOutboundOut(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())), promise: nil)
            }
            self.checkForResponse(after: self.heartbeat.pingTimeout, context)
        }
    }

    private func checkForResponse(after timeout: Duration, _ context: ChannelHandlerContext) {
        nextHeartbeat = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
            let isDraining = self.unwrittenBytes.map { Self.unwrittenBytes(context) < $0 } ?? false
            if self.isReading, !self.hasReceivedFrame, !isDraining {
                self.state.end(.abort)
                context.close(promise: nil)
            } else {
                self.ping(after: self.heartbeat.interval, context)
            }
        }
    }

    private static func unwrittenBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    // MARK: Frames

    /// Reads from the peer. The service's reader requests this, through the later handlers, when its queue has room.
    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        hasReceivedFrame = true
        // The payload of a data frame stays in memory until its message is complete and processed.
        let isData = !isClosing && [.continuation, .text, .binary].contains(frame.opcode)
        usage.decoded(frame.wireLength, keeping: isData ? frame.length : 0)
        if isClosing {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        // Section 5.1: not masked; section 5.2: a reserved bit without an extension, or a reserved opcode.
        if frame.maskKey == nil || frame.rsv1 || frame.rsv2 || frame.rsv3 || !Self.opcodes.contains(frame.opcode) {
            return end(context, .protocolError)
        }
        switch frame.opcode {
        case .ping:
            // Pongs for a peer that does not read would accumulate.
            guard context.channel.isWritable, !state.hasSentClose else { return }
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(Self.wrapOutboundOut(pong), promise: nil)
        case .pong: break
        case .continuation, .text, .binary:
            // A fragment is stored until its message is complete; copy it, so that it does not retain the whole read buffer.
            context.fireChannelRead(frame.fin && frame.opcode != .continuation ? data : Self.wrapInboundOut(frame.copied))
        default: context.fireChannelRead(data)
        }
    }

    /// Closes with a matching code when the decoder refuses a frame.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? NIOWebSocketError {
        case .invalidFrameLength: end(context, .messageTooBig)
        case .fragmentedControlFrame, .multiByteControlFrameLength: end(context, .protocolError)
        case nil: break
        }
        context.fireErrorCaught(error)
    }

    /// Drops everything after a close frame (section 5.5.1), whatever other tasks send.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if state.hasSentClose {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        guard Self.unwrapOutboundIn(data).opcode == .connectionClose else { return context.write(data, promise: promise) }
        state.sentClose()
        let promise = promise ?? context.eventLoop.makePromise()
        closeWritten = promise.futureResult
        context.write(data, promise: promise)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
        if isClosing { context.read() }
    }

    func beginClosing() {
        isClosing = true
        context?.read()
    }

    private func end(_ context: ChannelHandlerContext, _ code: WebSocketCloseCode) {
        isClosing = true
        // The answer to the peer's close frame may be on its way: nothing may follow it (section 5.5.1).
        if !state.hasSentClose {
            state.sentClose()
            context.writeAndFlush(Self.wrapOutboundOut(.close(code, reason: "")), promise: nil)
        }
        context.close(promise: nil)
    }
}

extension WebSocketFrame {
    /// An unmasked copy with its own buffer.
    fileprivate var copied: WebSocketFrame {
        WebSocketFrame(fin: fin, opcode: opcode, data: ByteBuffer(bytes: unmaskedData.readableBytesView))
    }

    /// Returns a close frame. `reason` is truncated to the 123 bytes that fit into a control frame.
    static func close(_ code: WebSocketCloseCode, reason: String) -> WebSocketFrame {
        var data = ByteBuffer(integer: code.rawValue)
        var text = reason
        while text.utf8.count > 123 { text.removeLast() }
        data.writeString(text)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    }
}
