import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import ServerKit

/// The timing of the heartbeat, on an embedded event loop.
struct HeartbeatTests {
    private let state = WebSocketState()
    private let channel = EmbeddedChannel()

    init() throws {
        let frameGuard = FrameGuard(
            state: state, heartbeat: .init(interval: .seconds(30), pingTimeout: .seconds(10)),
            usage: .init(of: MessageBudget(limit: .max)))
        try channel.pipeline.syncOperations.addHandler(frameGuard)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    private func sentOpcode() throws -> WebSocketOpcode? { try channel.readOutbound(as: WebSocketFrame.self)?.opcode }

    private func receive(_ opcode: WebSocketOpcode) throws {
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: opcode, maskKey: [1, 2, 3, 4], data: ByteBuffer()))
        // The service's reader requests the next read.
        channel.read()
    }

    @Test func silentPeerIsPingedThenClosed() throws {
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(try sentOpcode() == nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try sentOpcode() == .ping)
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        guard case .abort = state.ending else { throw NotAborted() }
    }

    private struct NotAborted: Error {}

    @Test(arguments: [WebSocketOpcode.pong, .text, .ping]) func anyFrameKeepsTheConnectionOpen(_ opcode: WebSocketOpcode) throws {
        for _ in 0..<5 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(30))
            #expect(try sentOpcode() == .ping)
            try receive(opcode)
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            #expect(channel.isActive && state.ending == nil)
            // The reply to the peer's own ping.
            if opcode == .ping { #expect(try sentOpcode() == .pong) }
        }
    }

    @Test func framesBeforeThePingDoNotCount() throws {
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        try receive(.pong)
        channel.embeddedEventLoop.advanceTime(by: .seconds(11))
        #expect(!channel.isActive)
    }

    /// The channel is not writable, so no ping is sent; progress in writing proves that the peer is alive.
    @Test func readingPeerStaysConnectedWithoutAnsweringPings() throws {
        let context = try channel.pipeline.syncOperations.context(handlerType: FrameGuard.self)
        channel.isWritable = false
        for _ in 0..<3 {
            context.write(NIOAny(ByteBuffer(repeating: 0, count: 1000)), promise: nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(30))
            // The network accepts the data.
            context.flush()
            _ = try channel.readOutbound(as: ByteBuffer.self)
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            #expect(channel.isActive && state.ending == nil)
        }
        context.write(NIOAny(ByteBuffer(repeating: 0, count: 1000)), promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        #expect(!channel.isActive)
    }

    /// While the service does not read, silence is no evidence.
    @Test func silenceDoesNotCountWhileTheServiceIsBehind() throws {
        channel.pipeline.fireChannelReadComplete()
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        #expect(channel.isActive)
        channel.read()
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        #expect(!channel.isActive)
    }

    @Test func violationAfterTheCloseFrameGetsNoSecondOne() throws {
        channel.writeAndFlush(WebSocketFrame.close(.normal, reason: ""), promise: nil)
        #expect(try sentOpcode() == .connectionClose)
        // A client must mask its frames.
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer()))
        #expect(try sentOpcode() == nil)
        #expect(!channel.isActive)
    }
}
