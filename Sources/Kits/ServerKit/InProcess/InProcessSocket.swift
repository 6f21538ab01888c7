import AsyncAlgorithms
import Foundation
import NIOCore
import NIOFoundationCompat
import NetworkingKit
import WireKit

/// Both ends of a WebSocket within one process. Each message is delivered when the receiver reads.
final class InProcessSocket: SocketConnection {
    private let wire: InProcessWire

    init(_ upgrade: WebSocketUpgrade, maximumMessageSize: Int) {
        let wire = InProcessWire(maximumUpSize: upgrade.maximumMessageSize, maximumDownSize: maximumMessageSize)
        self.wire = wire
        let session = upgrade.session
        let work = WebSocketWork { _ in wire.end(.init(code: .internalError)) }
        let connection = WebSocketConnection(wire, work: work)
        wire.onEnd { work.end { await session.closed() } }
        work.start {
            try await session.opened(connection)
            for try await message in connection.messages { try await session.received(message, on: connection) }
            wire.end(.init(code: .normal))
        }
    }

    deinit { wire.leave() }

    func receive() async throws -> SocketMessage? {
        var messages = wire.down.makeAsyncIterator()
        let message = try await messages.next()
        if message == nil { try Task.checkCancellation() }
        return message
    }

    func send(_ message: SocketMessage) async throws {
        try Task.checkCancellation()
        guard wire.isOpen else { throw TransportError(.ended, "the connection is closed") }
        let (carried, size): (WebSocketMessage, Int) =
            switch message {
            case .text(let text): (.text(text), text.utf8.count)
            case .data(let data): (.binary(ByteBuffer(data: data)), data.count)
            }
        if size > wire.maximumUpSize { return wire.end(.init(code: .messageTooBig)) }
        await wire.up.send(carried)
    }

    func ping() async throws {
        try Task.checkCancellation()
        guard wire.isOpen else { throw TransportError(.ended, "the connection is closed") }
    }

    func close(_ end: SocketEnd) { wire.leave() }

    var end: SocketEnd? { wire.ending.map { SocketEnd($0.code.rawValue, $0.reason) } }
}

/// The service's end of an ``InProcessSocket``.
private final class InProcessWire: WebSocketWire {
    private struct State {
        var ending: WebSocketConnection.Close?
        var hasLeft = false
        var onEnd: (@Sendable () -> Void)?
        var posted: [String] = []
        var postedBytes = 0
        /// The task that sends the posted messages in order; nil when none is queued.
        var posting: Task<Void, Never>?
    }

    /// Messages to the service.
    let up = AsyncChannel<WebSocketMessage>()
    /// Messages from the service.
    let down = AsyncThrowingChannel<SocketMessage, any Error>()
    let maximumUpSize: Int
    private let maximumDownSize: Int
    private let state = Locked(State())

    init(maximumUpSize: Int, maximumDownSize: Int) {
        self.maximumUpSize = maximumUpSize
        self.maximumDownSize = maximumDownSize
    }

    var isOpen: Bool { state.withLock { $0.ending == nil && !$0.hasLeft } }
    /// The close code and reason of the service; nil while it has not closed.
    var ending: WebSocketConnection.Close? { state.withLock { $0.ending } }

    /// Sets the callback for the end of the connection. Must be called before the wire is shared.
    func onEnd(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = body } }

    /// Ends the connection on behalf of the service. The first close code wins.
    func end(_ close: WebSocketConnection.Close) {
        let onEnd = state.withLock { state in
            if state.ending == nil { state.ending = close }
            defer { state.onEnd = nil }
            return state.onEnd
        }
        up.finish()
        down.finish()
        onEnd?()
    }

    /// Ends the connection on behalf of the client: finishes the service's messages and cancels its work.
    func leave() {
        let onEnd = state.withLock { state in
            state.hasLeft = true
            defer { state.onEnd = nil }
            return state.onEnd
        }
        up.finish()
        down.finish()
        onEnd?()
    }

    // MARK: The service's side

    func makeReader() -> (@concurrent () async throws -> WebSocketMessage?) {
        var messages = up.makeAsyncIterator()
        return {
            let message = await messages.next()
            if message == nil { try Task.checkCancellation() }
            return message
        }
    }

    func write(_ message: WebSocketMessage) async throws {
        try Task.checkCancellation()
        guard isOpen else { throw ChannelError.outputClosed }
        let (carried, size): (SocketMessage, Int) =
            switch message {
            case .text(let text): (.text(text), text.utf8.count)
            case .binary(let bytes): (.data(Data(buffer: bytes)), bytes.readableBytes)
            }
        guard size <= maximumDownSize else {
            down.fail(TransportError(.tooLarge, "a message of \(size) bytes"))
            throw ChannelError.outputClosed
        }
        await down.send(carried)
    }

    func post(_ text: String) -> Bool {
        let size = text.utf8.count
        return state.withLock { state in
            guard state.ending == nil, !state.hasLeft else { return false }
            guard state.posted.isEmpty || state.postedBytes + size <= WebSocketConnection.maximumPosted else { return false }
            state.posted.append(text)
            state.postedBytes += size
            // The task ends with the connection: `finish()` resumes a pending send.
            if state.posting == nil { state.posting = Task { await self.sendPosted() } }
            return true
        }
    }

    private func sendPosted() async {
        // The message that is being sent stays in the queue, and counts.
        while let text = state.withLock({ state in
            if state.posted.isEmpty { state.posting = nil }
            return state.posted.first
        }) {
            let size = text.utf8.count
            if size <= maximumDownSize {
                await down.send(.text(text))
            } else {
                down.fail(TransportError(.tooLarge, "a message of \(size) bytes"))
            }
            state.withLock { state in
                state.posted.removeFirst()
                state.postedBytes -= size
            }
        }
    }

    func close(_ close: WebSocketConnection.Close) { end(close) }
}
