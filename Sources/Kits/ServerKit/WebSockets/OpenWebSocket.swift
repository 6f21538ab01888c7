import Logging
import NIOCore
import NIOWebSocket
import WireKit

/// One WebSocket connection, from its first frame to its end. Has no task while it is idle.
final class OpenWebSocket: Sendable {
    /// The time limit for the peer's answer to a close frame.
    private static let closeTimeout: TimeAmount = .seconds(1)

    private let channel: any Channel
    private let frameGuard: NIOLoopBound<FrameGuard>
    private let state: WebSocketState
    private let wire: FrameWire
    private let session: any WebSocketSession

    /// Must be called on the channel's event loop, after NIO has added the frame codec.
    init(channel: any Channel, upgrade: WebSocketUpgrade, budget: MessageBudget) throws {
        let state = WebSocketState()
        let usage = MessageBudget.Usage(of: budget)
        let frameGuard = FrameGuard(state: state, heartbeat: upgrade.heartbeat, usage: usage)
        let wire = FrameWire(channel: channel, state: state, usage: usage)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(
            ByteCounter(usage: usage, state: state),
            position: .before(pipeline.handler(type: ByteToMessageHandler<WebSocketFrameDecoder>.self)))
        try pipeline.addHandlers([
            frameGuard,
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024, maxAccumulatedFrameSize: upgrade.maximumMessageSize),
            FrameEnd(wire),
        ])
        self.channel = channel
        self.frameGuard = NIOLoopBound(frameGuard, eventLoop: channel.eventLoop)
        self.state = state
        self.wire = wire
        session = upgrade.session
    }

    /// - Parameter onEnded: Called once the connection is closed and its session has ended.
    func start(logger: Logger, onEnded: @escaping @Sendable () -> Void) {
        let work = WebSocketWork { [channel, state] error in
            // Cancellation has its own reason, recorded before; `abort` counts only without one.
            if error is CancellationError { return state.end(.abort) }
            // Connection failures and protocol violations are expected. Anything else is a defect of the service.
            if channel.isActive, !(error is ChannelError), !(error is NIOWebSocketError), !(error is IOError),
                !(error is NIOWebSocketFrameAggregator.Error)
            {
                logger.error("WebSocket handler failed", metadata: ["error": "\(error)"])
            }
            state.end(.close(.init(code: .internalError)))
        }
        let connection = WebSocketConnection(wire, work: work)
        state.onEnding {
            work.end {
                await self.session.closed()
                await self.close()
                onEnded()
            }
        }
        work.start {
            try await self.session.opened(connection)
            try await self.processMessages(connection)
        }
    }

    func end(_ ending: WebSocketState.Ending) { state.end(ending) }

    /// Closes the connection without a closing handshake, or cuts the handshake short.
    func abandon() {
        state.end(.abort)
        channel.close(promise: nil)
    }

    /// Delivers all available messages to the session; runs again when there are more.
    private func processMessages(_ connection: WebSocketConnection) async throws {
        // Messages after the end of the connection are dropped.
        while state.ending == nil {
            switch try wire.take() {
            case .message(let message): try await session.received(message, on: connection)
            case .end: return connection.close(.normal)
            case .nothing: return wire.onInput { connection.start { try await self.processMessages(connection) } }
            }
        }
    }

    private func close() async {
        if case .close(let close) = state.ending {
            let deadline = channel.eventLoop.scheduleTask(in: Self.closeTimeout) { [channel] in channel.close(promise: nil) }
            await performClosingHandshake(close)
            deadline.cancel()
        }
        channel.close(promise: nil)
        try? await channel.closeFuture.get()
    }

    private func performClosingHandshake(_ close: WebSocketConnection.Close) async {
        if state.hasPeerClosed {
            // Wait until the answer, and so everything before it, has been written.
            try? await channel.eventLoop.flatSubmit { [frameGuard, channel] in
                frameGuard.value.closeWritten ?? channel.eventLoop.makeSucceededVoidFuture()
            }.get()
        } else {
            wire.enqueue(.close(close.code, reason: close.reason))
            channel.eventLoop.execute { [frameGuard] in frameGuard.value.beginClosing() }
            try? await channel.closeFuture.get()
        }
    }
}

/// The open WebSockets of a server. They belong to none of its tasks, so the server closes them and waits for them.
final class OpenWebSockets: Sendable {
    private struct Values {
        var sockets: [ObjectIdentifier: OpenWebSocket] = [:]
        var isClosing = false
        var onEmpty: CheckedContinuation<Void, Never>?
    }

    private let values = Locked(Values())

    func start(_ socket: OpenWebSocket, logger: Logger) {
        let isClosing = values.withLock { values in
            values.sockets[ObjectIdentifier(socket)] = socket
            return values.isClosing
        }
        socket.start(logger: logger) { self.remove(socket) }
        if isClosing { socket.end(.close(.init(code: .goingAway))) }
    }

    private func remove(_ socket: OpenWebSocket) {
        let onEmpty = values.withLock { values -> CheckedContinuation<Void, Never>? in
            values.sockets[ObjectIdentifier(socket)] = nil
            guard values.sockets.isEmpty else { return nil }
            defer { values.onEmpty = nil }
            return values.onEmpty
        }
        onEmpty?.resume()
    }

    /// Closes all connections, also those that open later, with 1001 (going away).
    func end() {
        let sockets = values.withLock { values in
            values.isClosing = true
            return Array(values.sockets.values)
        }
        for socket in sockets { socket.end(.close(.init(code: .goingAway))) }
    }

    /// Closes all connections without a closing handshake.
    func abandon() {
        for socket in values.withLock({ Array($0.sockets.values) }) { socket.abandon() }
    }

    /// Waits until no connection is open. Call it once, when no more connections can open.
    func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = values.withLock { values in
                if !values.sockets.isEmpty { values.onEmpty = continuation }
                return values.sockets.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }
}
