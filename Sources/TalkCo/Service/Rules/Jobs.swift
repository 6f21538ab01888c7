import CoreMetrics
import Logging
import NIOConcurrencyHelpers
import ServerKit
import ServiceLifecycle
import StorageKit
import TalkCoWire

/// Does the stored jobs: those of a crashed process at the start, then each when its session asks for it.
///
/// The summaries of a session wait for its marks. A job that fails is tried again; one that fails for good is given up, so that its session
/// moves on.
struct Jobs: Service {
    /// The pauses before the second and third attempt.
    static let pauses: [Duration] = [.seconds(10), .seconds(40)]
    static var maximumAttempts: Int { pauses.count + 1 }
    /// The time for one attempt.
    static let attemptTimeout = Duration.seconds(180)
    /// The number of sessions whose jobs run at once.
    static let maximumSessionCount = 8

    private let store: Database
    private let work: JobWork
    private let clock: any Clock<Duration>
    private let metrics: MetricsRegistry
    private let logger: Logger
    private let sessions: AsyncStream<Session.ID>
    private let requests: AsyncStream<Session.ID>.Continuation
    /// The sessions whose jobs run now. True for one that was started again meanwhile.
    private let running = NIOLockedValueBox<[Session.ID: Bool]>([:])

    init(work: JobWork, clock: any Clock<Duration>, metrics: MetricsRegistry, logger: Logger) {
        store = work.store
        self.work = work
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        // Each waiting element is a stored job, which the store bounds; a session waits at most twice, for its two calls.
        (sessions, requests) = AsyncStream.makeStream()
    }

    /// Begins the jobs of a session. They must be stored already.
    func start(_ session: Session.ID) { requests.yield(session) }

    func run() async throws {
        let unfinished = try await store.read { try $0.all("SELECT DISTINCT session FROM jobs", as: Session.ID.self) }
        for session in unfinished { start(session) }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                var count = 0
                for await session in sessions where begin(session) {
                    if count == Self.maximumSessionCount { await group.next() } else { count += 1 }
                    group.addTask { repeat { await runAll(of: session) } while !end(session) }
                }
                group.cancelAll()
            }
        }
    }

    /// - Returns: False if the session's jobs run already; they are looked at again then.
    private func begin(_ session: Session.ID) -> Bool {
        running.withLockedValue { $0.updateValue($0[session] != nil, forKey: session) == nil }
    }

    /// - Returns: False if the session was started again.
    private func end(_ session: Session.ID) -> Bool {
        running.withLockedValue { running in
            if running[session] == true, !Task.isCancelled {
                running[session] = false
                return false
            }
            running[session] = nil
            return true
        }
    }

    /// Runs the jobs of a session until there are none.
    private func runAll(of session: Session.ID) async {
        var tried: Set<Job.Kind> = []
        while !Task.isCancelled {
            do {
                let all = try await store.read { try $0.jobs(of: session) }
                let marks = all.filter { $0.kind == .marks }
                let due = (marks.isEmpty ? all : marks).filter { !tried.contains($0.kind) }
                if due.isEmpty { return }
                tried.formUnion(due.map(\.kind))
                await withDiscardingTaskGroup { group in
                    for job in due { group.addTask { await run(job) } }
                }
            } catch {
                logger.error("Jobs cannot be read", metadata: ["error": "\(error.logText)"])
                return
            }
        }
    }

    /// Runs a job until it is done or has failed for good.
    private func run(_ job: Job) async {
        do {
            for attempt in job.attempts..<max(Self.maximumAttempts, job.attempts) {
                if attempt > job.attempts { try await clock.sleep(for: Self.pauses[min(attempt, Self.pauses.count) - 1]) }
                // The attempt is counted first, so that a job that crashes the process is given up.
                guard try await countAttempt(of: job) else { return }
                if try await succeeds(job, attempt) { return }
            }
            try await work.giveUp(job)
            count(job, "failed")
            logger.error("A job has failed for good", metadata: ["kind": "\(job.kind.rawValue)"])
        } catch is CancellationError {
            // The server is shutting down; the job is resumed at the next start.
        } catch {
            logger.error("A job cannot be stored", metadata: ["kind": "\(job.kind.rawValue)", "error": "\(error.logText)"])
        }
    }

    private func succeeds(_ job: Job, _ attempt: Int) async throws -> Bool {
        do {
            try await withTimeLimit(
                Self.attemptTimeout, by: clock, orThrow: EngineError(.timedOut, "The judge did not answer in time.")
            ) { try await work.run(job) }
            count(job, "done")
            return true
        } catch {
            if Task.isCancelled {
                // An attempt that the shutdown ended does not count.
                let restored = job
                _ = try? await store.write { transaction in
                    try transaction.execute(
                        "UPDATE jobs SET attempts = attempts - 1 WHERE session = ? AND kind = ?", restored.session, restored.kind)
                }
                throw CancellationError()
            }
            count(job, "retried")
            logger.warning(
                "A job failed",
                metadata: ["kind": "\(job.kind.rawValue)", "attempt": "\(attempt + 1)", "error": "\(error.logText)"])
            return false
        }
    }

    /// - Returns: False if the job is done already.
    private func countAttempt(of job: Job) async throws -> Bool {
        try await store.write { transaction in
            try transaction.execute(
                "UPDATE jobs SET attempts = attempts + 1 WHERE session = ? AND kind = ?", job.session, job.kind) == 1
        }
    }

    private func count(_ job: Job, _ result: String) {
        Counter(label: "talkco_jobs_total", dimensions: [("kind", job.kind.rawValue), ("result", result)], factory: metrics)
            .increment()
    }
}
