import Synchronization

/// One component's wish to be evaluated again. May be made on any thread.
final class Invalidation: Sendable {
    private let queue: InvalidationQueue
    init(_ queue: InvalidationQueue) { self.queue = queue }

    func invalidate() { queue.insert(self) }
}

/// The components to evaluate again, gathered from any thread until the next flush.
final class InvalidationQueue: Sendable {
    private struct Contents: ~Copyable {
        var waiting: Set<ObjectIdentifier> = []
        var motion: Animation?
        var isScheduled = false
        var schedule: (@Sendable () -> Void)?
    }
    private let contents = Mutex(Contents())

    /// `schedule` is called, on any thread, when there is something to flush and no flush is under way yet.
    func start(_ schedule: @escaping @Sendable () -> Void) { contents.withLock { $0.schedule = schedule } }

    func insert(_ invalidation: Invalidation) {
        let motion = Transaction.current?.animation
        let schedule = contents.withLock { contents -> (@Sendable () -> Void)? in
            contents.waiting.insert(ObjectIdentifier(invalidation))
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

    /// Everything that waits; what comes later asks for another flush.
    func take() -> (components: Set<ObjectIdentifier>, motion: Animation?) {
        contents.withLock { contents in
            defer {
                contents.waiting = []
                contents.motion = nil
                contents.isScheduled = false
            }
            return (contents.waiting, contents.motion)
        }
    }

    var isEmpty: Bool { contents.withLock { $0.waiting.isEmpty } }
}
