import NIOCore
import NIOWebSocket
import WireKit

/// The message queues of a WebSocket: received frames that the service has not taken, and sent frames that are not yet written.
///
/// No task waits on an idle connection: a side that finds a queue empty or full registers a callback.
final class FrameWire: WebSocketWire {
    /// The next input for the service.
    enum Input {
        case message(WebSocketMessage)
        case nothing
        /// The peer has closed the connection or violated the protocol.
        case end
    }

    private enum End {
        /// The peer sent a close frame. `answer` is sent once the messages before it are taken.
        case closing(answer: ByteBuffer)
        case over((any Error)?)
    }

    private struct Values {
        var received: [WebSocketFrame] = []
        /// The size of the message that the service is processing, in bytes.
        var takenBytes = 0
        var end: End?
        var onInput: (@Sendable () -> Void)?
        var isReadPaused = false

        var queued: [WebSocketFrame] = []
        /// Bytes not yet written, queued here or in the channel.
        var unwrittenBytes = 0
        var onWritable: [@Sendable () -> Void] = []
    }

    /// Counts of waiting messages at which reading from the peer stops and resumes.
    private static let highReadWatermark = 10
    private static let lowReadWatermark = 2
    /// Counts of unwritten bytes at which ``write(_:)`` waits and resumes.
    private static let highWriteWatermark = 65_536
    private static let lowWriteWatermark = 32_768

    private let channel: any Channel
    private let state: WebSocketState
    private let usage: MessageBudget.Usage
    private let values = Locked(Values())

    init(channel: any Channel, state: WebSocketState, usage: MessageBudget.Usage) {
        self.channel = channel
        self.state = state
        self.usage = usage
    }

    // MARK: From the peer, on the event loop

    func receive(_ frame: WebSocketFrame) {
        switch frame.opcode {
        case .text, .binary: update { $0.received.append(frame) }
        // A close frame is answered by another (RFC 6455, section 5.5.1).
        case .connectionClose: end(.closing(answer: WebSocketCloseCode.answer(to: frame.unmaskedData)))
        default: break
        }
    }

    /// Ends the input.
    func end(_ error: (any Error)?) { end(.over(error)) }

    private func end(_ end: End) { update { $0.end = $0.end ?? end } }

    private func update(_ change: (inout Values) -> Void) {
        let onInput = values.withLock { values in
            change(&values)
            defer { values.onInput = nil }
            return values.onInput
        }
        onInput?()
    }

    /// Returns true if the service is behind. The wire then requests reading itself once the service has caught up.
    func pausesReading() -> Bool {
        values.withLock { values in
            values.isReadPaused = values.received.count >= Self.highReadWatermark
            return values.isReadPaused
        }
    }

    // MARK: To the service

