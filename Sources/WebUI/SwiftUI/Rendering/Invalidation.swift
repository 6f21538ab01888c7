import Synchronization

/// One component's wish to be evaluated again. May be made on any thread.
final class Invalidation: Sendable {
    private let queue: InvalidationQueue
    /// The number of the last evaluation; negative once something changed that it read. 0 when there will be no more.
    private let evaluation = Atomic(1)
    // Cleared when the component is unmounted.
    @MainActor unowned(unsafe) var component: AnyComponent?

    init(_ queue: InvalidationQueue) { self.queue = queue }

    func invalidate() { queue.insert(self) }

    /// Says that an evaluation begins.
    /// - Returns: Its number.
    func begin() -> Int {
        let number = abs(evaluation.load(ordering: .relaxed)) + 1
        evaluation.store(number, ordering: .relaxed)
        return number
    }

    /// Something changed that evaluation `number` read. Does not count once there was another.
    func invalidate(ifLast number: Int) {
        if evaluation.compareExchange(expected: number, desired: -number, ordering: .relaxed).exchanged { invalidate() }
    }

    /// Something changed that the last evaluation read.
    var hasFired: Bool { evaluation.load(ordering: .relaxed) < 0 }

    /// There will be no more evaluations.
    func end() { evaluation.store(0, ordering: .relaxed) }
    var isOver: Bool { evaluation.load(ordering: .relaxed) == 0 }
}

/// The components to evaluate again, gathered from any thread until the next flush.
final class InvalidationQueue: Sendable {
    private struct Contents: ~Copyable {
        var waiting: [ObjectIdentifier: Invalidation] = [:]
        var motion: Animation?
        /// A flush is asked for, or under way: it will look here once more.
        var isScheduled = false
        var schedule: (@Sendable () -> Void)?
    }
    private let contents = Mutex(Contents())

    /// `schedule` is called, on any thread, when there is something to flush and no flush is under way yet.
    func start(_ schedule: @escaping @Sendable () -> Void) { contents.withLock { $0.schedule = schedule } }

    func insert(_ invalidation: Invalidation) {
        let motion = Transaction.current?.motion
        let schedule = contents.withLock { contents -> (@Sendable () -> Void)? in
            contents.waiting[ObjectIdentifier(invalidation)] = invalidation
            if let motion { contents.motion = motion }
            return Self.claim(&contents)
        }
        schedule?()
    }

    /// Asks for a flush although no component changed.
    func request() {
        contents.withLock { Self.claim(&$0) }?()
    }

    private static func claim(_ contents: inout Contents) -> (@Sendable () -> Void)? {
        guard !contents.isScheduled, let schedule = contents.schedule else { return nil }
        contents.isScheduled = true
        return schedule
    }

    /// A flush begins: it takes what comes until it ends.
    func begin() { contents.withLock { $0.isScheduled = true } }

    /// A flush has ended. Asks for another one if something is left, here or where the flush was.
    func end(leavesMore: Bool) {
        contents.withLock { contents -> (@Sendable () -> Void)? in
            contents.isScheduled = false
            return leavesMore || !contents.waiting.isEmpty ? Self.claim(&contents) : nil
        }?()
    }

    func take() -> (invalidations: [Invalidation], motion: Animation?) {
        contents.withLock { contents in
            defer {
                contents.waiting = [:]
                contents.motion = nil
            }
            return (Array(contents.waiting.values), contents.motion)
        }
    }

    var isEmpty: Bool { contents.withLock { $0.waiting.isEmpty } }
}
