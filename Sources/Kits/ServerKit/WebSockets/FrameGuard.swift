import NIOCore
import NIOWebSocket

/// Sees every frame first: refuses what RFC 6455 forbids a client, answers pings, asks a silent peer for a sign of life, and ends
/// the connection in order.
///
/// After ``beginClosing()`` data is dropped unread, so that the peer's close frame is seen however much stands before it.
final class FrameGuard: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private static let opcodes: [WebSocketOpcode] = [.continuation, .text, .binary, .connectionClose, .ping, .pong]

    private let state: WebSocketState
    private let heartbeat: WebSocketUpgrade.Heartbeat
    private let share: MessageBudget.Share
    private var context: ChannelHandlerContext?
    private var isClosing = false
    /// When our close frame, and so everything before it, is with the network.
    private(set) var closeWritten: EventLoopFuture<Void>?
    /// Whether a frame of any kind has arrived since the last ping.
    private var hasHeard = false
    /// What the network had not taken when the peer was to be asked, and could not be.
    private var unwritten: Int?
    /// Whether anything that the peer sends would be seen. While the service is behind with reading, silence is its own. The
    /// connection is being read when it becomes a WebSocket.
    private var isWaitingForPeer = true
    private var nextBeat: Scheduled<Void>?

    init(state: WebSocketState, heartbeat: WebSocketUpgrade.Heartbeat, share: MessageBudget.Share) {
        self.state = state
        self.heartbeat = heartbeat
        self.share = share
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        ping(after: heartbeat.interval, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        nextBeat?.cancel()
    }

    // MARK: Signs of life

    private func ping(after interval: Duration, _ context: ChannelHandlerContext) {
        nextBeat = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(interval)) {
            self.hasHeard = false
            self.unwritten = nil
            if !context.channel.isWritable {
                // Behind what the peer has not read yet it would only pile up: that it reads is sign enough.
                self.unwritten = Self.unwritten(context)
            } else if !self.state.hasSentClose {
                context.writeAndFlush(
                    Self.wrapOutboundOut(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())), promise: nil)
            }
            self.judge(after: self.heartbeat.grace, context)
        }
    }

    private func judge(after grace: Duration, _ context: ChannelHandlerContext) {
        nextBeat = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(grace)) {
            let isReading = self.unwritten.map { Self.unwritten(context) < $0 } ?? false
            if self.isWaitingForPeer, !self.hasHeard, !isReading {
                self.state.end(.lost)
                context.close(promise: nil)
            } else {
                self.ping(after: self.heartbeat.interval, context)
            }
        }
    }

    private static func unwritten(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    // MARK: Frames

    /// Asked for by the service's reader, through the handlers behind this one, when it has room for more.
    func read(context: ChannelHandlerContext) {
        isWaitingForPeer = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        hasHeard = true
        // Of data its payload is kept on: until its message is whole, and the service has done with that.
        let isData = !isClosing && [.continuation, .text, .binary].contains(frame.opcode)
        share.decoded(frame.wireLength, keeping: isData ? frame.length : 0)
        if isClosing {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        // Section 5.1: unmasked; section 5.2: a reserved bit without an extension, or a reserved opcode.
        if frame.maskKey == nil || frame.rsv1 || frame.rsv2 || frame.rsv3 || !Self.opcodes.contains(frame.opcode) {
            return end(context, .protocolError)
        }
        switch frame.opcode {
        case .ping:
            // A peer that does not read gets no answers: they would pile up here.
            guard context.channel.isWritable, !state.hasSentClose else { return }
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(Self.wrapOutboundOut(pong), promise: nil)
        case .pong: break
        case .continuation, .text, .binary:
            // A fragment is kept until its message is whole; it must not keep the whole buffer that it was read from.
            context.fireChannelRead(frame.fin && frame.opcode != .continuation ? data : Self.wrapInboundOut(frame.copied))
        default: context.fireChannelRead(data)
        }
    }

    /// Nothing follows a close frame (section 5.5.1), whatever other tasks were about to send.
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
        isWaitingForPeer = false
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

extension WebSocketFrame {
    /// The same, unmasked, in a buffer of its own.
    fileprivate var copied: WebSocketFrame {
        WebSocketFrame(fin: fin, opcode: opcode, data: ByteBuffer(bytes: unmaskedData.readableBytesView))
    }

    /// A close frame. `reason` is cut to what a control frame holds (123 bytes).
    static func close(_ code: WebSocketCloseCode, reason: String) -> WebSocketFrame {
        var data = ByteBuffer(integer: code.rawValue)
        var text = reason
        while text.utf8.count > 123 { text.removeLast() }
        data.writeString(text)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    }
}