    /// Takes the next input. Call it when the message taken before has been processed.
    ///
    /// - Throws: The error that the connection failed with.
    func take() throws -> Input {
        let (frame, end, mayRead, done) = values.withLock { values -> (WebSocketFrame?, End?, Bool, Int) in
            let done = values.takenBytes
            values.takenBytes = 0
            guard !values.received.isEmpty else {
                let end = values.end
                if case .closing? = end { values.end = .over(nil) }
                return (nil, end, false, done)
            }
            let frame = values.received.removeFirst()
            values.takenBytes = frame.length
            // An empty array would keep its storage.
            if values.received.isEmpty { values.received = [] }
            let mayRead = values.isReadPaused && values.received.count <= Self.lowReadWatermark
            if mayRead { values.isReadPaused = false }
            return (frame, nil, mayRead, done)
        }
        if done > 0 { usage.remove(done) }
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
            enqueue(WebSocketFrame(fin: true, opcode: .connectionClose, data: answer))
            return .end
        case .over(let error?): throw error
        case .over(nil): return .end
        }
    }

    /// Calls `body` once, when there is input, possibly immediately.
    func onInput(_ body: @escaping @Sendable () -> Void) {
        let hasInput = values.withLock { values in
            let hasInput = !values.received.isEmpty || values.end != nil
            values.onInput = hasInput ? nil : body
            return hasInput
        }
        if hasInput { body() }
    }

    func makeReader() -> (@concurrent () async throws -> WebSocketMessage?) {
        {
            while true {
                try Task.checkCancellation()
                switch try self.take() {
                case .message(let message): return message
                case .end: return nil
                case .nothing: await Self.waitForCallback({ self.onInput($0) }, orCancelled: { self.update { _ in } })
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
            if enqueue(frame, unless: { $0 >= Self.highWriteWatermark }) { return }
            await Self.waitForCallback({ self.onWritable($0) }, orCancelled: { self.didWrite(0, resumesAll: true) })
        }
    }

    func post(_ text: String) -> Bool {
        guard !state.hasSentClose, state.ending == nil, channel.isActive else { return false }
        let frame = WebSocketFrame(.text(text))
        let size = frame.length
        // A single message may exceed the limit.
        return enqueue(frame) { $0 > 0 && $0 + size > WebSocketConnection.maximumPosted }
    }

    func close(_ close: WebSocketConnection.Close) { state.end(.close(close)) }

    /// Queues a frame for writing.
    ///
    /// - Parameter isFull: Returns true when the frame must not be queued behind so many unwritten bytes.
    /// - Returns: False when the queue is full.
    @discardableResult
    func enqueue(_ frame: WebSocketFrame, unless isFull: (_ unwrittenBytes: Int) -> Bool = { _ in false }) -> Bool {
        let (isAccepted, isFirst) = values.withLock { values in
            guard !isFull(values.unwrittenBytes) else { return (false, false) }
            values.queued.append(frame)
            values.unwrittenBytes += frame.length
            return (true, values.queued.count == 1)
        }
        // Frames that are queued before the event loop runs are written together.
        if isFirst { channel.eventLoop.execute { self.flush() } }
        return isAccepted
    }

    private func flush() {
        var frames = values.withLock { values in
            defer { values.queued = [] }
            return values.queued
        }
        let size = frames.reduce(0) { $0 + $1.length }
        let last = frames.removeLast()
        for frame in frames { channel.write(frame, promise: nil) }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in self.didWrite(size) }
        channel.writeAndFlush(last, promise: written)
    }

    /// - Parameter resumesAll: True to call the waiting writers whatever the number of unwritten bytes.
    private func didWrite(_ size: Int, resumesAll: Bool = false) {
        let onWritable = values.withLock { values -> [@Sendable () -> Void] in
            values.unwrittenBytes -= size
            guard resumesAll || values.unwrittenBytes <= Self.lowWriteWatermark else { return [] }
            defer { values.onWritable = [] }
            return values.onWritable
        }
        for body in onWritable { body() }
    }

    private func onWritable(_ body: @escaping @Sendable () -> Void) {
        let isWritable = values.withLock { values in
            let isWritable = values.unwrittenBytes < Self.highWriteWatermark
            if !isWritable { values.onWritable.append(body) }
            return isWritable
        }
        if isWritable { body() }
    }

    /// Suspends until the callback passed to `register` is called.
    ///
    /// - Parameter wake: Called on cancellation; must cause the callback to be called.
    private static func waitForCallback(
        _ register: (@escaping @Sendable () -> Void) -> Void, orCancelled wake: @escaping @Sendable () -> Void
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                register { continuation.resume() }
                // The task was cancelled before the callback was registered.
                if Task.isCancelled { wake() }
            }
        } onCancel: {
            wake()
        }
    }
}

/// The last handler of a WebSocket's pipeline.
final class FrameEnd: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let wire: FrameWire

    init(_ wire: FrameWire) { self.wire = wire }

    func read(context: ChannelHandlerContext) {
        if !wire.pausesReading() { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { wire.receive(Self.unwrapInboundIn(data)) }

    /// Closes with a matching code when the fragment aggregator refuses a message.
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
