import CoreMetrics
import Logging
import NetworkingKit
import ServerKit
import ServiceLifecycle
import StorageKit
import TalkCoWire
import WireKit

/// The service that runs the stored jobs: at the start those of a crashed process, then those of each session on request.
///
/// The summaries of a session wait for its marks. A failed job is retried; a job whose last attempt fails is given up, so that its
/// session advances.
struct Jobs: Service {
    /// The pauses before the second and third attempt.
    static let pauses: [Duration] = [.seconds(10), .seconds(40)]
    static var maximumAttempts: Int { pauses.count + 1 }
    /// The pauses between attempts on a full disk; the last one is repeated. Such attempts do not count.
    static let fullDiskPauses: [Duration] = [.seconds(30), .seconds(120), .seconds(600)]
    /// Timeout of one attempt.
    static let attemptTimeout = Duration.seconds(180)
    /// Maximum count of sessions whose jobs run at once.
    static let maximumSessionCount = 12
    /// Maximum count of such sessions for one network, except ``CallerNetwork/machine``.
    static let maximumSessionCountPerNetwork = 4

    /// The sessions whose jobs wait or run. Next is the first session of the network with the fewest running ones.
    private struct Queue {
        /// The waiting sessions. Each has stored jobs, so the store bounds their number.
        var waiting: [(session: Session.ID, network: CallerNetwork)] = []
        /// The running sessions; true for a session that was started again meanwhile.
        var running: [Session.ID: Bool] = [:]
        var counts: [CallerNetwork: Int] = [:]

        mutating func next() -> (session: Session.ID, network: CallerNetwork)? {
            guard running.count < maximumSessionCount else { return nil }
            let counts = counts
            func count(_ index: Int) -> Int { counts[waiting[index].network, default: 0] }
            let free = waiting.indices.filter {
                waiting[$0].network == .machine || count($0) < maximumSessionCountPerNetwork
            }
            guard let index = free.min(by: { count($0) < count($1) }) else { return nil }
            let next = waiting.remove(at: index)
            running[next.session] = false
            self.counts[next.network, default: 0] += 1
            return next
        }
    }

    private let store: Database
    private let work: JobWork
    private let clock: any Clock<Duration>
    private let metrics: MetricsRegistry
    private let logger: Logger
    private let queue = Locked(Queue())
    /// Yields when a session waits, or a running one has ended.
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init(work: JobWork, clock: any Clock<Duration>, metrics: MetricsRegistry, logger: Logger) {
        store = work.store
        self.work = work
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts the jobs of a session, which must be stored already.
    func start(_ session: Session.ID, from network: CallerNetwork) {
        queue.withLock { queue in
            if queue.running[session] != nil {
                queue.running[session] = true
            } else if !queue.waiting.contains(where: { $0.session == session }) {
                queue.waiting.append((session, network))
            }
        }
        change.yield()
    }

    func run() async throws {
        let unfinished = try await store.read { transaction in
            try transaction.all("SELECT DISTINCT session FROM jobs", as: Session.ID.self).compactMap { try transaction.session($0) }
        }
        for session in unfinished { start(session.id, from: session.network) }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await _ in changes {
                    while let (session, network) = queue.withLock({ $0.next() }) {
                        group.addTask { repeat { await runAll(of: session) } while !end(session, network) }
                    }
                }
                group.cancelAll()
            }
        }
    }

    /// - Returns: False if the session was started again.
    private func end(_ session: Session.ID, _ network: CallerNetwork) -> Bool {
        let hasEnded = queue.withLock { queue in
            if queue.running[session] == true, !Task.isCancelled {
                queue.running[session] = false
                return false
            }
            queue.running[session] = nil
            let rest = (queue.counts[network] ?? 1) - 1
            queue.counts[network] = rest > 0 ? rest : nil
            return true
        }
        if hasEnded { change.yield() }
        return hasEnded
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
                guard try await withRoom({ try await countAttempt(of: job) }) else { return }
                if try await withRoom({ try await succeeds(job, attempt) }) { return }
            }
            try await withRoom { try await work.giveUp(job) }
            count(job, "failed")
            logger.error("A job has failed for good", metadata: ["kind": "\(job.kind.rawValue)"])
        } catch is CancellationError {
            // The server is shutting down; the job is resumed at the next start.
        } catch {
            logger.error("A job cannot be stored", metadata: ["kind": "\(job.kind.rawValue)", "error": "\(error.logText)"])
        }
    }

    /// Runs `body`, and again while the disk is full.
    private func withRoom<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        for number in 0... {
            do {
                return try await body()
            } catch let error where StorageError.isFullDisk(error) {
                logger.error("A job waits for room on the disk")
                try await clock.sleep(for: Self.fullDiskPauses[min(number, Self.fullDiskPauses.count - 1)])
            }
        }
        throw CancellationError()
    }

    private func succeeds(_ job: Job, _ attempt: Int) async throws -> Bool {
        do {
            try await withTimeout(
                Self.attemptTimeout, clock: clock, orThrow: EngineError(.timedOut, "The judge did not answer in time.")
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
            if StorageError.isFullDisk(error) { throw error }
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
