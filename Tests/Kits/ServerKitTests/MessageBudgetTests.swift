import NIOCore
import NIOEmbedded
import NIOWebSocket
import TestKit
import Testing

@testable import ServerKit

/// The accounting of a connection's memory, byte by byte.
struct MessageBudgetTests {
    private static let allowance = MessageBudget.allowance
    private let budget = MessageBudget(limit: 50_000)

    /// The pipeline of a WebSocket without a server.
    private final class Pipeline {
        let state = WebSocketState()
        let channel = EmbeddedChannel()
        let wire: FrameWire

        init(_ budget: MessageBudget) throws {
            let usage = MessageBudget.Usage(of: budget)
            wire = FrameWire(channel: channel, state: state, usage: usage)
            try channel.pipeline.syncOperations.addHandlers([
                ByteCounter(usage: usage, state: state), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 100_000)),
                FrameGuard(state: state, heartbeat: .init(), usage: usage),
                NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024, maxAccumulatedFrameSize: 100_000),
                FrameEnd(wire),
            ])
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        }

        func send(_ bytes: some Sequence<UInt8>) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

        /// The code that the connection was closed with.
        var code: WebSocketCloseCode? {
            guard case .close(let close) = state.ending else { return nil }
            return close.code
        }
    }

    private func frame(_ count: Int, opcode: UInt8 = 2, isFinal: Bool = true) -> [UInt8] {
        WebSocketProbe.encode(.init(opcode: opcode, isFinal: isFinal, payload: [UInt8](repeating: 0, count: count)))
    }

    @Test func incompleteFrameCountsAgainstTheBudget() throws {
        let (first, second) = (try Pipeline(budget), try Pipeline(budget))
        try first.send(frame(60_000).dropLast())
        #expect(first.code == nil)
        try second.send(frame(60_000).prefix(Self.allowance))
        #expect(second.code == nil, "within its own allowance")
        try second.send(frame(60_000).dropFirst(Self.allowance))
        #expect(second.code == .tryAgainLater)
        // Only the connection that exceeds the budget is closed.
        try first.send(frame(60_000).suffix(1))
        guard case .message = try first.wire.take() else {
            Issue.record("the message of the other connection has not arrived")
            return
        }
        #expect(first.code == nil)
    }

    @Test func messageCountsUntilItIsProcessed() throws {
        let (first, second) = (try Pipeline(budget), try Pipeline(budget))
        try first.send(frame(60_000))
        _ = try first.wire.take()
        try second.send(frame(60_000))
        #expect(second.code == .tryAgainLater)
        guard case .nothing = try first.wire.take() else {
            Issue.record("a message came twice")
            return
        }
        let third = try Pipeline(budget)
        try third.send(frame(60_000))
        #expect(third.code == nil)
    }

    @Test func endedConnectionReleasesItsBudget() throws {
        for _ in 0..<3 {
            let pipeline = try Pipeline(budget)
            try pipeline.send(frame(30_000, isFinal: false))
            try pipeline.send(frame(30_000, opcode: 0, isFinal: false))
            #expect(pipeline.code == nil)
            _ = try pipeline.channel.finish(acceptAlreadyClosed: true)
        }
    }

    /// A length encoded in more bytes than needed, which RFC 6455, section 5.2, forbids but the decoder accepts.
    @Test func overlongLengthEncodingsLeaveNoResidue() throws {
        let pipeline = try Pipeline(budget)
        let ping: [UInt8] = [0x89, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
        for _ in 0..<10_000 { try pipeline.send(ping) }
        #expect(pipeline.code == nil)
        try pipeline.send(frame(60_000))
        #expect(pipeline.code == nil, "the heads of frames are still counted")
    }

    /// Frame headers and control frames do not accumulate in the accounting.
    @Test func processedFramesLeaveNoResidue() throws {
        let pipeline = try Pipeline(budget)
        for _ in 0..<2000 {
            try pipeline.send(frame(3, opcode: 9) + frame(0, opcode: 10) + frame(7, isFinal: false) + frame(200, opcode: 0))
            guard case .message = try pipeline.wire.take() else {
                Issue.record("no message")
                return
            }
        }
        _ = try pipeline.wire.take()
        #expect(pipeline.code == nil)
        try pipeline.send(frame(60_000))
        #expect(pipeline.code == nil, "small messages are still counted")
    }
}
