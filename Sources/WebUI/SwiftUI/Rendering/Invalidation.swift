import Synchronization

/// The thread-safe part of a component, which requests another evaluation.
final class Invalidation: Sendable {
    private let queue: InvalidationQueue
    /// The number of the last evaluation; negated after a change of a property that the evaluation read, 0 after ``end()``.
    private let evaluation = Atomic(1)
    // Cleared when the component is unmounted: `Docs/Decisions/0029-unowned-unsafe-references-in-the-tree.md`.
    @MainActor unowned(unsafe) var component: AnyComponent?

    init(_ queue: InvalidationQueue) { self.queue = queue }

    func invalidate() { queue.insert(self) }

    /// Begins an evaluation.
    ///
    /// - Returns: The number of the evaluation.
    func begin() -> Int {
        let number = abs(evaluation.load(ordering: .relaxed)) + 1
        evaluation.store(number, ordering: .relaxed)
        return number
    }

    /// Requests another evaluation because a property changed that evaluation `number` read. Ignored after a later evaluation.
    func invalidate(ifLast number: Int) {
        if evaluation.compareExchange(expected: number, desired: -number, ordering: .relaxed).exchanged { invalidate() }
    }

    /// True if a property has changed since the last evaluation read it.
    var hasFired: Bool { evaluation.load(ordering: .relaxed) < 0 }

    /// Ends all evaluations.
    func end() { evaluation.store(0, ordering: .relaxed) }
    var isOver: Bool { evaluation.load(ordering: .relaxed) == 0 }
}

/// The invalidated components, collected from any thread until the next flush.
final class InvalidationQueue: Sendable {
    private struct Contents: ~Copyable {
        var waiting: [ObjectIdentifier: Invalidation] = [:]
        var motion: Animation?
        /// True if a flush is requested or running, which will read the queue once more.
        var isScheduled = false
        var schedule: (@Sendable () -> Void)?
    }
    private let contents = Mutex(Contents())

    /// - Parameter schedule: Called on any thread when a flush is needed and none is running.
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

    /// Requests a flush without a changed component.
    func request() {
        contents.withLock { Self.claim(&$0) }?()
    }

    private static func claim(_ contents: inout Contents) -> (@Sendable () -> Void)? {
        guard !contents.isScheduled, let schedule = contents.schedule else { return nil }
        contents.isScheduled = true
        return schedule
    }

    /// Begins a flush, which takes all invalidations until ``end(leavesMore:)``.
    func begin() { contents.withLock { $0.isScheduled = true } }

    /// Ends a flush, and requests another one if work is left here or in the host.
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
