import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOWebSocket

/// One upgraded connection, from its first frame to its end. Nothing of it runs while nothing happens.
final class OpenWebSocket: Sendable {
    /// How long the peer may take to answer a close frame.
    private static let closeTimeout: TimeAmount = .seconds(1)

    private let channel: any Channel
    private let frameGuard: NIOLoopBound<FrameGuard>
    private let state: WebSocketState
    private let wire: FrameWire
    private let session: any WebSocketSession

    /// To be called on the channel's event loop, once NIO has added the frame codec.
    init(channel: any Channel, upgrade: WebSocketUpgrade, budget: MessageBudget) throws {
        let state = WebSocketState()
        let share = MessageBudget.Share(of: budget)
        let frameGuard = FrameGuard(state: state, heartbeat: upgrade.heartbeat, share: share)
        let wire = FrameWire(channel: channel, state: state, share: share)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(
            ByteCounter(share: share, state: state),
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
            // Whoever cancelled it knows why.
            if error is CancellationError { return state.end(.lost) }
            // A connection that breaks, or a peer that breaks the protocol, is everyday; anything else is ours.
            if channel.isActive, !(error is ChannelError), !(error is NIOWebSocketError), !(error is IOError),
                !(error is NIOWebSocketFrameAggregator.Error)
            {
                logger.error("WebSocket handler failed", metadata: ["error": "\(error)"])
            }
            state.end(.close(.init(code: .internalError)))
        }
        let connection = WebSocketConnection(wire, work: work)
        state.onEnding {
            Task {
                await work.end()
                await self.session.closed()
                await self.close()
                onEnded()
            }
        }
        work.start {
            try await self.session.opened(connection)
            try await self.takeMessages(connection)
        }
    }

    func end(_ ending: WebSocketState.Ending) { state.end(ending) }

    /// Ends it without a goodbye, or cuts the goodbye short.
    func abandon() {
        state.end(.lost)
        channel.close(promise: nil)
    }

    /// Hands over what there is, and is called again when there is more.
    private func takeMessages(_ connection: WebSocketConnection) async throws {
        // What comes once it is to end is for nobody.
        while state.ending == nil {
            switch try wire.take() {
            case .message(let message): try await session.received(message, on: connection)
            case .end: return connection.close(.normal)
            case .nothing: return wire.onNews { connection.start { try await self.takeMessages(connection) } }
            }
        }
    }

    private func close() async {
        if case .close(let close) = state.ending {
            let deadline = channel.eventLoop.scheduleTask(in: Self.closeTimeout) { [channel] in channel.close(promise: nil) }
            await sayGoodbye(close)
            deadline.cancel()
        }
        channel.close(promise: nil)
        try? await channel.closeFuture.get()
    }

    private func sayGoodbye(_ close: WebSocketConnection.Close) async {
        if state.hasPeerClosed {
            // The answer, and so everything before it, is with the network then.
            try? await channel.eventLoop.flatSubmit { [frameGuard, channel] in
                frameGuard.value.closeWritten ?? channel.eventLoop.makeSucceededVoidFuture()
            }.get()
        } else {
            wire.handOver(.close(close.code, reason: close.reason))
            channel.eventLoop.execute { [frameGuard] in frameGuard.value.beginClosing() }
            try? await channel.closeFuture.get()
        }
    }
}

/// The WebSockets of a server. They belong to no task of it, so it has to end them, and to wait for them.
final class OpenWebSockets: Sendable {
    private struct Values {
        var sockets: [ObjectIdentifier: OpenWebSocket] = [:]
        var isEnding = false
        var onNone: CheckedContinuation<Void, Never>?
    }

    private let values = NIOLockedValueBox(Values())

    func start(_ socket: OpenWebSocket, logger: Logger) {
        let isEnding = values.withLockedValue { values in
            values.sockets[ObjectIdentifier(socket)] = socket
            return values.isEnding
        }
        socket.start(logger: logger) { self.remove(socket) }
        if isEnding { socket.end(.close(.init(code: .goingAway))) }
    }

    private func remove(_ socket: OpenWebSocket) {
        let onNone = values.withLockedValue { values -> CheckedContinuation<Void, Never>? in
            values.sockets[ObjectIdentifier(socket)] = nil
            guard values.sockets.isEmpty else { return nil }
            defer { values.onNone = nil }
            return values.onNone
        }
        onNone?.resume()
    }

    /// Says goodbye to all of them, and to those that come.
    func end() {
        let sockets = values.withLockedValue { values in
            values.isEnding = true
            return Array(values.sockets.values)
        }
        for socket in sockets { socket.end(.close(.init(code: .goingAway))) }
    }

    func abandon() {
        for socket in values.withLockedValue({ Array($0.sockets.values) }) { socket.abandon() }
    }

    /// Waits until there are none. To be called once, when no more come.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isNone = values.withLockedValue { values in
                if !values.sockets.isEmpty { values.onNone = continuation }
                return values.sockets.isEmpty
            }
            if isNone { continuation.resume() }
        }
    }
}
