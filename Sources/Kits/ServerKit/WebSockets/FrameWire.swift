import NIOConcurrencyHelpers
import NIOCore
import NIOWebSocket

/// A WebSocket's messages as frames on a channel: what has arrived and is not taken yet, and what is handed over and not written yet.
///
/// Neither side waits for the other in a task: who finds nothing is called once there is something.
final class FrameWire: WebSocketWire {
    /// What there is for the service.
    enum Taken {
        case message(WebSocketMessage)
        case nothing
        /// The peer has closed, or broken the protocol.
        case end
    }

    private enum End {
        /// The peer's close frame, to be answered once what came before it is taken.
        case closing(answer: ByteBuffer)
        case over((any Error)?)
    }

    private struct Values {
        var arrived: [WebSocketFrame] = []
        /// Bytes of the message that the service has.
        var taken = 0
        var end: End?
        var onNews: (@Sendable () -> Void)?
        var isReadHeld = false

        var handedOver: [WebSocketFrame] = []
        /// Of what was handed over, also of what the channel has.
        var unwrittenBytes = 0
        var onRoom: [@Sendable () -> Void] = []
    }

    /// Messages that wait for the service before the peer is not read, and as few of them as it is read again at.
    private static let mostArrived = 10
    private static let fewArrived = 2
    /// Unwritten bytes from which on ``write(_:)`` waits, and to which they have to fall.
    private static let muchUnwritten = 65_536
    private static let littleUnwritten = 32_768

    private let channel: any Channel
    private let state: WebSocketState
    private let share: MessageBudget.Share
    private let values = NIOLockedValueBox(Values())

    init(channel: any Channel, state: WebSocketState, share: MessageBudget.Share) {
        self.channel = channel
        self.state = state
        self.share = share
    }

    // MARK: From the peer, on the event loop

    func arrive(_ frame: WebSocketFrame) {
        switch frame.opcode {
        case .text, .binary: news { $0.arrived.append(frame) }
        // RFC 6455, section 5.5.1.
        case .connectionClose: end(.closing(answer: WebSocketCloseCode.answer(to: frame.unmaskedData)))
        default: break
        }
    }

    /// Nothing comes any more.
    func end(_ error: (any Error)?) { end(.over(error)) }

    private func end(_ end: End) { news { $0.end = $0.end ?? end } }

    private func news(_ change: (inout Values) -> Void) {
        let onNews = values.withLockedValue { values in
            change(&values)
            defer { values.onNews = nil }
            return values.onNews
        }
        onNews?()
    }

    /// Whether the service is behind, and asks for reading itself once it is not.
    func holdsRead() -> Bool {
        values.withLockedValue { values in
            values.isReadHeld = values.arrived.count >= Self.mostArrived
            return values.isReadHeld
        }
    }

    // MARK: To the service

    /// To be called when the service has done with what it took before.
    ///
    /// - Throws: What the connection failed with.
    func take() throws -> Taken {
        let (frame, end, mayRead, done) = values.withLockedValue { values -> (WebSocketFrame?, End?, Bool, Int) in
            let done = values.taken
            values.taken = 0
            guard !values.arrived.isEmpty else {
                let end = values.end
                if case .closing? = end { values.end = .over(nil) }
                return (nil, end, false, done)
            }
            let frame = values.arrived.removeFirst()
            values.taken = frame.length
            // An empty array would keep its storage.
            if values.arrived.isEmpty { values.arrived = [] }
            let mayRead = values.isReadHeld && values.arrived.count <= Self.fewArrived
            if mayRead { values.isReadHeld = false }
            return (frame, nil, mayRead, done)
        }
        if done > 0 { share.remove(done) }
        if mayRead { channel.read() }
        if let frame {
            guard frame.opcode == .text else { return .message(.binary(frame.unmaskedData)) }
            if let text = String(validating: frame.unmaskedData) { return .message(.text(text)) }
            state.end(.close(.init(code: .invalidText)))
            return .end
        }
        switch end {
        case nil: return .nothing
        case .closing(let answer):
            state.peerClosed()
            handOver(WebSocketFrame(fin: true, opcode: .connectionClose, data: answer))
            return .end
        case .over(let error?): throw error
        case .over(nil): return .end
        }
    }

    /// Calls `body` once, when there is something to be taken, which may be now.
    func onNews(_ body: @escaping @Sendable () -> Void) {
        let isNews = values.withLockedValue { values in
            let isNews = !values.arrived.isEmpty || values.end != nil
            values.onNews = isNews ? nil : body
            return isNews
        }
        if isNews { body() }
    }

