import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import ServerKit

/// The times of a heartbeat, on a loop whose clock stands still.
struct HeartbeatTests {
    private let state = WebSocketState()
    private let channel = EmbeddedChannel()

    init() throws {
        let frameGuard = FrameGuard(
            state: state, heartbeat: .init(interval: .seconds(30), grace: .seconds(10)),
            share: .init(of: MessageBudget(limit: .max)))
        try channel.pipeline.syncOperations.addHandler(frameGuard)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    private func sentOpcode() throws -> WebSocketOpcode? { try channel.readOutbound(as: WebSocketFrame.self)?.opcode }

    private func hear(_ opcode: WebSocketOpcode) throws {
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: opcode, maskKey: [1, 2, 3, 4], data: ByteBuffer()))
        // As the service's reader does.
        channel.read()
    }

    @Test func aPeerIsAskedEvery30SecondsAndHas10() throws {
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(try sentOpcode() == nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try sentOpcode() == .ping)
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        guard case .lost = state.ending else { throw NotLost() }
    }

    private struct NotLost: Error {}

    @Test(arguments: [WebSocketOpcode.pong, .text, .ping]) func aPeerThatSaysAnythingStays(_ opcode: WebSocketOpcode) throws {
        for _ in 0..<5 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(30))
            #expect(try sentOpcode() == .ping)
            try hear(opcode)
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            #expect(channel.isActive && state.ending == nil)
            // The answer to its ping.
            if opcode == .ping { #expect(try sentOpcode() == .pong) }
        }
    }

    @Test func whatWasHeardBeforeThePingDoesNotCount() throws {
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        try hear(.pong)
        channel.embeddedEventLoop.advanceTime(by: .seconds(11))
        #expect(!channel.isActive)
    }

    /// It could not be asked: the question would stand behind what it has not read.
    @Test func aPeerThatIsStillReadingWhatItWasSentIsThere() throws {
        let context = try channel.pipeline.syncOperations.context(handlerType: FrameGuard.self)
        channel.isWritable = false
        for _ in 0..<3 {
            context.write(NIOAny(ByteBuffer(repeating: 0, count: 1000)), promise: nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(30))
            // The network takes it.
            context.flush()
            _ = try channel.readOutbound(as: ByteBuffer.self)
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            #expect(channel.isActive && state.ending == nil)
        }
        context.write(NIOAny(ByteBuffer(repeating: 0, count: 1000)), promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        #expect(!channel.isActive)
    }

    /// A service that is behind with reading cannot tell.
    @Test func aPeerIsNotJudgedWhileNobodyReads() throws {
        channel.pipeline.fireChannelReadComplete()
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        #expect(channel.isActive)
        channel.read()
        channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        #expect(!channel.isActive)
    }
}
