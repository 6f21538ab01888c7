import CoreMetrics
import Foundation
import Logging
import NetworkingKit
import ServerKit
import StorageKit
import TalkCoWire
import WireKit

/// The open conversation of one session.
///
/// ```
/// opening ──▶ open ──▶ failed ──▶ opening …        a failed conversation is opened again by the next turn
///    └──────────┴─────────┴──▶ closing             DELETE, idleness, the end of the server
/// ```
///
/// Turns run one at a time, in tasks of their own: a client that disconnects does not end its turn.
actor LiveSession {
    /// The parts that all sessions share.
    struct Services: Sendable {
        var store: Database
        var engine: any SpeechEngine
        var clock: any Clock<Duration>
        var now: @Sendable () -> Timestamp
        var metrics: MetricsRegistry
        var limits: TurnLimits
        /// Maximum size of the stored audio for replays, in bytes.
        var audioCapacity: Int
        /// Maximum size of the stored recordings of learners, in bytes.
        var recordingCapacity: Int
        var logger: Logger
    }

    /// Timeout of the engine for `start`, and for a turn that reopens the conversation.
    static let connectionTimeout = Duration.seconds(15)
    /// Timeout of an opening.
    static let openingTimeout = Duration.seconds(60)
    /// Timeout of a running turn when the session is closed.
    static let drainTimeout = Duration.seconds(5)
    /// Maximum count of turns that wait behind the running one.
    static let maximumWaitingCount = 4

    /// The part of the state that other tasks read without waiting for this actor.
    struct Activity: Sendable {
        var lastUse: Timestamp
        var turnCount = 0
    }

    private enum Connection {
        case opening(Arrival<any Conversation>, Task<Void, Never>)
        case open(any Conversation)
        case failed(any Error)
        case closing
    }

    private struct QueuedTurn {
        /// The learner's input; nil for the greeting.
        var input: TurnInput?
        var id: Turn.ID?
        var feed: TurnFeed
    }

    nonisolated let record: SessionRecord
    nonisolated let activity: Locked<Activity>
    private let services: Services
    private var connection: Connection?
    /// The conversation to close once the running turn has ended.
    private var closingConversation: (any Conversation)?
    private var isGreeted: Bool
    private var running: Task<Void, Never>?
    private var runningFeed: TurnFeed?
    private var waiting: [QueuedTurn] = []
    /// The answer that the full disk refused; a repeated turn stores the answer without asking the engine again.
    private var unstored: (turn: Turn.ID, answer: TurnRecord)?
    /// The feeds of running and waiting turns, by identifier.
    private var feeds: [Turn.ID: TurnFeed] = [:]

    /// - Parameter isGreeted: True for a conversation that is continued.
    init(_ record: SessionRecord, _ services: Services, isGreeted: Bool = false) {
        self.record = record
        self.services = services
        self.isGreeted = isGreeted
        activity = Locked(Activity(lastUse: services.now()))
    }

    private var isClosing: Bool { if case .closing = connection { true } else { false } }

    // MARK: Conversation

    /// Begins to open the conversation.
    func open() {
        guard connection == nil else { return }
        _ = beginOpening()
    }

    private func beginOpening() -> Arrival<any Conversation> {
        let arrival = Arrival<any Conversation>()
        let (services, record) = (services, record)
        let task = Task {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    guard (try? await services.clock.sleep(for: Self.openingTimeout)) != nil else { return }
                    await self.didOpen(.failure(TalkError.connectionTimedOut), arrival)
                }
                let result: Result<any Conversation, any Error>
                do {
                    let brief = try await services.store.read { try $0.brief(for: record, at: services.now()) }
                    result = .success(try await services.engine.open(brief))
                } catch {
                    result = .failure(error)
                }
                await self.didOpen(result, arrival)
                group.cancelAll()
            }
        }
        connection = .opening(arrival, task)
        return arrival
    }

    private func didOpen(_ result: Result<any Conversation, any Error>, _ arrival: Arrival<any Conversation>) async {
        guard case .opening(let current, let task) = connection, current === arrival else {
            // Too late: the session is closing, or the opening has timed out.
            arrival.resolve(.failure(TalkError.sessionNotFound))
            if case .success(let conversation) = result { await conversation.close() }
            return
        }
        switch result {
        case .success(let conversation): connection = .open(conversation)
        case .failure(let error):
            connection = .failed(error)
            count("talkco_openings_failed_total")
            services.logger.warning("A conversation could not be opened", metadata: ["error": "\(error.logText)"])
            task.cancel()
        }
        arrival.resolve(result)
    }

    /// Returns the open conversation, and reopens it after a failure.
    ///
    /// - Throws: ``TalkError``; `CancellationError`.
    private func conversation() async throws -> any Conversation {
        let arrival: Arrival<any Conversation>
        switch connection {
        case .open(let conversation): return conversation
        case .closing: throw TalkError.sessionNotFound
        case .opening(let opening, _): arrival = opening
        case .failed, nil: arrival = beginOpening()
        }
        do {
            return try await withTimeout(
                Self.connectionTimeout, clock: services.clock, orThrow: TalkError.connectionTimedOut
            ) { try await arrival.value() }
        } catch let error as EngineError {
            throw TalkError(error)
        } catch let error where error is TalkError || error is CancellationError {
            throw error
        } catch {
            services.logger.error("Unexpected failure of an engine", metadata: ["error": "\(error.logText)"])
            throw TalkError(.badGateway, "The conversation could not be opened.")
        }
    }

    /// Closes a failed conversation, which the next turn reopens.
    private func drop(_ conversation: any Conversation, after error: any Error) async {
        if case .open(let current) = connection, current === conversation { connection = .failed(error) }
        if closingConversation === conversation { closingConversation = nil }
        await conversation.close()
    }

    // MARK: Turns

    /// Starts the greeting; returns an empty stream the second time.
    ///
    /// - Throws: ``TalkError``, also when the engine cannot be reached; `CancellationError`.
    func greet() async throws -> TurnFeed {
        touch()
        if !isGreeted { _ = try await conversation() }
        // Another call may have waited as well.
        if isGreeted { return .empty }
        if isClosing { throw TalkError.sessionNotFound }
        let feed = try enqueue(QueuedTurn(input: nil, id: nil, feed: TurnFeed()))
        isGreeted = true
        return feed
    }

    /// Checks that a turn would be accepted. A failed conversation is reopened.
    ///
    /// - Throws: ``TalkError``; `CancellationError`.
    func prepareTurn() async throws {
        touch()
        switch connection {
        case .open: return
        case .opening, nil: throw TalkError.connecting
        case .closing: throw TalkError.sessionNotFound
        case .failed: _ = try await conversation()
        }
    }

    /// Returns the stream of a running or waiting turn; nil for none.
    func feed(of id: Turn.ID) -> TurnFeed? { feeds[id] }

    /// Starts a turn, or enqueues it behind the running one.
    ///
    /// - Throws: ``TalkError`` when the session is closing, or too many turns wait.
    func add(_ input: TurnInput, _ id: Turn.ID?) throws -> TurnFeed {
        if let id, let feed = feeds[id] { return feed }
        return try enqueue(QueuedTurn(input: input, id: id, feed: TurnFeed()))
    }

    /// Passes the beginning of an unfinished recording to the conversation.
    func listen(_ samples: Data) {
        touch()
        if case .open(let conversation) = connection { conversation.listen(samples) }
    }

    private func enqueue(_ turn: QueuedTurn) throws -> TurnFeed {
        if isClosing { throw TalkError.sessionNotFound }
        guard waiting.count < Self.maximumWaitingCount else {
            throw TalkError(.conflict, "Too many turns are waiting", retryAfter: .seconds(1))
        }
        waiting.append(turn)
        if let id = turn.id { feeds[id] = turn.feed }
        activity.withLock { $0.turnCount += 1 }
        runNext()
        return turn.feed
    }

    private func runNext() {
        guard running == nil, !isClosing, !waiting.isEmpty else { return }
        let turn = waiting.removeFirst()
        runningFeed = turn.feed
        running = Task {
            await self.run(turn)
            self.didRun(turn)
        }
    }

    private func didRun(_ turn: QueuedTurn) {
        (running, runningFeed) = (nil, nil)
        end(turn)
        touch()
        runNext()
    }

    private func end(_ turn: QueuedTurn) {
        turn.feed.finish()
        if let id = turn.id { feeds[id] = nil }
        activity.withLock { $0.turnCount -= 1 }
    }

    private func run(_ turn: QueuedTurn) async {
        // The same turn may have been answered between the caller's look-up and the enqueuing.
        if let answer = await answer(to: turn.id) {
            return turn.feed.append(answer, withChoices: record.acceptsChoices)
        }
        if let unstored, unstored.turn == turn.id {
            turn.feed.append(.transcript(unstored.answer.transcript))
            guard await store(turn, unstored.answer) else { return }
            turn.feed.append(.response(unstored.answer.response))
            if record.acceptsChoices, let choices = unstored.answer.choices { turn.feed.append(.choices(choices)) }
            return
        }
        var typed: String?
        if case .text(let text) = turn.input {
            typed = text
            turn.feed.append(.transcript(text))
        }
        let conversation: any Conversation
        do { conversation = try await self.conversation() } catch {
            if let error = error as? TalkError { appendFailure(error.detail, to: turn.feed) }
            count("talkco_turns_total", ("result", "unavailable"))
            return
        }
        let turnRun = TurnRun(
            feed: turn.feed, typed: typed, isGreeting: turn.input == nil, acceptsText: record.acceptsText, limits: services.limits,
            clock: services.clock)
        let (outcome, duration) = await measured(by: services.clock) {
            await turnRun.run(turn.input.map { conversation.answer($0) } ?? conversation.greeting())
        }
        switch outcome.error {
        case nil, is CancellationError: break
        case let error as TurnRun.LimitError:
            services.logger.warning("A turn was ended", metadata: ["talkco.reason": "\(error)"])
        case let error?:
            services.logger.warning("A turn failed", metadata: ["error": "\(error.logText)"])
            await drop(conversation, after: error)
        }
        await complete(turn, outcome, duration)
    }

    /// Returns the stored answer to an earlier turn of the same identifier; nil for none.
    private func answer(to id: Turn.ID?) async -> TurnRecord? {
        guard let id else { return nil }
        let session = record.id
        return (try? await services.store.read { try $0.turn(id, of: session) }) ?? nil
    }

    /// Stores the turn, and sends the rest of its events.
    private func complete(_ turn: QueuedTurn, _ outcome: TurnRun.Outcome, _ duration: Duration) async {
        var isComplete = outcome.error == nil && outcome.response != nil
        var outcome = outcome
        if isComplete, turn.input != nil, outcome.transcript == nil {
            // The engine has sent no transcript.
            outcome.transcript = ""
            turn.feed.append(.transcript(""))
        }
        // A turn that cannot be stored gets no response: so the client knows that it was lost, and can repeat it.
        if isComplete, turn.input != nil, let transcript = outcome.transcript, let response = outcome.response {
            let choices = outcome.choices.isEmpty ? nil : outcome.choices
            isComplete = await store(
                turn, TurnRecord(transcript: transcript, response: response, choices: choices, audio: outcome.audio))
        }
        if isComplete, let response = outcome.response { turn.feed.append(.response(response)) }
        if outcome.response == nil, let reason = outcome.failure ?? (outcome.error as? EngineError)?.description {
            appendFailure(reason, to: turn.feed)
        }
        if let first = outcome.firstAudio { turn.feed.append(.timing(step: "first_audio", seconds: first.seconds)) }
        turn.feed.append(.timing(step: "total", seconds: duration.seconds))
        if isComplete, record.acceptsChoices, !outcome.choices.isEmpty { turn.feed.append(.choices(outcome.choices)) }
        let result = isComplete ? "answered" : outcome.error is TurnRun.LimitError ? "limit" : "failed"
        count("talkco_turns_total", ("result", result))
        CoreMetrics.Timer(label: "talkco_turn_duration_seconds", factory: services.metrics)
            .recordNanoseconds(Int64(min(duration / .nanoseconds(1), 1e18)))
    }

    private nonisolated func appendFailure(_ reason: String, to feed: TurnFeed) {
        feed.append(.failure(TalkEvent.Failure.engine.rawValue, detail: reason))
    }

    /// Stores the answer to a turn, on a full disk without its audio. If that fails too, keeps the answer for the repeated turn.
    ///
    /// - Returns: False if the turn could not be stored.
    private func store(_ turn: QueuedTurn, _ answer: TurnRecord) async -> Bool {
        let recording = record.keepsRecordings ? turn.input?.samples : nil
        var small = answer
        small.audio = nil
        unstored = nil
        do {
            do {
                try await insert(answer, of: turn.id, recording: recording)
            } catch let error where StorageError.isFullDisk(error) && (answer.audio?.isEmpty == false || recording != nil) {
                try await insert(small, of: turn.id, recording: nil)
            }
            return true
        } catch {
            services.logger.error("A turn could not be stored", metadata: ["error": "\(error.logText)"])
            if StorageError.isFullDisk(error) {
                unstored = turn.id.map { ($0, small) }
                turn.feed.append(.failure(TalkEvent.Failure.storageFull.rawValue))
            }
            return false
        }
    }

    private func insert(_ answer: TurnRecord, of turn: Turn.ID?, recording: Data?) async throws {
        let (record, time, services) = (record, services.now(), services)
        try await services.store.write { transaction in
            if !answer.transcript.isEmpty {
                let isStored = try transaction.appendSegment(
                    to: record.id, learner: answer.transcript, tutor: answer.response, at: time)
                if isStored, let recording {
                    try transaction.insertRecording(recording, of: record.id, at: time, capacity: services.recordingCapacity)
                }
            }
            if let turn { try transaction.insert(answer, turn, of: record.id, at: time, capacity: services.audioCapacity) }
        }
    }

    // MARK: Closing

    /// Begins to close the session: refuses further turns.
    ///
    /// - Returns: False if the session is already closing.
    func beginClosing() -> Bool {
        guard !isClosing else { return false }
        let connection = connection
        self.connection = .closing
        for turn in waiting { end(turn) }
        waiting = []
        if case .opening(let arrival, let task) = connection {
            arrival.resolve(.failure(TalkError.sessionNotFound))
            task.cancel()
        }
        if case .open(let conversation) = connection { closingConversation = conversation }
        return true
    }

    /// Waits for the running turn, at most for `limit`, and closes the conversation.
    func close(draining limit: Duration) async {
        if let feed = runningFeed, limit > .zero {
            try? await withTimeout(limit, clock: services.clock) { try await feed.waitUntilFinished() }
        }
        if let running {
            running.cancel()
            await running.value
        }
        await closingConversation?.close()
        closingConversation = nil
    }

    private nonisolated func touch() {
        let now = services.now()
        activity.withLock { $0.lastUse = now }
    }

    private func count(_ label: String, _ dimensions: (String, String)...) {
        CoreMetrics.Counter(label: label, dimensions: dimensions, factory: services.metrics).increment()
    }
}

extension Duration {
    /// The duration in seconds, with a precision of a millisecond.
    fileprivate var seconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}

/// Runs `body` and measures it by a clock.
private func measured<Value: Sendable>(by clock: some Clock<Duration>, _ body: () async -> Value) async -> (Value, Duration) {
    let start = clock.now
    let value = await body()
    return (value, start.duration(to: clock.now))
}
