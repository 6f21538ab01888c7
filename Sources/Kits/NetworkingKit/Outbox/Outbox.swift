package import Foundation
import WireKit

/// The queue of the user's messages, each delivered until the service accepts or refuses it.
///
/// The items of a lane are delivered one after the other, in order. Lanes do not wait for each other: an item that the service cannot take now
/// holds back its own conversation only.
///
/// An item is stored before ``add(_:)`` returns, and is removed only when the service has accepted it or the user discards it. An item
/// whose delivery was interrupted by the end of the process is delivered again with the same id.
///
/// `Receipt` is the service's reply to an item that it accepts.
package actor Outbox<Receipt: Hashable & Sendable> {
    /// The result of one attempt.
    package enum Delivery: Hashable, Sendable {
        case accepted(Receipt)
        /// The service was not reached or is busy, or the result is unknown: the item is retried. The code is for the screen.
        case notNow(String)
        /// The service failed while it handled the item: the item is retried, up to ``Limits/failures`` attempts in all.
        case failed(String)
        /// The service refuses the item.
        case refused(String)
    }

    /// A change that a screen shows.
    package enum Change: Hashable, Sendable {
        /// All items, in order, after each change.
        case items([OutboxItem])
        /// The service accepted an item, which was removed from the outbox.
        case accepted(OutboxItem, Receipt)
        /// An attempt failed for this reason. The item is retried.
        case postponed(OutboxItem, String)
    }

    package struct Limits: Hashable, Sendable {
        /// Maximum items in the outbox.
        package var items = 200
        /// Maximum age of an item, after which it fails.
        package var age: Duration = .seconds(24 * 3600)
        /// Maximum failures of the service with an item, after which the item fails: four minutes with the standard backoff.
        package var failures = 12
        package init() {}
    }

    /// A lane whose items are being delivered.
    private struct Lane {
        /// True if the next attempt is to be made at once.
        var isWoken = false
        /// The backoff, which ends once this stream is finished; nil during an attempt.
        var pause: AsyncStream<Never>.Continuation?

        mutating func wake() {
            isWoken = true
            pause?.finish()
        }
    }

    private enum Signal {
        /// A lane may have an item that no task delivers.
        case look
        /// All lanes retry now.
        case wake
    }

    private let store: any OutboxStore
    private let limits: Limits
    private let backoff: Backoff
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let deliver: @Sendable (OutboxItem) async -> Delivery
    private let onChange: @Sendable (Change) async -> Void
    /// The last call of `onChange` that was started.
    private var lastReport: Task<Void, Never>?

    private var items: [OutboxItem] = []
    private var isLoaded = false
    private var lanes: [String: Lane] = [:]
    /// Count of the service's failures with each item, since the user's last attempt.
    private var failures: [OutboxItem.ID: Int] = [:]
    private let signals: AsyncStream<Signal>
    private let signalQueue: AsyncStream<Signal>.Continuation

    /// - Parameters:
    ///   - deliver: Makes one attempt. Called for one item of a lane at a time.
    ///   - onChange: Called in the order of the changes, one after the other.
    package init(
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
        (signals, signalQueue) = AsyncStream.makeStream(of: Signal.self)
    }

    // MARK: Items

    /// Stores an item and delivers it.
    ///
    /// - Throws: ``OutboxFull``; the error of the store. Nothing is stored then.
    package func add(_ item: OutboxItem) async throws {
        try await load()
        guard items.count < limits.items else { throw OutboxFull() }
        try await store.append(item)
        items.append(item)
        await changed(item.lane)
    }

    /// Delivers a failed item again, or a waiting one at once.
    package func retry(id: OutboxItem.ID) async throws {
        try await load()
        guard var item = items.first(where: { $0.id == id }) else { return }
        item.state = .waiting
        item.createdAt = now()
        try await store.update(item)
        if let index = items.firstIndex(where: { $0.id == id }) { items[index] = item }
        failures[id] = nil
        await changed(item.lane)
    }

    /// Removes an item. The service may still accept it when its delivery is under way.
    package func remove(id: OutboxItem.ID) async throws {
        try await load()
        try await store.remove(id: id)
        let lane = items.first { $0.id == id }?.lane
        items.removeAll { $0.id == id }
        failures[id] = nil
        await changed(lane)
    }

    // MARK: Delivery

    /// Delivers now instead of after the backoff. Called when the line has opened, or the app has come to the front.
    package nonisolated func wake() { signalQueue.yield(.wake) }

    /// Delivers items until the task is cancelled. To be called once.
    package func run() async {
        signalQueue.yield(.look)
        var attempt = 0
        await withDiscardingTaskGroup { group in
            for await signal in signals {
                if signal == .wake { for lane in lanes.keys { lanes[lane]?.wake() } }
                do {
                    try await load()
                    attempt = 0
                } catch {
                    // The items cannot be read yet: tries again after the backoff.
                    attempt += 1
                    let (signalQueue, clock, delay) = (signalQueue, clock, delay(after: attempt))
                    group.addTask { if (try? await clock.sleep(for: delay)) != nil { signalQueue.yield(.look) } }
                }
                for item in items where item.state == .waiting && lanes[item.lane] == nil {
                    lanes[item.lane] = Lane()
                    group.addTask { await self.deliverItems(of: item.lane) }
                }
            }
            group.cancelAll()
        }
    }

    /// Delivers the items of a lane in order until none waits.
    private func deliverItems(of lane: String) async {
        defer { lanes[lane] = nil }
        var attempts = 0
        while !Task.isCancelled {
            await expire(lane)
            guard let item = items.first(where: { $0.lane == lane && $0.state == .waiting }) else { return }
            lanes[lane]?.isWoken = false
            var delivery = await deliver(item)
            if case .failed(let reason) = delivery {
                failures[item.id, default: 0] += 1
                if failures[item.id, default: 0] >= limits.failures { delivery = .refused(reason) }
            }
            switch delivery {
            case .accepted(let receipt):
                // If this fails, the item is delivered once more, and the service recognizes its id.
                try? await store.remove(id: item.id)
                items.removeAll { $0.id == item.id }
                failures[item.id] = nil
                await report(.accepted(item, receipt))
                await report(.items(items))
            case .refused(let reason): await fail(item, reason)
            case .notNow(let reason), .failed(let reason):
                attempts += 1
                await report(.postponed(item, reason))
                await pause(lane, for: delay(after: attempts))
                continue
            }
            attempts = 0
        }
    }

    /// Waits until the backoff ends, the lane is woken, or the task is cancelled.
    private func pause(_ lane: String, for delay: Duration) async {
        guard lanes[lane]?.isWoken == false else { return }
        let (end, pause) = AsyncStream.makeStream(of: Never.self)
        lanes[lane]?.pause = pause
        defer { lanes[lane]?.pause = nil }
        let clock = clock
        let timer = Task { if (try? await clock.sleep(for: delay)) != nil { pause.finish() } }
        defer { timer.cancel() }
        for await _ in end {}
    }

    private func delay(after attempts: Int) -> Duration { backoff.delay(after: attempts, random: .random(in: 0...1)) }

    private func load() async throws {
        guard !isLoaded else { return }
        let stored = try await store.items()
        // Another call may have loaded the items meanwhile.
        guard !isLoaded else { return }
        items = stored
        isLoaded = true
        await report(.items(items))
    }

    /// - Parameter lane: The lane in which the user has changed an item, and whose next item is tried at once; nil for none.
    private func changed(_ lane: String?) async {
        await report(.items(items))
        if let lane { lanes[lane]?.wake() }
        signalQueue.yield(.look)
    }

    /// Reports a change after the earlier ones. If an item is accepted while its addition is being reported, the acceptance must
    /// come second: otherwise the screen would not know the item, and would show it as waiting afterwards.
    private func report(_ change: Change) async {
        let report = Task { [lastReport, onChange] in
            await lastReport?.value
            await onChange(change)
        }
        lastReport = report
        await report.value
    }

    private func expire(_ lane: String) async {
        let oldest = now().addingTimeInterval(-TimeInterval(limits.age.components.seconds))
        for item in items where item.lane == lane && item.state == .waiting && item.createdAt < oldest {
            await fail(item, OutboxItem.expired)
        }
    }

    private func fail(_ item: OutboxItem, _ reason: String) async {
        guard let index = items.firstIndex(where: { $0.id == item.id }) else { return }
        items[index].state = .failed(reason)
        failures[item.id] = nil
        // If this fails, the item is delivered once more after a restart.
        try? await store.update(items[index])
        await report(.items(items))
    }
}

/// An error: the outbox holds its maximum of items.
package struct OutboxFull: Error, Hashable, Sendable {}
