import AsyncAlgorithms
import Foundation
import NIOCore
import NIOWebSocket
import NetworkingKit
import WireKit

/// An open WebSocket. A task reads from it as fast as messages are requested.
final class NIOSocketConnection: SocketConnection {
    private let socket: OpenSocket

    private init(_ socket: OpenSocket) { self.socket = socket }

    deinit { socket.close(.goingAway) }

    static func open(_ channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>) async -> NIOSocketConnection {
        await withCheckedContinuation { ready in
            // The task ends with the channel, which `deinit` or `close(_:)` closes.
            Task {
                // `read` passes the error to the reader of the messages.
                try? await channel.executeThenClose { inbound, outbound in
                    let socket = OpenSocket(channel.channel, outbound)
                    ready.resume(returning: NIOSocketConnection(socket))
                    await socket.read(inbound)
                }
            }
        }
    }

    func receive() async throws -> SocketMessage? {
        var messages = socket.messages.makeAsyncIterator()
        let message = try await messages.next()
        if message == nil { try Task.checkCancellation() }
        return message
    }

    func send(_ message: SocketMessage) async throws {
        switch message {
        case .text(let text): try await socket.write(.text, ByteBuffer(string: text))
        case .data(let data): try await socket.write(.binary, ByteBuffer(bytes: data))
        }
    }

    func ping() async throws { try await socket.ping() }
    func close(_ end: SocketEnd) { socket.close(end) }
    var end: SocketEnd? { socket.end }
}

private final class OpenSocket: Sendable {
    private struct State {
        var end: SocketEnd?
        var pings: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        var lastPing: UInt64 = 0
        var isClosing = false
    }

    /// Maximum time to wait for the peer's close frame.
    private static let closeTimeout: TimeAmount = .seconds(1)
    let messages = AsyncThrowingChannel<SocketMessage, any Error>()
    private let channel: any Channel
    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    private let state = Locked(State())

    init(_ channel: any Channel, _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>) {
        self.channel = channel
        self.outbound = outbound
    }

    var end: SocketEnd? { state.withLock { $0.end } }

    /// Reads until the peer closes or the connection fails.
    func read(_ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>) async {
        do {
            for try await frame in inbound {
                switch frame.opcode {
                case .text: await messages.send(.text(String(buffer: frame.unmaskedData)))
                case .binary: await messages.send(.data(Data(frame.unmaskedData.readableBytesView)))
                case .ping: try await outbound.write(masked(.pong, frame.unmaskedData))
                case .pong: completePing(frame.unmaskedData)
                case .connectionClose:
                    recordClose(frame.unmaskedData)
                    try? await outbound.write(masked(.connectionClose, frame.unmaskedData))
                    return finish(nil)
                default: continue
                }
            }
            finish(TransportError(.ended, "the connection ended without a close frame"))
        } catch {
            finish(TransportError.from(error))
        }
    }

    func write(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer) async throws {
        try Task.checkCancellation()
        guard !state.withLock({ $0.isClosing }) else { throw TransportError(.ended, "the connection is closed") }
        do {
            try await outbound.write(masked(opcode, bytes))
        } catch {
            try Task.checkCancellation()
            throw TransportError.from(error)
        }
    }

    func ping() async throws {
        let number = state.withLock { state in
            state.lastPing += 1
            return state.lastPing
        }
        let channel = channel
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                let isClosed = state.withLock { state in
                    if !state.isClosing { state.pings[number] = waiter }
                    return state.isClosing
                }
                if isClosed { return waiter.resume(throwing: TransportError(.ended, "the connection is closed")) }
                channel.writeAndFlush(masked(.ping, ByteBuffer(integer: number)), promise: nil)
            }
        } onCancel: {
            state.withLock { $0.pings.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }

    private func completePing(_ bytes: ByteBuffer) {
        guard let number = bytes.getInteger(at: bytes.readerIndex, as: UInt64.self) else { return }
        state.withLock { $0.pings.removeValue(forKey: number) }?.resume()
    }

    private func recordClose(_ bytes: ByteBuffer) {
        var bytes = bytes
        // A close frame without a code counts as 1005 (RFC 6455, section 7.1.5).
        let code = bytes.readInteger(as: UInt16.self) ?? 1005
        state.withLock { $0.end = SocketEnd(code, String(buffer: bytes)) }
    }

    func close(_ end: SocketEnd) {
        let isFirst = state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing
        }
        guard isFirst else { return }
        // No reader remains for queued messages.
        messages.finish()
        var bytes = ByteBuffer(integer: end.code)
        bytes.writeString(end.reason)
        let channel = channel
        channel.writeAndFlush(masked(.connectionClose, bytes), promise: nil)
        channel.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
    }

    private func finish(_ error: (any Error)?) {
        // A connection closed by this side ends without an error, whether or not the peer answers.
        let error = state.withLock { $0.isClosing } ? nil : error
        let pings = state.withLock { state in
            state.isClosing = true
            defer { state.pings = [:] }
            return state.pings.values.map { $0 }
        }
        for ping in pings { ping.resume(throwing: TransportError(.ended, "the connection is closed")) }
        if let error { messages.fail(error) } else { messages.finish() }
    }

    private func masked(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: bytes)
    }
}
