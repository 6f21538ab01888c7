import NIOCore
import NIOEmbedded
import NIOWebSocket
import TestKit
import Testing

@testable import ServerKit

/// What a connection has of the budget, byte by byte.
struct MessageBudgetTests {
    private static let small = MessageBudget.small
    private let budget = MessageBudget(limit: 50_000)

    /// The pipeline of a WebSocket, without a server.
    private final class Line {
        let state = WebSocketState()
        let channel = EmbeddedChannel()
        let wire: FrameWire

        init(_ budget: MessageBudget) throws {
            let share = MessageBudget.Share(of: budget)
            wire = FrameWire(channel: channel, state: state, share: share)
            try channel.pipeline.syncOperations.addHandlers([
                ByteCounter(share: share, state: state), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 100_000)),
                FrameGuard(state: state, heartbeat: .init(), share: share),
                NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024, maxAccumulatedFrameSize: 100_000),
                FrameEnd(wire),
            ])
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        }

        func send(_ bytes: some Sequence<UInt8>) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

        /// The code that it is closed with.
        var code: WebSocketCloseCode? {
            guard case .close(let close) = state.ending else { return nil }
            return close.code
        }
    }

    private func frame(_ count: Int, opcode: UInt8 = 2, isFinal: Bool = true) -> [UInt8] {
        WebSocketProbe.encode(.init(opcode: opcode, isFinal: isFinal, payload: [UInt8](repeating: 0, count: count)))
    }

    @Test func aLongFrameCountsWhileItComes() throws {
        let (first, second) = (try Line(budget), try Line(budget))
        try first.send(frame(60_000).dropLast())
        #expect(first.code == nil)
        try second.send(frame(60_000).prefix(Self.small))
        #expect(second.code == nil, "a little is everybody's")
        try second.send(frame(60_000).dropFirst(Self.small))
        #expect(second.code == .tryAgainLater)
        // Only the one who goes past it.
        try first.send(frame(60_000).suffix(1))
        guard case .message = try first.wire.take() else {
            Issue.record("the message of the other has not arrived")
            return
        }
        #expect(first.code == nil)
    }

    @Test func aMessageCountsUntilTheServiceHasDoneWithIt() throws {
        let (first, second) = (try Line(budget), try Line(budget))
        try first.send(frame(60_000))
        _ = try first.wire.take()
        try second.send(frame(60_000))
        #expect(second.code == .tryAgainLater)
        guard case .nothing = try first.wire.take() else {
            Issue.record("a message came twice")
            return
        }
        let third = try Line(budget)
        try third.send(frame(60_000))
        #expect(third.code == nil)
    }

    @Test func whoEndsGivesEverythingBack() throws {
        for _ in 0..<3 {
            let line = try Line(budget)
            try line.send(frame(30_000, isFinal: false))
            try line.send(frame(30_000, opcode: 0, isFinal: false))
            #expect(line.code == nil)
            _ = try line.channel.finish(acceptAlreadyClosed: true)
        }
    }

    /// Allowed nowhere, but read: a length in more bytes than it needs (RFC 6455, section 5.2).
    @Test func aLengthInMoreBytesThanItNeedsAddsUpToNothing() throws {
        let line = try Line(budget)
        let ping: [UInt8] = [0x89, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]
        for _ in 0..<10_000 { try line.send(ping) }
        #expect(line.code == nil)
        try line.send(frame(60_000))
        #expect(line.code == nil, "the heads of frames are still counted")
    }

    /// Whatever a connection sends, with all its heads and all that is for nobody: nothing of it stays counted.
    @Test func nothingIsLeftOfWhatHasBeenDoneWith() throws {
        let line = try Line(budget)
        for _ in 0..<2000 {
            try line.send(frame(3, opcode: 9) + frame(0, opcode: 10) + frame(7, isFinal: false) + frame(200, opcode: 0))
            guard case .message = try line.wire.take() else {
                Issue.record("no message")
                return
            }
        }
        _ = try line.wire.take()
        #expect(line.code == nil)
        try line.send(frame(60_000))
        #expect(line.code == nil, "what was small is still counted")
    }
}
