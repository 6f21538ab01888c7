public import Foundation
import WireKit

/// Sends what the user sent, one after the other, in order, each until it is accepted or refused for good.
///
/// An item is on disk before ``add(lane:payload:)`` returns, and leaves it only when the service has accepted it or the user has
/// removed it. Whatever was on its way when the process ended is sent again with the same id.
///
/// `Receipt` is what the service answers when it accepts one.
public actor Outbox<Receipt: Hashable & Sendable> {
    /// What became of one try.
    public enum Delivery: Hashable, Sendable {
        case accepted(Receipt)
        /// Could not be tried, or nobody knows: again later. The word is for the screen.
        case notNow(String)
        /// The service does not take it.
        case refused(String)
    }

    /// What a screen wants to know.
    public enum Change: Hashable, Sendable {
        /// All items, in order: after each change.
        case items([OutboxItem])
        /// An item was accepted, and has left.
        case accepted(OutboxItem, Receipt)
        /// A try did not work, for this reason; it is tried again.
        case postponed(OutboxItem, String)
    }

    public struct Limits: Hashable, Sendable {
        /// How many items may wait.
        public var items = 200
        /// An item that waited this long has failed.
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

    private var items: [OutboxItem] = []
    private var isLoaded = false
    private var failures = 0
    private var alarm: Task<Void, Never>?
    private let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - deliver: One try. Called for one item at a time.
    ///   - onChange: Called in order.
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
        (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Keeps `payload` for sending.
    ///
    /// - Throws: ``OutboxFull``; what the store throws. Nothing is kept then.
    @discardableResult
    public func add(lane: String, payload: Data) async throws -> OutboxItem {
        try await load()
        guard items.count < limits.items else { throw OutboxFull() }
        let item = OutboxItem(lane: lane, payload: payload, createdAt: now())
        try await store.append(item)
        items.append(item)
        await changed()
        return item
    }

    /// Tries a failed item again, or a waiting one at once.
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

    /// Forgets an item. What is on its way already may still be accepted.
    public func remove(id: OutboxItem.ID) async throws {
        try await load()
        try await store.remove(id: id)
        items.removeAll { $0.id == id }
        await changed()
    }

    /// Something has changed for the better: the line is open, the app is in front. Does not wait any longer.
    public nonisolated func wake() { bell.yield() }

    /// Sends until the task is cancelled. To be called once.
    public func run() async {
        bell.yield()
        for await _ in bells {
            alarm?.cancel()
            await sendWhatWaits()
        }
        alarm?.cancel()
    }

    /// Sends one after the other until nothing waits, or one has to wait longer.
    private func sendWhatWaits() async {
        do {
            try await load()
        } catch {
            // The disk does not answer: nothing can be sent without knowing what.
            return setAlarm()
        }
        while !Task.isCancelled {
            await expire()
            guard let item = items.first(where: { $0.state == .waiting }) else { return }
            switch await deliver(item) {
            case .accepted(let receipt):
                failures = 0
                // Where that fails it is sent once more later, and the service knows its id.
                try? await store.remove(id: item.id)
                items.removeAll { $0.id == item.id }
                await onChange(.accepted(item, receipt))
                await onChange(.items(items))
            case .refused(let reason):
                failures = 0
                await fail(item, reason)
            case .notNow(let reason):
                await onChange(.postponed(item, reason))
                return setAlarm()
            }
        }
    }

    /// Rings the bell after a while, longer after each failure.
    private func setAlarm() {
        failures += 1
        let (bell, clock) = (bell, clock)
        let delay = backoff.delay(after: failures, chance: .random(in: 0...1))
        alarm = Task { if (try? await clock.sleep(for: delay)) != nil { bell.yield() } }
    }

    private func load() async throws {
        guard !isLoaded else { return }
        let kept = try await store.items()
        // Another call may have been faster.
        guard !isLoaded else { return }
        items = kept
        isLoaded = true
        await onChange(.items(items))
    }

    private func changed() async {
        await onChange(.items(items))
        bell.yield()
    }

    private func expire() async {
        let oldest = now().addingTimeInterval(-TimeInterval(limits.age.components.seconds))
        for item in items where item.state == .waiting && item.createdAt < oldest { await fail(item, OutboxItem.expired) }
    }

    private func fail(_ item: OutboxItem, _ reason: String) async {
        guard let index = items.firstIndex(where: { $0.id == item.id }) else { return }
        items[index].state = .failed(reason)
        // Not written: it is tried once more after a restart.
        try? await store.update(items[index])
        await onChange(.items(items))
    }
}

/// So much waits that nothing more was taken.
public struct OutboxFull: Error, Hashable, Sendable {}
