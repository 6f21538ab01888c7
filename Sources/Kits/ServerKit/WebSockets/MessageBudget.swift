import NIOConcurrencyHelpers
import NIOCore
import NIOWebSocket

/// How many bytes of large messages a server keeps for all its WebSockets: what has come of those that are not whole yet, and those that the
/// service has not done with. Whoever would go past it is told to come again (1013).
///
/// Small messages need none of it: each connection has ``small`` bytes of its own. So whoever fills it keeps only large messages out.
final class MessageBudget: Sendable {
    /// Bytes of a connection that count for nothing: the read buffer of a busy one is as large.
    static let small = 16_384

    private let limit: Int
    private let used = NIOLockedValueBox(0)

    /// - Parameter limit: Bytes.
    init(limit: Int) { self.limit = limit }

    fileprivate func take(_ bytes: Int) -> Bool {
        used.withLockedValue { used in
            guard used + bytes <= limit else { return false }
            used += bytes
            return true
        }
    }

    fileprivate func give(back bytes: Int) { used.withLockedValue { $0 -= bytes } }

    /// What one connection has of a budget.
    final class Share: Sendable {
        private let budget: MessageBudget
        private let values = NIOLockedValueBox((kept: 0, isOver: false))

        init(of budget: MessageBudget) { self.budget = budget }

        /// - Returns: Whether there is room.
        func add(_ bytes: Int) -> Bool {
            values.withLockedValue { values in
                guard !values.isOver else { return true }
                let kept = values.kept + bytes
                let more = max(0, kept - MessageBudget.small) - max(0, values.kept - MessageBudget.small)
                guard more == 0 || budget.take(more) else { return false }
                values.kept = kept
                return true
            }
        }

        func remove(_ bytes: Int) {
            values.withLockedValue { values in
                guard !values.isOver else { return }
                let kept = max(0, values.kept - bytes)
                let less = max(0, values.kept - MessageBudget.small) - max(0, kept - MessageBudget.small)
                if less > 0 { budget.give(back: less) }
                values.kept = kept
            }
        }

        /// The connection has ended.
        func end() {
            remove(.max)
            values.withLockedValue { $0.isOver = true }
        }
    }
}

/// Counts the bytes of a connection before they are frames: the decoder keeps those of one that is not whole, and says nothing of it.
final class ByteCounter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let share: MessageBudget.Share
    private let state: WebSocketState
    private var isFull = false

    init(share: MessageBudget.Share, state: WebSocketState) {
        self.share = share
        self.state = state
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isFull, share.add(Self.unwrapInboundIn(data).readableBytes) { return context.fireChannelRead(data) }
        // Read on, so that the goodbye is not lost by a reset, but nothing is kept of it.
        isFull = true
        state.end(.close(.init(code: .tryAgainLater, reason: "Too many large messages at once")))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if isFull { context.read() }
    }

    func handlerRemoved(context: ChannelHandlerContext) { share.end() }
}

extension WebSocketFrame {
    /// Its bytes as they came from a client (RFC 6455, section 5.2).
    var wireLength: Int {
        let header = length < 126 ? 2 : length <= 65_535 ? 4 : 10
        return header + (maskKey == nil ? 0 : 4) + length
    }
}
