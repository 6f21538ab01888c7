import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing
import WireKit

@testable import ServerKit

/// The queues of a ``FrameWire``, on an embedded event loop.
struct FrameWireTests {
    private let state = WebSocketState()
    private let channel = EmbeddedChannel()
    private let reads = Reads()
    private let wire: FrameWire

    init() throws {
        wire = FrameWire(channel: channel, state: state, usage: .init(of: MessageBudget(limit: .max)))
        try channel.pipeline.syncOperations.addHandlers([reads, FrameEnd(wire)])
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    /// Counts reads from the network.
    private final class Reads: ChannelDuplexHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundIn = WebSocketFrame
        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    private func receive(_ text: String) throws {
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
    }

    private func taken() throws -> String? {
        guard case .message(.text(let text)) = try wire.take() else { return nil }
        return text
    }

    private func written() throws -> WebSocketFrame? { try channel.readOutbound(as: WebSocketFrame.self) }

    @Test func readingResumesWhenTheServiceCatchesUp() throws {
        for number in 0..<10 {
            let before = reads.count
            channel.read()
            #expect(reads.count == before + 1)
            try receive("\(number)")
        }
        let before = reads.count
        channel.read()
        #expect(reads.count == before, "ten wait already")
        for number in 0..<7 { #expect(try taken() == "\(number)") }
        #expect(reads.count == before)
        #expect(try taken() == "7")
        #expect(reads.count == before + 1)
        for number in 8..<10 { #expect(try taken() == "\(number)") }
        #expect(try taken() == nil)
        #expect(reads.count == before + 1, "what is asked for already is not asked for again")
    }

    @Test func inputCallbackRunsOnceWhenInputArrives() throws {
        let calls = Locked(0)
        wire.onInput { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 0)
        try receive("a")
        try receive("b")
        #expect(calls.withLock { $0 } == 1)
        #expect(try taken() == "a")
        wire.onInput { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 2, "b is there already")
        #expect(try taken() == "b")
        wire.onInput { calls.withLock { $0 += 1 } }
        channel.pipeline.fireChannelInactive()
        #expect(calls.withLock { $0 } == 3)
        guard case .end = try wire.take() else {
            Issue.record("a connection that is gone has not ended")
            return
        }
    }

    @Test func closeIsAnsweredAfterEarlierMessagesAreTaken() throws {
        try receive("last words")
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: .connectionClose, data: ByteBuffer(integer: UInt16(1000))))
        channel.embeddedEventLoop.run()
        #expect(try written() == nil)
        #expect(try taken() == "last words")
        #expect(wire.post("an answer"))
        for _ in 0..<2 {
            guard case .end = try wire.take() else {
                Issue.record("no end after a close frame")
                return
            }
        }
        #expect(state.hasPeerClosed)
        channel.embeddedEventLoop.run()
        #expect(try written()?.opcode == .text)
        #expect(try written()?.opcode == .connectionClose)
        #expect(try written() == nil)
    }

    @Test func queuedMessagesAreWrittenInOrder() throws {
        for number in 0..<5 { #expect(wire.post("\(number)")) }
        #expect(try written() == nil, "the loop has not had its turn")
        channel.embeddedEventLoop.run()
        for number in 0..<5 { #expect(try written()?.data == ByteBuffer(string: "\(number)")) }
        #expect(try written() == nil)
    }

    @Test func postedBytesAreBounded() throws {
        let half = String(repeating: "x", count: WebSocketConnection.maximumPosted / 2)
        #expect(wire.post(half) && wire.post(half))
        #expect(!wire.post("x"))
        channel.embeddedEventLoop.run()
        #expect(wire.post("x"))
        channel.embeddedEventLoop.run()
        #expect(wire.post(half + half + "x"), "a single one may be of any size")
        #expect(!wire.post("x"))
    }
}
