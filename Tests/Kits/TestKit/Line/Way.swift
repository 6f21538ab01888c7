import Foundation
import NIOCore
import NIOPosix

/// One direction of a proxied connection: reads from its own channel and writes to the opposite one. Both run on the same event loop.
///
/// ```
///  read ──▶ buffer ──▶ stall, delay ──▶ write a chunk ──▶ accepted by the kernel: next chunk
///    ▲                                                            │
///    └───────────────────── buffer empty ◀────────────────────────┘
/// ```
final class Way: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    struct FaultsChanged {}

    private let proxy: LineProxy
    private let direction: LineProxy.Direction
    private let number: Int
    private var numbers: SeededGenerator
    private var context: ChannelHandlerContext?
    private var opposite: Way?
    private var buffer = ByteBuffer()
    /// True while a chunk is delayed or being written.
    private var isBusy = false
    /// True when the sender has ended this direction.
    private var hasEnded = false
    /// True when the end has been forwarded.
    private var hasForwardedEnd = false
    /// The remaining bytes until the cut, and the range that they were drawn from.
    private var cut: (range: ClosedRange<Int>, left: Int)?
    private var timer: Scheduled<Void>?

    init(_ direction: LineProxy.Direction, of number: Int, through proxy: LineProxy) {
        self.direction = direction
        self.number = number
        self.proxy = proxy
        numbers = SeededGenerator(seed: proxy.seed, number: direction == .up ? 2 * number : 2 * number + 1)
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
        opposite = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        if direction == .up { connectToTarget(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        buffer.writeBuffer(&bytes)
        proxy.didBuffer(buffer.readableBytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) { proceed() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hasEnded = true }
        proceed()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(byReset: true) }

    func channelInactive(context: ChannelHandlerContext) { opposite?.context?.channel.end(byReset: false) }

    // MARK: The connection

    private func connectToTarget(_ context: ChannelHandlerContext) {
        let client = context.channel
        let back = NIOLoopBound(Way(.down, of: number, through: proxy), eventLoop: context.eventLoop)
        ClientBootstrap(group: context.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { target in
                target.eventLoop.makeCompletedFuture { try target.pipeline.syncOperations.addHandler(back.value) }
            }
            .connect(host: "127.0.0.1", port: proxy.target).assumeIsolated().whenComplete { [self] result in
                guard case .success(let target) = result else { return client.end(byReset: true) }
                guard proxy.didReach(target, by: number) else { return target.end(byReset: true) }
                (opposite, back.value.opposite) = (back.value, self)
                proceed()
                back.value.proceed()
            }
    }

    private func end(byReset: Bool) {
        let ends = [context?.channel, opposite?.context?.channel]
        for channel in ends { channel?.end(byReset: byReset) }
    }

    /// Forwards the next chunk, reads more when the buffer is empty, or forwards the end.
    private func proceed() {
        guard !isBusy, !hasForwardedEnd, let context, let target = opposite?.context else { return }
        let faults = proxy.faults
        guard !faults.stalled.contains(direction) else { return }
        guard buffer.readableBytes > 0 || hasEnded else { return context.read() }
        isBusy = true
        var pause = faults.delay.map { numbers.duration(in: $0) } ?? .zero
        if let stall = faults.stall, numbers.occurs(stall.probability) {
            guard let duration = stall.duration else { return }
            pause += numbers.duration(in: duration)
        }
        guard pause > .zero else { return forward(to: target) }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) { [self] in
            if let target = opposite?.context { forward(to: target) }
        }
    }

    private func forward(to target: ChannelHandlerContext) {
        guard buffer.readableBytes > 0 else { return finish(target) }
        let faults = proxy.faults
        var count = buffer.readableBytes
        if let size = faults.chunkSize { count = min(count, max(1, .random(in: size, using: &numbers))) }
        if faults.cutAfter != cut?.range { cut = faults.cutAfter.map { ($0, .random(in: $0, using: &numbers)) } }
        if let left = cut?.left {
            count = min(count, left)
            cut?.left -= count
        }
        let written = target.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] result in
            // Asynchronously: a write that completes immediately would otherwise recurse for every chunk.
            target.eventLoop.assumeIsolated().execute { [self] in
                guard case .success = result else { return end(byReset: true) }
                didForward(count, resets: faults.resets)
            }
        }
        target.writeAndFlush(Self.wrapOutboundOut(buffer.readSlice(length: count)!), promise: written)
    }

    private func didForward(_ count: Int, resets: Double) {
        proxy.didForward(count, direction)
        if cut?.left == 0, opposite != nil {
            proxy.didCut()
            return end(byReset: numbers.occurs(resets))
        }
        if buffer.readableBytes == 0 { buffer.clear() }
        isBusy = false
        proceed()
    }

    private func finish(_ target: ChannelHandlerContext) {
        hasForwardedEnd = true
        if opposite?.hasForwardedEnd == true { return end(byReset: false) }
        target.close(mode: .output, promise: nil)
    }
}

extension Channel {
    func end(byReset: Bool) {
        // Closing with a linger time of zero discards unsent data and sends a reset.
        if byReset { (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in } }
        close(promise: nil)
    }
}
