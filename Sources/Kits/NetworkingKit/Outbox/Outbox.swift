public import Foundation
import WireKit

/// Delivers the user's messages one after the other, in order, each until the service accepts or refuses it.
///
/// An item is stored before ``add(_:)`` returns, and is removed only when the service has accepted it or the user discards it. An item
/// whose delivery was interrupted by the end of the process is delivered again with the same id.
///
/// `Receipt` is the service's reply to an item that it accepts.
public actor Outbox<Receipt: Hashable & Sendable> {
    /// The result of one attempt.
    public enum Delivery: Hashable, Sendable {
        case accepted(Receipt)
        /// Failed for now, or with an unknown result: tried again later. The code is for the screen.
        case notNow(String)
        /// The service refuses the item.
        case refused(String)
    }

    /// A change that a screen shows.
    public enum Change: Hashable, Sendable {
        /// All items, in order, after each change.
        case items([OutboxItem])
        /// The service accepted an item, which is gone from the outbox.
        case accepted(OutboxItem, Receipt)
        /// An attempt failed for this reason. The item is tried again.
        case postponed(OutboxItem, String)
    }

    public struct Limits: Hashable, Sendable {
        /// The number of items that the outbox holds at most.
        public var items = 200
        /// The age at which an item fails.
        public var age: Duration = .seconds(24 * 3600)
        public init() {}
    }

    private let store: any OutboxStore
    private let limits: Limits
    private let backoff: Backoff
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let deliver: @Sendable (OutboxItem) async -> Delivery
    private let onChange: @Sendable (Change) async -> Void
    /// The call of `onChange` that was begun last.
    private var lastReport: Task<Void, Never>?

    private var items: [OutboxItem] = []
    private var isLoaded = false
    private var failures = 0
    /// Wakes the outbox after the backoff.
    private var waiting: Task<Void, Never>?
    private let wakes: AsyncStream<Void>
    private let wakeQueue: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - deliver: Makes one attempt. Called for one item at a time.
    ///   - onChange: Called in the order of the changes, one after the other.
    public init(
        store: any OutboxStore, limits: Limits = Limits(), backoff: Backoff = .standard,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        onChange: @escaping @Sendable (Change) async -> Void, deliver: @escaping @Sendable (OutboxItem) async -> Delivery
    ) {
        self.store = store
        self.limits = limits
        self.backoff = backoff
        self.clock = clock
        self.now = now
        self.onChange = onChange
        self.deliver = deliver
        (wakes, wakeQueue) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Stores an item and delivers it.
    ///
    /// - Throws: ``OutboxFull``; what the store throws. Nothing is stored then.
    public func add(_ item: OutboxItem) async throws {
        try await load()
        guard items.count < limits.items else { throw OutboxFull() }
        try await store.append(item)
        items.append(item)
        await changed()
    }

    /// Delivers a failed item again, or a waiting one at once.
    public func retry(id: OutboxItem.ID) async throws {
        try await load()
        guard let index = items.firstIndex(where: { $0.id == id }) else { return }
        var item = items[index]
        item.state = .waiting
        item.createdAt = now()
        try await store.update(item)
        if let index = items.firstIndex(where: { $0.id == id }) { items[index] = item }
        await changed()
    }

    /// Removes an item. The service may still accept it when its delivery is under way.
    public func remove(id: OutboxItem.ID) async throws {
        try await load()
        try await store.remove(id: id)
        items.removeAll { $0.id == id }
        await changed()
    }

    /// Delivers now instead of after the backoff: the line is open, or the app is in front.
    public nonisolated func wake() { wakeQueue.yield() }

    /// Delivers items until the task is cancelled. To be called once.
    public func run() async {
        wakeQueue.yield()
        for await _ in wakes {
            waiting?.cancel()
            await deliverWaiting()
        }
        waiting?.cancel()
    }

    /// Delivers items in order until none waits, or an attempt fails.
    private func deliverWaiting() async {
        do {
            try await load()
        } catch {
            // The items cannot be read.
            return wakeAfterBackoff()
        }
        while !Task.isCancelled {
            await expire()
            guard let item = items.first(where: { $0.state == .waiting }) else { return }
            switch await deliver(item) {
            case .accepted(let receipt):
                failures = 0
                // If this fails, the item is delivered once more, and the service knows its id.
                try? await store.remove(id: item.id)
                items.removeAll { $0.id == item.id }
                await report(.accepted(item, receipt))
                await report(.items(items))
            case .refused(let reason):
                failures = 0
                await fail(item, reason)
            case .notNow(let reason):
                await report(.postponed(item, reason))
                return wakeAfterBackoff()
            }
        }
    }

    private func wakeAfterBackoff() {
        failures += 1
        let (wakeQueue, clock) = (wakeQueue, clock)
        let delay = backoff.delay(after: failures, random: .random(in: 0...1))
        waiting = Task { if (try? await clock.sleep(for: delay)) != nil { wakeQueue.yield() } }
    }

    private func load() async throws {
        guard !isLoaded else { return }
        let stored = try await store.items()
        // Another call may have loaded them meanwhile.
        guard !isLoaded else { return }
        items = stored
        isLoaded = true
        await report(.items(items))
    }

    private func changed() async {
        await report(.items(items))
        wakeQueue.yield()
    }

    /// Reports a change after those before it. An item that is accepted while its addition is being reported must not be reported as accepted
    /// first: the screen would not know it then, and would show it as waiting afterwards.
    private func report(_ change: Change) async {
        let report = Task { [lastReport, onChange] in
            await lastReport?.value
            await onChange(change)
        }
        lastReport = report
        await report.value
    }

    private func expire() async {
        let oldest = now().addingTimeInterval(-TimeInterval(limits.age.components.seconds))
        for item in items where item.state == .waiting && item.createdAt < oldest { await fail(item, OutboxItem.expired) }
    }

    private func fail(_ item: OutboxItem, _ reason: String) async {
        guard let index = items.firstIndex(where: { $0.id == item.id }) else { return }
        items[index].state = .failed(reason)
        // If this fails, the item is delivered once more after a restart.
        try? await store.update(items[index])
        await report(.items(items))
    }
}

/// The outbox holds its maximum number of items.
public struct OutboxFull: Error, Hashable, Sendable {}
