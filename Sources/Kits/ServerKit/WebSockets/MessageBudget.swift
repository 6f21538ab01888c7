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
        private struct Values {
            /// Bytes that the decoder has, at most: how long the head of a frame was is not said.
            var decoding = 0
            /// Of data that came whole.
            var held = 0
            var hasDecoded = false
            var isOver = false

            /// What counts.
            var large: Int { max(0, decoding + held - MessageBudget.small) }
        }

        private let budget: MessageBudget
        private let values = NIOLockedValueBox(Values())

        init(of budget: MessageBudget) { self.budget = budget }

        /// Bytes that come.
        ///
        /// - Returns: Whether there is room.
        func add(_ bytes: Int) -> Bool {
            values.withLockedValue { values in
                guard !values.isOver else { return true }
                let before = values.large
                values.decoding += bytes
                if values.large == before || budget.take(values.large - before) { return true }
                values.decoding -= bytes
                return false
            }
        }

        /// So many of them were a frame, and so many of those are kept.
        func decoded(_ bytes: Int, keeping kept: Int) {
            change { values in
                values.decoding = max(0, values.decoding - bytes)
                values.held += kept
                values.hasDecoded = true
            }
        }

        /// All that came is with the decoder: if it found the end of a frame, then it has no more than these last bytes.
        func passedOn(_ bytes: Int) {
            change { values in
                if values.hasDecoded { values.decoding = min(values.decoding, bytes) }
                values.hasDecoded = false
            }
        }

        /// The service has done with bytes that were kept.
        func remove(_ bytes: Int) { change { $0.held = max(0, $0.held - bytes) } }

        /// The connection has ended.
        func end() { change { $0 = Values(isOver: true) } }

        private func change(_ body: (inout Values) -> Void) {
            values.withLockedValue { values in
                guard !values.isOver else { return }
                let before = values.large
                body(&values)
                if values.large < before { budget.give(back: before - values.large) }
            }
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
        let bytes = Self.unwrapInboundIn(data).readableBytes
        if !isFull, share.add(bytes) {
            context.fireChannelRead(data)
            return share.passedOn(bytes)
        }
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
    /// Its bytes as they came from a client, at least: a length may be written longer than it has to be (RFC 6455, section 5.2).
    var wireLength: Int {
        let header = length < 126 ? 2 : length <= 65_535 ? 4 : 10
        return header + (maskKey == nil ? 0 : 4) + length
    }
}
