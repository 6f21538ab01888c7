/// The runner of one line: performs the actions of a ``Line`` with real connections and a real clock.
package actor LineRunner<Incoming: Sendable, Outgoing: Sendable> {
    package typealias Connection = any LineConnection<Incoming, Outgoing>

    private let connect: @Sendable () async throws -> Connection
    private let keepalive: @Sendable () async -> Outgoing?
    private let clock: any Clock<Duration>
    private let heartbeatInterval: Duration
    private let pingTimeout: Duration

    private var line: Line
    private let elapsed: @Sendable () -> Duration
    private let events: AsyncStream<Line.Event>
    private let eventQueue: AsyncStream<Line.Event>.Continuation
    private let outgoing: AsyncStream<Outgoing>
    private let outgoingQueue: AsyncStream<Outgoing>.Continuation
    private var connection: Connection?
    /// The reader of the newest connection. It begins when the previous reader has ended, so that one message is handled at a time.
    private var reading: Task<Void, Never>?
    private var waiting: Task<Void, Never>?
    private var probing: Task<Void, Never>?
    /// True while a message is handled. Nothing is read meanwhile, pongs included, so the connection is not probed.
    private var isHandling = false

    /// - Parameters:
    ///   - heartbeatInterval: Time between two pings on an open connection.
    ///   - pingTimeout: Maximum time for the peer's answer to a ping.
    ///   - keepalive: Returns the message to send at each heartbeat; nil for none.
    ///   - connect: Opens a connection, with the newest cursor and token. Called for each attempt.
    package init(
        line: Line = Line(), clock: any Clock<Duration> = ContinuousClock(), heartbeatInterval: Duration = .seconds(30),
        pingTimeout: Duration = .seconds(10), keepalive: @escaping @Sendable () async -> Outgoing? = { nil },
        connect: @escaping @Sendable () async throws -> Connection
    ) {
        self.line = line
        self.clock = clock
        self.heartbeatInterval = heartbeatInterval
        self.pingTimeout = pingTimeout
        self.keepalive = keepalive
        self.connect = connect
        elapsed = stopwatch(clock)
        (events, eventQueue) = AsyncStream.makeStream(of: Line.Event.self)
        (outgoing, outgoingQueue) = AsyncStream.makeStream(
            of: Outgoing.self, bufferingPolicy: .bufferingOldest(Self.maximumQueueCount))
    }

    /// Maximum messages that wait to be written.
    private static var maximumQueueCount: Int { 1000 }

    /// Opens the line and keeps it open until ``end()``, a final failure, or the task's cancellation. To be called once.
    ///
    /// - Parameters:
    ///   - onState: Called for each change.
    ///   - onMessage: Handles one message after the other. An error that it throws ends the connection, and the line reconnects.
    /// - Returns: The failure that ended the line; nil after ``end()`` or cancellation. No handler runs after the return.
    package func run(
        onState: @escaping @Sendable (Line.State) async -> Void, onMessage: @escaping @Sendable (Incoming) async throws -> Void
    ) async -> LineFailure? {
        eventQueue.yield(.start)
        // A message that cannot be written is dropped, because it is useless on another connection.
        let writing = Task { for await message in outgoing { try? await send(message) } }
        defer { writing.cancel() }
        var failure: LineFailure?
        await withTaskCancellationHandler {
            for await event in events {
                let before = line.state
                for action in line.handle(event, at: elapsed()) { perform(action, onMessage) }
                if line.state != before { await onState(line.state) }
                if case .closed(let reason) = line.state {
                    failure = reason
                    break
                }
            }
        } onCancel: {
            eventQueue.finish()
        }
        disconnect()
        waiting?.cancel()
        await reading?.value
        return failure
    }

    /// Retries or probes now. Called when the app has come to the front, or the network has changed.
    package nonisolated func wake() { eventQueue.yield(.wake) }
    package nonisolated func end() { eventQueue.yield(.end) }

    /// Enqueues a message, without waiting for the write.
    ///
    /// Has no effect while the line is down, or while the queue is full because the peer does not read.
    package nonisolated func enqueue(_ message: Outgoing) { outgoingQueue.yield(message) }

    /// Writes a message on the open connection.
    ///
    /// - Throws: ``TransportError`` if there is no connection, or it breaks.
    package func send(_ message: Outgoing) async throws {
        guard let connection else { throw TransportError(.ended, "the line is down") }
        try await connection.send(message)
    }

    private func perform(_ action: Line.Action, _ onMessage: @escaping @Sendable (Incoming) async throws -> Void) {
        switch action {
        case .connect(let attempt):
            disconnect()
            let earlier = reading
            reading = Task {
                await earlier?.value
                guard !Task.isCancelled else { return }
                await self.hold(attempt, onMessage)
            }
        case .disconnect: disconnect()
        case .wait(let delay, let attempt):
            disconnect()
            let (clock, eventQueue) = (clock, eventQueue)
            waiting = Task { if (try? await clock.sleep(for: delay)) != nil { eventQueue.yield(.due(attempt: attempt)) } }
        case .stopWaiting: waiting?.cancel()
        case .probe: probe()
        }
    }

    private func disconnect() {
        connection?.close()
        connection = nil
        reading?.cancel()
        probing?.cancel()
        probing = nil
    }

    /// Opens a connection and reads it to its end.
    private func hold(_ attempt: Int, _ onMessage: @Sendable (Incoming) async throws -> Void) async {
        do {
            let connection = try await connect()
            guard !Task.isCancelled else { return connection.close() }
            self.connection = connection
            eventQueue.yield(.opened(attempt: attempt))
            let beating = Task { await self.beat() }
            defer { beating.cancel() }
            while let message = try await connection.receive() {
                try Task.checkCancellation()
                isHandling = true
                defer { isHandling = false }
                try await onMessage(message)
            }
            let reason = connection.endDescription
            eventQueue.yield(.failed(attempt: attempt, LineFailure(.service, "closed by the service: \(reason)")))
        } catch is CancellationError where Task.isCancelled {
            // Cancelled by `disconnect`, whose caller knows the reason.
        } catch {
            eventQueue.yield(.failed(attempt: attempt, LineFailure(error)))
        }
    }

    private func beat() async {
        while (try? await clock.sleep(for: heartbeatInterval)) != nil {
            probe()
            if let message = await keepalive() { enqueue(message) }
        }
    }

    /// Ends the connection when the peer does not answer a ping. Its reader then reports the loss.
    private func probe() {
        guard probing == nil, !isHandling, let connection else { return }
        let (clock, timeout) = (clock, pingTimeout)
        probing = Task {
            do {
                try await withTimeout(timeout, clock: clock) { try await connection.ping() }
            } catch is CancellationError {
            } catch {
                connection.abort()
            }
            self.probing = nil
        }
    }
}

/// - Returns: A function that returns the time on `clock` since this call.
package func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
