import Foundation
import NIOCore
import NIOPosix

/// One way of a connection: reads from its own channel and writes to the opposite one. Both are at home on one event loop.
///
/// ```
///  read ──▶ waiting ──▶ stall, delay ──▶ a piece is written ──▶ taken by the kernel: the next piece
///    ▲                                                                   │
///    └────────────────────── nothing waits any more ◀────────────────────┘
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
    private var waiting = ByteBuffer()
    /// A piece waits for its time, or is being written.
    private var isBusy = false
    /// Nothing more is sent this way.
    private var hasEnded = false
    /// The other end was told so.
    private var isDone = false
    /// Bytes until the cut, and what they were drawn from.
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
        if direction == .up { dial(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        waiting.writeBuffer(&bytes)
        proxy.holds(waiting.readableBytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) { goOn() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { hasEnded = true }
        goOn()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(byReset: true) }

    func channelInactive(context: ChannelHandlerContext) { opposite?.context?.channel.end(byReset: false) }

    // MARK: The connection

    private func dial(_ context: ChannelHandlerContext) {
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
                guard proxy.reached(target, by: number) else { return target.end(byReset: true) }
                (opposite, back.value.opposite) = (back.value, self)
                goOn()
                back.value.goOn()
            }
    }

    private func end(byReset: Bool) {
        let ends = [context?.channel, opposite?.context?.channel]
        for channel in ends { channel?.end(byReset: byReset) }
    }

    /// Begins the next piece, reads more when there is none, or passes on the end.
    private func goOn() {
        guard !isBusy, !isDone, let context, let target = opposite?.context else { return }
        let faults = proxy.faults
        guard !faults.stalled.contains(direction) else { return }
        guard waiting.readableBytes > 0 || hasEnded else { return context.read() }
        isBusy = true
        var pause = faults.delay.map { numbers.duration(in: $0) } ?? .zero
        if let stall = faults.stall, numbers.happens(stall.chance) {
            guard let length = stall.length else { return }
            pause += numbers.duration(in: length)
        }
        guard pause > .zero else { return pass(to: target) }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) { [self] in
            if let target = opposite?.context { pass(to: target) }
        }
    }

    private func pass(to target: ChannelHandlerContext) {
        guard waiting.readableBytes > 0 else { return finish(target) }
        let faults = proxy.faults
        var count = waiting.readableBytes
        if let piece = faults.piece { count = min(count, max(1, .random(in: piece, using: &numbers))) }
        if faults.cutAfter != cut?.range { cut = faults.cutAfter.map { ($0, .random(in: $0, using: &numbers)) } }
        if let left = cut?.left {
            count = min(count, left)
            cut?.left -= count
        }
        let written = target.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] result in
            // Not at once: a write that is done at once would come back here once for each piece.
            target.eventLoop.assumeIsolated().execute { [self] in
                guard case .success = result else { return end(byReset: true) }
                passed(count, resets: faults.resets)
            }
        }
        target.writeAndFlush(Self.wrapOutboundOut(waiting.readSlice(length: count)!), promise: written)
    }

    private func passed(_ count: Int, resets: Double) {
        proxy.passed(count, direction)
        if cut?.left == 0, opposite != nil {
            proxy.hasCut()
            return end(byReset: numbers.happens(resets))
        }
        if waiting.readableBytes == 0 { waiting.clear() }
        isBusy = false
        goOn()
    }

    private func finish(_ target: ChannelHandlerContext) {
        isDone = true
        if opposite?.isDone == true { return end(byReset: false) }
        target.close(mode: .output, promise: nil)
    }
}

extension Channel {
    func end(byReset: Bool) {
        // Closing without lingering drops what is unsent, and says so.
        if byReset { (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in } }
        close(promise: nil)
    }
}
