/// Keeps one WebSocket open: runs the actions of a ``Line`` with real connections and a real clock.
public actor LineRunner {
    private let connect: @Sendable () async throws -> any SocketConnection
    private let clock: any Clock<Duration>
    /// How often an open connection is asked for a sign of life, and how long it may take to give one.
    private let heartbeat: Duration
    private let patience: Duration

    private var line: Line
    private let elapsed: @Sendable () -> Duration
    private let events: AsyncStream<Line.Event>
    private let tell: AsyncStream<Line.Event>.Continuation
    private let sayings: AsyncStream<SocketMessage>
    private let saying: AsyncStream<SocketMessage>.Continuation
    private var connection: (any SocketConnection)?
    /// Of the newest connection. Begins when that of the one before has ended, so that only one message is handled at a time.
    private var reading: Task<Void, Never>?
    private var waiting: Task<Void, Never>?
    private var probing: Task<Void, Never>?
    /// A message is being handled: meanwhile nothing is read, no sign of life either.
    private var isHandling = false

    /// - Parameter connect: Opens the socket, with the newest cursor and token. Called again for each try.
    public init(
        line: Line = Line(), clock: any Clock<Duration> = ContinuousClock(), heartbeat: Duration = .seconds(30),
        patience: Duration = .seconds(10), connect: @escaping @Sendable () async throws -> any SocketConnection
    ) {
        self.line = line
        self.clock = clock
        self.heartbeat = heartbeat
        self.patience = patience
        self.connect = connect
        elapsed = stopwatch(clock)
        (events, tell) = AsyncStream.makeStream(of: Line.Event.self)
        (sayings, saying) = AsyncStream.makeStream(of: SocketMessage.self, bufferingPolicy: .bufferingOldest(Self.mostSayings))
    }

    /// Messages that may wait to be written.
    private static let mostSayings = 1000

    /// Opens the line and keeps it open until ``end()``, a failure for good, or the task's cancellation. To be called once.
    ///
    /// - Parameters:
    ///   - onState: Told of each change.
    ///   - onMessage: Handles one message after the other. What it throws ends the connection; another one is made.
    /// - Returns: Why it ended; nil when somebody ended it. No handler runs any more then.
    public func run(
        onState: @escaping @Sendable (Line.State) async -> Void, onMessage: @escaping @Sendable (SocketMessage) async throws -> Void
    ) async -> LineFailure? {
        tell.yield(.start)
        // What cannot be written is of no use on another connection.
        let writing = Task { for await message in sayings { try? await send(message) } }
        defer { writing.cancel() }
        var ending: LineFailure?
        await withTaskCancellationHandler {
            for await event in events {
                let before = line.state
                for action in line.handle(event, at: elapsed()) { perform(action, onMessage) }
                if line.state != before { await onState(line.state) }
                if case .closed(let why) = line.state {
                    ending = why
                    break
                }
            }
        } onCancel: {
            tell.finish()
        }
        disconnect()
        waiting?.cancel()
        await reading?.value
        return ending
    }

    /// The app has come to the front, or the network has changed.
    public nonisolated func wake() { tell.yield(.wake) }
    public nonisolated func end() { tell.yield(.end) }

    /// Writes a message behind those that were said before, without waiting for it. Of no effect while the line is down, and when so much waits
    /// already that the peer cannot be reading.
    public nonisolated func say(_ message: SocketMessage) { saying.yield(message) }

    /// Writes a message on the open connection.
    ///
    /// - Throws: ``TransportError`` when there is none, or it breaks.
    public func send(_ message: SocketMessage) async throws {
        guard let connection else { throw TransportError(.ended, "the line is down") }
        try await connection.send(message)
    }

    private func perform(_ action: Line.Action, _ onMessage: @escaping @Sendable (SocketMessage) async throws -> Void) {
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
            let (clock, tell) = (clock, tell)
            waiting = Task { if (try? await clock.sleep(for: delay)) != nil { tell.yield(.due(attempt: attempt)) } }
        case .stopWaiting: waiting?.cancel()
        case .probe: probe()
        }
    }

    private func disconnect() {
        connection?.close(.normal)
        connection = nil
        reading?.cancel()
        probing?.cancel()
        probing = nil
    }

    /// Makes a connection and reads it to its end.
    private func hold(_ attempt: Int, _ onMessage: @Sendable (SocketMessage) async throws -> Void) async {
        do {
            let connection = try await connect()
            guard !Task.isCancelled else { return connection.close(.normal) }
            self.connection = connection
            tell.yield(.opened(attempt: attempt))
            let beat = Task { await self.beat() }
            defer { beat.cancel() }
            while let message = try await connection.receive() {
                try Task.checkCancellation()
                isHandling = true
                defer { isHandling = false }
                try await onMessage(message)
            }
            let end = connection.end
            tell.yield(
                .failed(
                    attempt: attempt, LineFailure(.service, "closed by the service: \(end.map { "\($0.code) \($0.reason)" } ?? "")")
                ))
        } catch is CancellationError where Task.isCancelled {
            // Whoever cancelled it knows.
        } catch {
            tell.yield(.failed(attempt: attempt, LineFailure(error)))
        }
    }

    private func beat() async {
        while (try? await clock.sleep(for: heartbeat)) != nil { probe() }
    }

    /// Ends the connection when it gives no sign of life. Its reader then tells that it is lost.
    private func probe() {
        guard probing == nil, !isHandling, let connection else { return }
        let (clock, patience) = (clock, patience)
        probing = Task {
            do {
                try await withTimeout(patience, clock: clock) { try await connection.ping() }
            } catch is CancellationError {
            } catch {
                connection.close(.goingAway)
            }
            self.probing = nil
        }
    }
}

/// - Returns: A function that tells how much time has passed on `clock` since now.
private func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
