import Foundation
import ServerKit
import StorageKit
import TestKit
import WireKit

@testable import PushKit

/// A directory in memory, which records what the outbox tells it.
final class TestDirectory: PushDirectory {
    struct Ended: Equatable {
        var recipient: String
        var target: String?
        var content: String
        var state: PushState
        var reason: PushReason?
        var receipt: PushReceipt?
    }

    struct Forgotten: Equatable {
        var route: PushRoute
        var since: Timestamp?
    }

    private struct State {
        var targets: [String: [PushTarget]] = [:]
        var ended: [Ended] = []
        var forgotten: [Forgotten] = []
        var unreadable: Set<String> = []
    }

    private let state = Locked(State())

    func set(_ targets: [PushTarget], of recipient: String) { state.withLock { $0.targets[recipient] = targets } }
    func setUnreadable(_ content: String) { state.withLock { _ = $0.unreadable.insert(content) } }

    var ended: [Ended] { state.withLock { $0.ended } }
    var forgotten: [Forgotten] { state.withLock { $0.forgotten } }

    private struct Unreadable: Error {}

    func targets(of entry: PushEntry, at time: Timestamp, in transaction: WriteTransaction) throws -> [PushTarget] {
        try state.withLock { state in
            if state.unreadable.contains(entry.text) { throw Unreadable() }
            return state.targets[entry.recipient] ?? []
        }
    }

    func forget(_ route: PushRoute, of entry: PushEntry, since: Timestamp?, in transaction: WriteTransaction) {
        state.withLock { state in
            state.forgotten.append(Forgotten(route: route, since: since))
            for index in (state.targets[entry.recipient] ?? []).indices {
                state.targets[entry.recipient]?[index].routes.removeAll { $0 == route }
            }
        }
    }

    func entryDidEnd(_ entry: PushEntry, by receipt: PushReceipt?, at time: Timestamp, in transaction: WriteTransaction) {
        let ended = Ended(
            recipient: entry.recipient, target: entry.target, content: entry.text, state: entry.state, reason: entry.reason,
            receipt: receipt)
        state.withLock { $0.ended.append(ended) }
    }
}

extension PushEntry {
    var text: String { String(decoding: content, as: UTF8.self) }
}

/// A clock on the wall that a test sets.
final class WallClock: Sendable {
    private let time = Locked(Timestamp(milliseconds: 1_790_000_000_000))

    var now: Timestamp { time.withLock { $0 } }
    func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

/// An outbox in a database of its own.
struct OutboxUnderTest: Sendable {
    let folder: TemporaryFolder
    let database: Database
    let directory: TestDirectory
    let clock: WallClock
    let metrics: MetricsRegistry
    let outbox: PushOutbox

    init(limits: PushLimits = PushLimits()) throws {
        folder = try TemporaryFolder()
        database = try TestDatabase.open(folder.file("push.db"), migrations: PushTables.migrations)
        directory = TestDirectory()
        clock = WallClock()
        metrics = MetricsRegistry()
        outbox = PushOutbox(
            database: database, directory: directory, system: "test", metrics: metrics, limits: limits,
            now: { [clock] in clock.now })
    }

    /// Enqueues an entry for `recipient`, who has one device unless the test has set others.
    func enqueue(
        _ content: String, for recipient: String = "ada", urgency: PushUrgency = .alert, topic: String? = nil,
        spacing: Duration = .zero, cause: Int64? = nil, delay: Duration = .zero, lifetime: Duration = .seconds(86_400)
    ) async throws {
        try await database.write { [outbox] transaction in
            try outbox.enqueue(
                PushDraft(
                    recipient: recipient, urgency: urgency, topic: topic, spacing: spacing, cause: cause,
                    content: Data(content.utf8), delay: delay, lifetime: lifetime), in: transaction)
        }
    }

    func withdraw(_ causes: ClosedRange<Int64>, for recipient: String = "ada") async throws {
        try await database.write { [outbox] in try outbox.withdraw(for: recipient, causes: causes, in: $0) }
    }

    /// The contents of the entries that can be claimed now.
    func claimed(_ limit: Int = 10) async throws -> [String] { try await outbox.claim(limit).claims.map(\.entry.text) }

    func claim() async throws -> PushClaim? { try await outbox.claim(1).claims.first }

    func states() async throws -> [PushState: Int] { try await outbox.counts() }

    /// True if a sender would not wait now. Finishes the bell.
    func isBellRung() async -> Bool {
        outbox.bell.finish()
        return await outbox.bell.wait()
    }
}

extension PushRoute {
    /// A route whose name shows up in tests.
    static func test(_ name: String) -> PushRoute { .ntfy(NtfyRoute(topic: name, message: NtfyMessage(title: "", text: ""))) }

    /// A Live Activity, which looks different from ``test(_:)``.
    static func activity(_ name: String) -> PushRoute {
        let payload = APNSPayload.liveActivityStart(
            at: Timestamp(milliseconds: 0), attributesType: "A", attributes: [:], state: [:], title: "", body: "")
        return .apns(APNSRoute(token: name, notification: APNSNotification(.liveActivity, payload)))
    }

    /// The name of a ``test(_:)`` or ``activity(_:)`` route.
    var name: String {
        switch self {
        case .ntfy(let ntfy): ntfy.topic
        case .apns(let apns): apns.token
        case .webPush: ""
        }
    }
}

extension PushTarget {
    static func test(_ id: String) -> PushTarget { PushTarget(id: id, routes: [.test(id)]) }
}
