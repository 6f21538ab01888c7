import Logging
import NIOCore
import NIOWebSocket
import ServiceLifecycle

/// One upgraded connection, from its first frame to its end.
struct OpenWebSocket: Sendable {
    /// How long the peer may take to answer a close frame.
    private static let closeTimeout: Duration = .seconds(1)

    private let channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>
    private let frameGuard: NIOLoopBound<FrameGuard>
    private let state: WebSocketState
    private let upgrade: WebSocketUpgrade

    /// To be called on the channel's event loop, once NIO has added the frame codec.
    init(channel: any Channel, upgrade: WebSocketUpgrade) throws {
        let state = WebSocketState()
        let frameGuard = FrameGuard(state: state, heartbeat: upgrade.heartbeat)
        try channel.pipeline.syncOperations.addHandlers([
            frameGuard,
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024, maxAccumulatedFrameSize: upgrade.maximumMessageSize),
            FragmentErrors(),
        ])
        self.channel = try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        self.frameGuard = NIOLoopBound(frameGuard, eventLoop: channel.eventLoop)
        self.state = state
        self.upgrade = upgrade
    }

    func run(logger: Logger) async {
        do {
            try await channel.executeThenClose { inbound, outbound in
                let connection = WebSocketConnection(
                    FrameWire(inbound: inbound, outbound: outbound, channel: channel.channel, state: state))
                // Not more than this one task beside our own: what a task needs it keeps, and there are thousands of idle sockets.
                let handling = Task { await handle(connection, logger: logger) }
                state.onEnding { handling.cancel() }
                let returned = await withGracefulShutdownHandler {
                    await withTaskCancellationHandler {
                        await handling.value
                    } onCancel: {
                        handling.cancel()
                    }
                } onGracefulShutdown: {
                    state.end(.close(.init(code: .goingAway)))
                }
                // A handler that returns because it was cancelled has not ended by itself.
                if case .close(let close) = state.ending ?? returned { await sayGoodbye(close, outbound) }
            }
        } catch {
            logger.trace("WebSocket ended", metadata: ["error": "\(error)"])
        }
    }

    /// - Returns: Nil when it was cancelled.
    private func handle(_ connection: WebSocketConnection, logger: Logger) async -> WebSocketState.Ending? {
        do {
            try await upgrade.handler(connection)
            return .close(.init(code: .normal))
        } catch is CancellationError {
            return nil
        } catch {
            // A connection that breaks is everyday; anything else is ours.
            if channel.channel.isActive, !(error is ChannelError), !(error is NIOWebSocketError), !(error is IOError) {
                logger.error("WebSocket handler failed", metadata: ["error": "\(error)"])
            }
            return .close(.init(code: .internalError))
        }
    }

    private func sayGoodbye(_ close: WebSocketConnection.Close, _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let channel = channel.channel
                if state.hasPeerClosed {
                    try? await channel.eventLoop.flatSubmit {
                        frameGuard.value.closeWritten ?? channel.eventLoop.makeSucceededVoidFuture()
                    }.get()
                } else {
                    try? await outbound.write(.close(close.code, reason: close.reason))
                    channel.eventLoop.execute { frameGuard.value.beginClosing() }
                    try? await channel.closeFuture.get()
                }
            }
            group.addTask { try? await Task.sleep(for: Self.closeTimeout) }
            await group.next()
            // The future ends with the channel; closing it lets the other task go.
            channel.channel.close(promise: nil)
            group.cancelAll()
        }
    }
}
