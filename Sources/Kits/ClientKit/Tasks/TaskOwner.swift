/// The owner of tasks that synchronous code starts, which run as children of one task.
@MainActor
package final class TaskOwner {
    package typealias Work = @MainActor () async -> Void

    private var queue: AsyncStream<Work>.Continuation?
    /// The next turn of each running work, by key; nil if none was requested since it began.
    private var nextTurns: [AnyHashable: Work?] = [:]

    package nonisolated init() {}

    /// Starts `work`. Has no effect and returns false unless ``run()`` is running.
    @discardableResult
    package func start(_ work: @escaping Work) -> Bool {
        guard let queue, case .enqueued = queue.yield(work) else { return false }
        return true
    }

    /// Requests work. All requests with the same `key` that arrive during a run are served by one further run.
    ///
    /// The further run is needed because the current one may have read older state. Has no effect unless ``run()`` is running.
    package func request(_ key: some Hashable, _ work: @escaping Work) {
        let key = AnyHashable(key)
        guard nextTurns[key] == nil else {
            nextTurns.updateValue(work, forKey: key)
            return
        }
        let isStarted = start {
            var turn: Work? = work
            while let work = turn {
                await work()
                turn = self.nextTurns[key] ?? nil
                self.nextTurns.updateValue(nil, forKey: key)
            }
            self.nextTurns.removeValue(forKey: key)
        }
        if isStarted { nextTurns.updateValue(nil, forKey: key) }
    }

    /// True if the work that was requested with `key` is running or about to begin.
    package func isRunning(_ key: some Hashable) -> Bool { nextTurns[AnyHashable(key)] != nil }

    /// Runs started tasks until the calling task is cancelled, which cancels all of them. One call at a time.
    package func run() async {
        let (works, queue) = AsyncStream.makeStream(of: Work.self)
        self.queue = queue
        await withDiscardingTaskGroup { group in
            for await work in works { group.addTask(operation: work) }
            group.cancelAll()
        }
        self.queue = nil
        nextTurns = [:]
    }
}
