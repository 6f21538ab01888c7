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
        let frameGuard = FrameGuard(state: state)
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

    private enum Ending: Sendable {
        case close(WebSocketConnection.Close)
        /// No sign of life: there is nobody to say goodbye to.
        case lost
    }

    func run(logger: Logger) async {
        do {
            try await channel.executeThenClose { inbound, outbound in
                let connection = WebSocketConnection(FrameWire(inbound: inbound, outbound: outbound, channel: channel.channel, state: state))
                let ending = await withTaskGroup(of: Ending?.self) { group in
                    group.addTask { await handle(connection, logger: logger) }
                    group.addTask { await heartbeat(outbound) }
                    group.addTask {
                        for await _ in state.closeRequests {}
                        return state.requestedClose.map(Ending.close)
                    }
                    group.addTask { (try? await gracefulShutdown()) == nil ? nil : .close(.init(code: .goingAway)) }
                    // A nil is a task that was cancelled with the whole connection.
                    var ending: Ending?
                    while ending == nil, let next = await group.next() { ending = next }
                    group.cancelAll()
                    return ending
                }
                // A handler that returns because a close was requested has not ended by itself.
                if case .close(let close) = ending { await sayGoodbye(state.requestedClose ?? close, outbound) }
            }
        } catch {
            logger.trace("WebSocket ended", metadata: ["error": "\(error)"])
        }
    }

    private func handle(_ connection: WebSocketConnection, logger: Logger) async -> Ending? {
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

    private func heartbeat(_ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>) async -> Ending? {
        let (interval, grace, clock) = (upgrade.heartbeat.interval, upgrade.heartbeat.grace, upgrade.heartbeat.clock)
        while (try? await clock.sleep(for: interval)) != nil {
            let heard = state.framesHeard
            // Not awaited, and given up with this round: a peer that does not read makes a write wait for as long as it likes.
            async let _: Void? = try? outbound.write(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()))
            guard (try? await clock.sleep(for: grace)) != nil else { return nil }
            if state.framesHeard == heard, state.isWaitingForPeer { return .lost }
        }
        return nil
    }

    private func sayGoodbye(_ close: WebSocketConnection.Close, _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                if !state.hasPeerClosed {
                    try? await outbound.write(.close(close.code, reason: close.reason))
                    channel.channel.eventLoop.execute { frameGuard.value.beginClosing() }
                    try? await channel.channel.closeFuture.get()
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
