import ClientKit
import Foundation
import NetworkingKit
import StorageKit
import TestKit
import Testing
import WireKit

/// Delivery of the outbox: once, in order, and only after acceptance.
@Suite struct OutboxTests {
    private typealias Outbox = NetworkingKit.Outbox<Data?>

    /// A service that accepts, or replies as configured.
    private final class Recipient: Sendable {
        struct State {
            var answers: [Outbox.Delivery] = []
            /// The answers to each attempt with the item of this text.
            var fixed: [String: Outbox.Delivery] = [:]
            var tried: [String] = []
            var accepted: [String] = []
            var items: [OutboxItem] = []
        }
        let state = Locked(State())
        var accepted: [String] { state.withLock { $0.accepted } }
        var tried: [String] { state.withLock { $0.tried } }
        var states: [OutboxItem.State] { state.withLock { $0.items.map(\.state) } }

        func take(_ item: OutboxItem) -> Outbox.Delivery {
            state.withLock { state in
                let text = String(decoding: item.payload, as: UTF8.self)
                state.tried.append(text)
                let answer = state.fixed[text] ?? (state.answers.isEmpty ? .accepted(nil) : state.answers.removeFirst())
                if answer == .accepted(nil) { state.accepted.append(text) }
                return answer
            }
        }
    }

