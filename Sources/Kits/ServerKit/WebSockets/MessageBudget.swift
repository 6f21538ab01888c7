import NIOCore
import NIOWebSocket
import WireKit

/// The memory limit for large messages, shared by all WebSockets of a server. Counts incomplete messages and those that the service is
/// still processing. A connection that would exceed the limit is closed with 1013 (try again later).
///
/// Small messages never count: each connection has an ``allowance``. Filling the budget therefore blocks large messages only.
final class MessageBudget: Sendable {
    /// Bytes per connection that do not count; the read buffer of a busy connection is as large.
    static let allowance = 16_384

    private let limit: Int
    private let used = Locked(0)

    /// - Parameter limit: Maximum memory in bytes.
    init(limit: Int) { self.limit = limit }

    fileprivate func reserve(_ bytes: Int) -> Bool {
        used.withLock { used in
            guard used + bytes <= limit else { return false }
            used += bytes
            return true
        }
    }

    fileprivate func release(_ bytes: Int) { used.withLock { $0 -= bytes } }

    /// The memory that one connection uses of a budget.
    final class Usage: Sendable {
        private struct Values {
            /// An upper bound of the bytes in the decoder, which does not report the length of a frame's header.
            var decoding = 0
            /// Bytes of complete data frames.
            var held = 0
            var hasDecoded = false
            var hasEnded = false

            /// The bytes that count against the budget.
            var large: Int { max(0, decoding + held - MessageBudget.allowance) }
        }

        private let budget: MessageBudget
        private let values = Locked(Values())

        init(of budget: MessageBudget) { self.budget = budget }

        /// Adds bytes that arrived from the peer.
        ///
        /// - Returns: False when they exceed the budget.
        func add(_ bytes: Int) -> Bool {
            values.withLock { values in
                guard !values.hasEnded else { return true }
                let before = values.large
                values.decoding += bytes
                if values.large == before || budget.reserve(values.large - before) { return true }
                values.decoding -= bytes
                return false
            }
        }

        /// Records that the decoder turned `bytes` into a frame, of which `retained` bytes of payload stay in memory.
        func decoded(_ bytes: Int, keeping retained: Int) {
            change { values in
                values.decoding = max(0, values.decoding - bytes)
                values.held += retained
                values.hasDecoded = true
            }
        }

        /// Records that the decoder has read everything so far. If it completed a frame, it retains at most the last `bytes`.
        func passedOn(_ bytes: Int) {
            change { values in
                if values.hasDecoded { values.decoding = min(values.decoding, bytes) }
                values.hasDecoded = false
            }
        }

        /// Removes payload bytes that the service has processed.
        func remove(_ bytes: Int) { change { $0.held = max(0, $0.held - bytes) } }

        /// Releases everything when the connection has ended.
        func end() { change { $0 = Values(hasEnded: true) } }

        private func change(_ body: (inout Values) -> Void) {
            values.withLock { values in
                guard !values.hasEnded else { return }
                let before = values.large
                body(&values)
                if values.large < before { budget.release(before - values.large) }
            }
        }
    }
}

/// A counter of the bytes before the decoder, which does not report the incomplete frame that it stores.
final class ByteCounter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let usage: MessageBudget.Usage
    private let state: WebSocketState
    private var isFull = false

    init(usage: MessageBudget.Usage, state: WebSocketState) {
        self.usage = usage
        self.state = state
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Self.unwrapInboundIn(data).readableBytes
        if !isFull, usage.add(bytes) {
            context.fireChannelRead(data)
            return usage.passedOn(bytes)
        }
        // Keep reading, so that a reset does not discard the close frame, but store nothing.
        isFull = true
        state.end(.close(.init(code: .tryAgainLater, reason: "Too many large messages at once")))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if isFull { context.read() }
    }

    func handlerRemoved(context: ChannelHandlerContext) { usage.end() }
}

extension WebSocketFrame {
    /// Minimum size of the frame on the network: a client may encode the length in more bytes than needed (RFC 6455, section 5.2).
    var wireLength: Int {
        let header = length < 126 ? 2 : length <= 65_535 ? 4 : 10
        return header + (maskKey == nil ? 0 : 4) + length
    }
}