    func makeReader() -> (@concurrent () async throws -> WebSocketMessage?) {
        {
            while true {
                try Task.checkCancellation()
                switch try self.take() {
                case .message(let message): return message
                case .end: return nil
                case .nothing: await Self.called({ self.onNews($0) }, orCancelled: { self.news { _ in } })
                }
            }
        }
    }

    // MARK: To the peer

    func write(_ message: WebSocketMessage) async throws {
        let frame = WebSocketFrame(message)
        while true {
            try Task.checkCancellation()
            guard !state.hasSentClose, channel.isActive else { throw ChannelError.outputClosed }
            if handOver(frame, unless: { $0 >= Self.muchUnwritten }) { return }
            await Self.called({ self.onRoom($0) }, orCancelled: { self.wrote(0, isOver: true) })
        }
    }

    func post(_ text: String) -> Bool {
        guard !state.hasSentClose, state.ending == nil, channel.isActive else { return false }
        let frame = WebSocketFrame(.text(text))
        let size = frame.length
        // A single message may be of any size.
        return handOver(frame) { $0 > 0 && $0 + size > WebSocketConnection.maximumPosted }
    }

    func close(_ close: WebSocketConnection.Close) { state.end(.close(close)) }

    /// - Parameter isFull: Whether, with so many bytes unwritten, the frame has to stay.
    /// - Returns: Whether it was taken.
    @discardableResult
    func handOver(_ frame: WebSocketFrame, unless isFull: (_ unwrittenBytes: Int) -> Bool = { _ in false }) -> Bool {
        let (isTaken, isFirst) = values.withLockedValue { values in
            guard !isFull(values.unwrittenBytes) else { return (false, false) }
            values.handedOver.append(frame)
            values.unwrittenBytes += frame.length
            return (true, values.handedOver.count == 1)
        }
        // Those that come until the loop has its turn are written with it.
        if isFirst { channel.eventLoop.execute { self.flush() } }
        return isTaken
    }

    private func flush() {
        var frames = values.withLockedValue { values in
            defer { values.handedOver = [] }
            return values.handedOver
        }
        let size = frames.reduce(0) { $0 + $1.length }
        let last = frames.removeLast()
        for frame in frames { channel.write(frame, promise: nil) }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in self.wrote(size) }
        channel.writeAndFlush(last, promise: written)
    }

    /// - Parameter isOver: Whether to call those who wait for room anyway.
    private func wrote(_ size: Int, isOver: Bool = false) {
        let onRoom = values.withLockedValue { values -> [@Sendable () -> Void] in
            values.unwrittenBytes -= size
            guard isOver || values.unwrittenBytes <= Self.littleUnwritten else { return [] }
            defer { values.onRoom = [] }
            return values.onRoom
        }
        for body in onRoom { body() }
    }

    private func onRoom(_ body: @escaping @Sendable () -> Void) {
        let isRoom = values.withLockedValue { values in
            let isRoom = values.unwrittenBytes < Self.muchUnwritten
            if !isRoom { values.onRoom.append(body) }
            return isRoom
        }
        if isRoom { body() }
    }

    /// Waits until what is given to `register` is called.
    ///
    /// - Parameter wake: Has it called early.
    private static func called(
        _ register: (@escaping @Sendable () -> Void) -> Void, orCancelled wake: @escaping @Sendable () -> Void
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                register { continuation.resume() }
                // Cancelled before there was anything to wake.
                if Task.isCancelled { wake() }
            }
        } onCancel: {
            wake()
        }
    }
}

/// Where the pipeline of a WebSocket ends.
final class FrameEnd: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let wire: FrameWire

    init(_ wire: FrameWire) { self.wire = wire }

    func read(context: ChannelHandlerContext) {
        if !wire.holdsRead() { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { wire.arrive(Self.unwrapInboundIn(data)) }

    /// What the aggregator of fragments refuses is said to the peer.
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
        wire.end(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { wire.end(nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { wire.end(nil) }
    func handlerRemoved(context: ChannelHandlerContext) { wire.end(nil) }
}

extension WebSocketFrame {
    fileprivate init(_ message: WebSocketMessage) {
        switch message {
        case .text(let text): self.init(fin: true, opcode: .text, data: ByteBuffer(string: text))
        case .binary(let bytes): self.init(fin: true, opcode: .binary, data: bytes)
        }
    }
}

extension String {
    /// - Returns: nil when `bytes` are not UTF-8.
    init?(validating bytes: ByteBuffer) {
        guard let text = try? bytes.getUTF8ValidatedString(at: bytes.readerIndex, length: bytes.readableBytes) else { return nil }
        self = text
    }
}