    private func outbox(
        _ recipient: Recipient, store: any OutboxStore = MemoryOutbox(), limits: Outbox.Limits = .init(),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> Outbox {
        Outbox(
            store: store, limits: limits, clock: clock,
            onChange: { change in
                if case .items(let items) = change { recipient.state.withLock { $0.items = items } }
            },
            deliver: { recipient.take($0) })
    }

    private func add(_ texts: String..., at time: Date = Date(), to outbox: Outbox) async throws {
        for text in texts { try await outbox.add(item(text, at: time)) }
    }

    /// - Parameter text: Begins with the name of its lane, where that is not `a`.
    private func item(_ text: String, at time: Date = Date()) -> OutboxItem {
        OutboxItem(lane: text.hasPrefix("b") ? "b" : "a", payload: Data(text.utf8), createdAt: time)
    }

    @Test func itemsAreDeliveredInOrder() async throws {
        let recipient = Recipient()
        let outbox = outbox(recipient)
        try await add("1", "2", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.accepted == ["1", "2"] }
        try await add("3", to: outbox)
        try await eventually { recipient.accepted == ["1", "2", "3"] && recipient.states == [] }
        running.cancel()
        await running.value
    }

    @Test func onlyTheFirstItemIsRetriedWhileDisconnected() async throws {
        let recipient = Recipient()
        recipient.state.withLock { $0.answers = [.notNow("network"), .notNow("network")] }
        let outbox = outbox(recipient, clock: TestClock())
        try await add("1", "2", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.tried == ["1"] }
        outbox.wake()
        try await eventually { recipient.tried == ["1", "1"] }
        outbox.wake()
        try await eventually { recipient.accepted == ["1", "2"] }
        #expect(recipient.tried == ["1", "1", "1", "2"])
        running.cancel()
        await running.value
    }

    @Test func deliveryIsRetriedAutomatically() async throws {
        let recipient = Recipient()
        recipient.state.withLock { $0.answers = [.notNow("network")] }
        let clock = TestClock()
        let outbox = outbox(recipient, clock: clock)
        try await add("1", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.tried == ["1"] }
        try await clock.advance(by: .seconds(2))
        try await eventually { recipient.accepted == ["1"] }
        running.cancel()
        await running.value
    }

    /// The service answers an item of one lane with an error, again and again.
    @Test(arguments: [Outbox.Delivery.notNow("busy"), .failed("error")])
    private func lanesDoNotWaitForEachOther(_ answer: Outbox.Delivery) async throws {
        let recipient = Recipient()
        recipient.state.withLock { $0.fixed = ["1": answer] }
        let outbox = outbox(recipient, clock: TestClock())
        try await add("1", "2", "b1", "b2", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.accepted == ["b1", "b2"] }
        try await add("b3", to: outbox)
        try await eventually { recipient.accepted == ["b1", "b2", "b3"] }
        #expect(recipient.tried.filter { !$0.hasPrefix("b") } == ["1"])
        recipient.state.withLock { $0.fixed = [:] }
        outbox.wake()
        try await eventually { recipient.accepted == ["b1", "b2", "b3", "1", "2"] }
        running.cancel()
        await running.value
    }

    /// An attempt that does not end holds back its own lane only.
    @Test func aStalledAttemptDelaysItsOwnLaneOnly() async throws {
        let recipient = Recipient()
        let (stall, end) = AsyncStream.makeStream(of: Never.self)
        let outbox = Outbox(
            store: MemoryOutbox(), onChange: { _ in },
            deliver: { item in
                if item.lane == "a" { for await _ in stall {} }
                return recipient.take(item)
            })
        try await add("1", "b1", "b2", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.accepted == ["b1", "b2"] }
        end.finish()
        try await eventually { recipient.accepted == ["b1", "b2", "1"] }
        running.cancel()
        await running.value
    }

    @Test func anItemThatTheServiceFailsWithEndsAfterItsAttempts() async throws {
        let recipient = Recipient()
        recipient.state.withLock { $0.fixed = ["1": .failed("error")] }
        var limits = Outbox.Limits()
        limits.failures = 3
        let clock = TestClock()
        let outbox = outbox(recipient, limits: limits, clock: clock)
        try await add("1", "2", to: outbox)
        let running = Task { await outbox.run() }
        for count in 1..<3 {
            try await eventually { recipient.tried.count == count }
            try await clock.advance(by: .seconds(3))
        }
        try await eventually { recipient.accepted == ["2"] && recipient.states == [.failed("error")] }
        #expect(recipient.tried == ["1", "1", "1", "2"])
        // The user's own attempt begins the count again.
        let failed = try #require(recipient.state.withLock { $0.items.first })
        try await outbox.retry(id: failed.id)
        try await eventually { recipient.tried.count == 5 && recipient.states == [.waiting] }
        recipient.state.withLock { $0.fixed = [:] }
        outbox.wake()
        try await eventually { recipient.accepted == ["2", "1"] }
        running.cancel()
        await running.value
    }

    /// What the user does in a conversation ends its backoff, and no other one.
    @Test func removalOfAnItemLetsItsLaneGoOn() async throws {
        let recipient = Recipient()
        recipient.state.withLock { $0.fixed = ["1": .notNow("busy"), "b1": .notNow("busy")] }
        let outbox = outbox(recipient, clock: TestClock())
        let first = item("1")
        try await outbox.add(first)
        try await add("2", "b1", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.tried.sorted() == ["1", "b1"] }
        try await outbox.remove(id: first.id)
        try await eventually { recipient.accepted == ["2"] }
        #expect(recipient.tried.sorted() == ["1", "2", "b1"])
        running.cancel()
        await running.value
    }

    /// A wake during an attempt counts for the next one.
    @Test func noWakeIsLost() async throws {
        let recipient = Recipient()
        recipient.state.withLock { $0.answers = [.notNow("network")] }
        let wakes = Locked<(@Sendable () async -> Void)?>(nil)
        let outbox = Outbox(
            store: MemoryOutbox(), clock: TestClock(), onChange: { _ in },
            deliver: { item in
                await wakes.withLock { $0 }?()
                return recipient.take(item)
            })
        wakes.withLock { wakes in
            wakes = {
                outbox.wake()
                // Handled once a later signal has been.
                for _ in 0..<100 { await Task.yield() }
            }
        }
        try await add("1", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.accepted == ["1"] }
        running.cancel()
        await running.value
    }

    @Test func refusedItemStaysWithoutBlockingOthers() async throws {
        let recipient = Recipient()
        recipient.state.withLock { $0.answers = [.refused("NOT_FRIENDS")] }
        let outbox = outbox(recipient)
        try await add("1", "2", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.accepted == ["2"] && recipient.states == [.failed("NOT_FRIENDS")] }
        let failed = try #require(recipient.state.withLock { $0.items.first })
        try await outbox.retry(id: failed.id)
        try await eventually { recipient.accepted == ["2", "1"] }
        running.cancel()
        await running.value
    }

    @Test func itemCanBeRemoved() async throws {
        let recipient = Recipient()
        let outbox = outbox(recipient)
        let item = item("1")
        try await outbox.add(item)
        try await outbox.remove(id: item.id)
        try await add("2", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.accepted == ["2"] }
        running.cancel()
        await running.value
    }

    @Test func changesAreReportedInOrderThoughAScreenIsSlow() async throws {
        let delivered = Locked(false)
        let reports = Locked<[Outbox.Change]>([])
        let item = item("1")
        let outbox = Outbox(
            store: MemoryOutbox(),
            onChange: { change in
                // The screen takes the added item only after the service has accepted it; an outbox that does not wait for the screen has
                // reported that by now.
                if change == .items([item]) {
                    try? await eventually { delivered.withLock { $0 } }
                    try? await Task.sleep(for: .milliseconds(50))
                }
                reports.withLock { $0.append(change) }
            },
            deliver: { _ in
                delivered.withLock { $0 = true }
                return .accepted(nil)
            })
        let running = Task { await outbox.run() }
        try await eventually { reports.withLock { $0 } == [.items([])] }
        async let added: Void = outbox.add(item)
        try await eventually {
            outbox.wake()
            return delivered.withLock { $0 }
        }
        try await added
        try await eventually { reports.withLock { $0.last } == .items([]) && reports.withLock { $0.count } >= 4 }
        #expect(reports.withLock { $0 } == [.items([]), .items([item]), .accepted(item, nil), .items([])])
        running.cancel()
        await running.value
    }

    @Test func expiredItemFails() async throws {
        let recipient = Recipient()
        let outbox = outbox(recipient)
        try await add("1", at: Date() - (24 * 3600 + 1), to: outbox)
        try await add("2", to: outbox)
        let running = Task { await outbox.run() }
        try await eventually { recipient.accepted == ["2"] && recipient.states == [.failed(OutboxItem.expired)] }
        running.cancel()
        await running.value
    }

    @Test func capacityIsLimited() async throws {
        var limits = Outbox.Limits()
        limits.items = 2
        let outbox = outbox(Recipient(), limits: limits)
        try await add("1", "2", to: outbox)
        await #expect(throws: OutboxFull.self) { try await add("3", to: outbox) }
    }

    // MARK: Stores

    private enum Kind: CaseIterable { case memory, sqlite }

    private func store(_ kind: Kind, _ folder: TemporaryFolder) throws -> any OutboxStore {
        switch kind {
        case .memory: MemoryOutbox()
        case .sqlite: try ClientStore(folder: folder.url)
        }
    }

    @Test(arguments: Kind.allCases) private func storeKeepsOrderThroughChanges(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        let items = (1...3).map { number in
            OutboxItem(
                id: "\(number)", lane: "l\(number)", payload: Data([UInt8(number), 0]),
                createdAt: Date(timeIntervalSince1970: 1_700_000_000.5 + Double(number)))
        }
        for item in items { try await store.append(item) }
        #expect(try await store.items() == items)
        var changed = items[1]
        changed.state = .failed("why")
        try await store.update(changed)
        #expect(try await store.items() == [items[0], changed, items[2]])
        try await store.remove(id: "1")
        try await store.remove(id: "nobody")
        #expect(try await store.items() == [changed, items[2]])
    }

    @Test func itemsSurviveARestart() async throws {
        let folder = try TemporaryFolder()
        let recipient = Recipient()
        try await add("1", "2", to: outbox(recipient, store: ClientStore(folder: folder.url)))
        let second = outbox(recipient, store: try ClientStore(folder: folder.url))
        let running = Task { await second.run() }
        try await eventually { recipient.accepted == ["1", "2"] }
        running.cancel()
        await running.value
        #expect(try await ClientStore(folder: folder.url).items() == [])
    }

    @Test func nonDatabaseFileIsRefused() throws {
        let folder = try TemporaryFolder()
        try Data("no database at all, only words".utf8).write(to: ClientStore.file(in: folder.url))
        #expect(throws: StorageError.self) { try ClientStore(folder: folder.url) }
    }
}
