import LocalLLMWire
package import NetworkingKit
import WireKit

/// A host: announces itself, introduces itself to phones, and answers their requests with an engine, one at a time.
///
/// ```
///   phone ══ stream ══▶ reader ─▶ chat_start ─▶ LiveAnswer ◀─ text ── engine
///         ◀═ stream ═══ writer ◀─ pieces ◀─ store ◀─┘
/// ```
///
/// With ``Feature/resume``, a piece is stored before it is sent, and generation continues after a lost connection. The contract
/// is in `Docs/Protocols/LocalLLM.md`.
package actor ModelHost {
    package struct Configuration: Sendable {
        /// The name that phones show.
        package var hostName: String
        /// The model that answers; nil for the first one of the engine.
        package var model: String?
        package var admission: Admission

        package init(hostName: String, model: String? = nil, admission: Admission = .firstPhone) {
            self.hostName = DisplayName.host(hostName)
            (self.model, self.admission) = (model, admission)
        }
    }

    /// The phones that are admitted without a question to the user, beside the known and the invited ones.
    package enum Admission: Hashable, Sendable {
        /// All phones that know the Server ID, which is visible to the network.
        case open
        /// The first phone of a host that has never admitted one.
        case firstPhone
        /// No further phones.
        case known
    }

    package enum State: String, Hashable, Sendable {
        /// Not announced, without connections.
        case stopped
        case ready
        /// An answer is being generated.
        case busy
    }

    /// The features that the host offers.
    static let features: [Feature] = [.messages, .models, .progress, .resume]
    /// The intervals of requests for the engine's models: `close` while a phone is connected or the engine fails, else `wide`.
    static let modelInterval = (close: Duration.seconds(5), wide: Duration.seconds(30))
    private static let purgeInterval = Duration.seconds(3_600)
    /// Maximum time to send phones the end of an answer when the host stops.
    static let flushTimeout = Duration.seconds(2)
    /// Maximum connections of one phone; a new one closes the oldest.
    static let maximumConnections = 2
    /// A phone that has read nothing of a message for this time, and at most twice as long, is disconnected. Otherwise it would
    /// count among ``Limits/clientCount``.
    static let stallInterval = Duration.seconds(30)
    /// Maximum size of all model names in an introduction, in bytes of UTF-8. They fit into a line with their escape sequences.
    private static let maximumModelsSize = 24_576

    private(set) var configuration: Configuration { didSet { info = makeInfo() } }
    let acceptor: any ByteStreamAcceptor
    let engine: any Engine
    let store: AnswerStore
    let clock: any Clock<Duration>
    let notify: @Sendable (HostNotice) -> Void

    var sessions: [Int: HostSession] = [:]
    var lastSession = 0
    /// New phones without a decision: at most ``maximumApprovals`` and ``maximumArrivals``.
    var arrivals: [PeerKey: Arrival] = [:]
    var invitations = Invitations()
    /// The time since the start, on the clock of the host.
    let elapsed: @Sendable () -> Duration
    /// The answer in progress; nil if there is none.
    var current: LiveAnswer? { didSet { info = makeInfo() } }
    private var models: [EngineModel] = [] { didSet { info = makeInfo() } }
    /// The introduction. Sent to each phone whenever it differs from the last one sent to that phone.
    private(set) var info: ServerInfo
    private var reportedEngine: HostNotice?
    private(set) var isServing = false
    /// False after ``stop()``.
    package private(set) var wantsToServe = true
    private var isQuitting = false

    let requests: AsyncStream<Void>
    private let requestContinuation: AsyncStream<Void>.Continuation
    private let commandBell = Bell()
    let idleBell = Bell()
    /// The bell that triggers a request for the engine's models.
    let modelBell = Bell()

    /// - Parameters:
    ///   - acceptor: The acceptor of streams, which proves the host's key.
    ///   - notify: Called with notices for the terminal or the log.
    package init(
        _ configuration: Configuration, acceptor: any ByteStreamAcceptor, engine: any Engine, store: AnswerStore,
        clock: any Clock<Duration> = ContinuousClock(), notify: @escaping @Sendable (HostNotice) -> Void = { _ in }
    ) {
        self.configuration = configuration
        (self.acceptor, self.engine, self.store) = (acceptor, engine, store)
        (self.clock, self.notify) = (clock, notify)
        elapsed = stopwatch(clock)
        info = ServerInfo(
            hostName: configuration.hostName, model: configuration.model ?? "", status: .ready, features: Self.features)
        (requests, requestContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package var state: State { isServing ? (current == nil ? .ready : .busy) : .stopped }
    /// Count of the connected phones.
    package var clientCount: Int { connectedPhones.count }
    package var connectedPhones: Set<PeerKey> { Set(sessions.values.map(\.phone)) }
    /// The name that phones show.
    package var hostName: String { info.hostName }
    /// The model for requests that name none; empty while none is known.
    package var model: String { info.model }

    /// Returns the introduction for one phone. Only known phones, which may decide about new phones, get the list of these.
    func info(for session: HostSession) -> ServerInfo {
        var info = info
        if session.isKnown { info.waiting = waitingPhones.map(\.description) }
        return info
    }

    private func makeInfo() -> ServerInfo {
        ServerInfo(
            hostName: configuration.hostName, model: configuration.model.map { known($0) ?? $0 } ?? models.first?.name ?? "",
            status: current == nil ? .ready : .busy, features: Self.features, models: models.map(\.name))
    }

    /// Serves phones until ``quit()`` or the task's cancellation. Call it once.
    ///
    /// - Throws: `StorageError`; `DialError` when another acceptor uses the key.
    package func run() async throws {
        try await store.recover()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.generateAll() }
            group.addTask { await self.watchEngine() }
            group.addTask { await self.watchSessions() }
            group.addTask { try await self.serveWhileWanted() }
            defer { group.cancelAll() }
            // Only serving ends by itself, after `quit()`.
            try await group.next()
        }
    }

    // MARK: Commands

    /// Changes the name that phones show, without its control characters and cut at ``DisplayName/maximumHostName``. A name of
    /// which nothing remains is ignored.
    package func setHostName(_ name: String) {
        let name = DisplayName.host(name)
        guard !name.isEmpty else { return }
        configuration.hostName = name
        wakeSessions()
    }

    /// Selects the model for requests that name none, whether the engine has it or not. Takes effect with the next request.
    package func setModel(_ model: String) {
        configuration.model = model
        wakeSessions()
    }

    /// Selects one of the engine's models for requests that name none.
    ///
    /// - Throws: ``EngineError`` when the engine does not answer, or does not have the model; then nothing changes. `CancellationError`.
    package func selectModel(_ name: String) async throws {
        take(try await engine.models())
        guard let found = known(name) else {
            let names = models.isEmpty ? "none" : models.map(\.name).joined(separator: ", ")
            throw EngineError(
                .modelNotAvailable, "There is no model \(name.prefix(utf8: DisplayName.maximumSize)). Models: \(names).")
        }
        setModel(found)
    }

    /// Announces the host again after ``stop()``.
    package func start() {
        wantsToServe = true
        commandBell.ring()
    }

    /// Stops the answer that is being generated, closes all connections and removes the announcement.
    package func stop() {
        wantsToServe = false
        commandBell.ring()
    }

    /// Stops, and ends ``run()``.
    package func quit() {
        (wantsToServe, isQuitting) = (false, true)
        commandBell.ring()
    }

    // MARK: Serving

    private func serveWhileWanted() async throws {
        while true {
            while !wantsToServe {
                if isQuitting { return }
                // Returns when the task is cancelled.
                guard await commandBell.wait() else { return }
            }
            try Task.checkCancellation()
            try await serve()
            notify(.stopped)
        }
    }

    private func serve() async throws {
        isServing = true
        defer { isServing = false }
        let topic = PeerTopic(acceptor.ownKey)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [acceptor, notify] in
                try await acceptor.accept(topics: [topic]) { state in
                    switch state {
                    case .announcing: break
                    case .announced: notify(.announced)
                    case .failed(let error): notify(.announcementFailed(error.detail.isEmpty ? "\(error)" : error.detail))
                    }
                } _: { stream in
                    await self.serve(stream)
                }
            }
            group.addTask { await self.untilStopped() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func untilStopped() async {
        while wantsToServe { guard await commandBell.wait() else { return } }
        // From now on no request begins.
        isServing = false
        if let current { end(current, .failed(ErrorReport(.generationAborted, "The answer was stopped at the host."))) }
        for session in sessions.values { session.close() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.untilFlushed() }
            group.addTask { [clock] in try? await clock.sleep(for: Self.flushTimeout) }
            await group.next()
            group.cancelAll()
        }
    }

    private func untilFlushed() async {
        while current != nil || !sessions.isEmpty { guard await idleBell.wait() else { return } }
    }

    func wakeSessions() {
        for session in sessions.values { session.wake() }
    }

    /// Begins the generation of ``current``.
    func beginGeneration() { requestContinuation.yield() }

    // MARK: Sessions

    /// Disconnects the phones that do not read, until the task is cancelled.
    private func watchSessions() async {
        while (try? await clock.sleep(for: Self.stallInterval)) != nil {
            for session in sessions.values where session.hasStalled() {
                notify(.phoneStalled(session.phone))
                session.stream.close()
            }
        }
    }

    // MARK: Models

    private func watchEngine() async {
        var nextPurge = elapsed() + Self.purgeInterval
        while !Task.isCancelled {
            let isAvailable = await refreshModels()
            if elapsed() >= nextPurge {
                // Answers that are not purged now are purged an hour later.
                try? await store.purge()
                nextPurge = elapsed() + Self.purgeInterval
            }
            let interval = isAvailable && sessions.isEmpty ? Self.modelInterval.wide : Self.modelInterval.close
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [modelBell] in _ = await modelBell.wait() }
                group.addTask { [clock] in try? await clock.sleep(for: interval) }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Asks the engine for its models. A failure is reported, and the known models stay.
    ///
    /// - Returns: False if the engine did not answer.
    private func refreshModels() async -> Bool {
        let notice: HostNotice
        do {
            take(try await engine.models())
            notice = .engineAvailable(models: models.map(\.name))
        } catch let error as EngineError {
            notice = .engineUnavailable(error.detail)
        } catch {
            return false
        }
        let isAvailable = if case .engineAvailable = notice { true } else { false }
        guard notice != reportedEngine else { return isAvailable }
        reportedEngine = notice
        notify(notice)
        guard isAvailable else { return false }
        if models.contains(where: { $0.name == info.model && $0.isRemote }) { notify(.remoteModel(info.model)) }
        if let wanted = configuration.model, known(wanted) == nil { notify(.modelMissing(wanted)) }
        return true
    }

    /// Offers the models whose names can be shown. Models that do not fit into an introduction are left out.
    private func take(_ found: [EngineModel]) {
        var size = 0
        let offered = found.filter { DisplayName.isClean($0.name) }.prefix {
            size += $0.name.utf8.count
            return size <= Self.maximumModelsSize
        }
        guard models != Array(offered) else { return }
        models = Array(offered)
        wakeSessions()
    }

    /// Returns the engine's name for a model; nil if the engine does not have it. A missing tag means `latest`.
    private func known(_ name: String) -> String? {
        for name in [name, "\(name):latest", EngineModel.shownName(name)] where models.contains(where: { $0.name == name }) {
            return name
        }
        return nil
    }

    /// Returns the model for a request, out of those that the engine has now. Waits for an engine that is not ready.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func model(for start: ChatStart) async throws -> String {
        do {
            take(
                try await ReadyWait(clock: clock).run { progress in
                    try await receive(.progress(progress))
                } _: {
                    try await engine.models()
                })
        } catch {
            try Task.checkCancellation()
            // A server that cannot list its models may answer nevertheless, if the name of a model is known.
            guard !info.model.isEmpty, start.model.map({ known($0) != nil }) ?? true else { throw error }
        }
        if let wanted = start.model {
            guard let found = known(wanted) else {
                throw EngineError(.modelNotAvailable, "The host does not offer the model that was asked for.")
            }
            return found
        }
        guard !info.model.isEmpty else {
            throw EngineError(.modelNotAvailable, "\(engine.name) has no model. Install one on the computer.")
        }
        return info.model
    }
}
