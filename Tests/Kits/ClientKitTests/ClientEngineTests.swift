import Foundation
import NetworkingKit
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

@testable import ClientKit

/// The engine with a test system whose line is a stream between two peers instead of a WebSocket.
@MainActor
@Suite struct ClientEngineTests {
    enum Incoming: Hashable, Sendable {
        case hello(Int64)
        case event(Int64, String)
    }
    enum Outgoing: Hashable, Sendable { case acknowledge(Int64), text(String), keepalive }

    /// The other peer.
    final class Peer: Sendable {
        struct State {
            var connection: Connection?
            var cursors: [Int64?] = []
            var written: [Outgoing] = []
            var refusal: LineFailure?
            var delivered: [String] = []
        }
        let state = Locked(State())
        var cursors: [Int64?] { state.withLock { $0.cursors } }
        var written: [Outgoing] { state.withLock { $0.written } }
        var delivered: [String] { state.withLock { $0.delivered } }

        func send(_ message: Incoming) { state.withLock { $0.connection }?.queue.yield(message) }
        /// Ends the connection with a final failure; nil breaks it.
        func end(_ failure: LineFailure? = nil) {
            let connection = state.withLock { state in
                state.connection?.failure.withLock { $0 = failure }
                return state.connection
            }
            connection?.queue.finish()
        }
    }

    final class Connection: LineConnection {
        private let peer: Peer
        private let messages: AsyncStream<Incoming>
        let queue: AsyncStream<Incoming>.Continuation
        let failure = Locked<LineFailure?>(nil)

        init(_ peer: Peer) {
            self.peer = peer
            (messages, queue) = AsyncStream.makeStream(of: Incoming.self)
        }

        func receive() async throws -> Incoming? {
            for await message in messages { return message }
            try Task.checkCancellation()
            if let failure = failure.withLock({ $0 }) { throw failure }
            return nil
        }
        func send(_ message: Outgoing) async throws { peer.state.withLock { $0.written.append(message) } }
        func ping() async throws {}
        func close() { queue.finish() }
        func abort() { queue.finish() }
        var endDescription: String { "" }
    }

    struct Identity: Equatable, Sendable {
        var name: String
        var peer: Peer
        static func == (a: Identity, b: Identity) -> Bool { a.name == b.name }
    }

    final class Model: ClientModel {
        let engine: ClientEngine<Model>
        let peer: Peer
        var texts: [String] = []
        var items: [OutboxItem] = []
        var failures: [LineFailure] = []
        var recovery = LineRecovery.stop
        var identities: [String] = []
        var signsIn = true
        var acknowledgesInFrontOnly = false

        init(
            _ phone: TestPhone, _ peer: Peer, clock: any Clock<Duration> = ContinuousClock(),
            change: (inout Phone) -> Void = { _ in }
        ) {
            self.peer = peer
            var phone = phone.phone(clock: clock)
            change(&phone)
            engine = ClientEngine(phone: phone, random: { 0.5 })
        }

        nonisolated static var numbering: EventCursor.Numbering { .contiguous }
        nonisolated static var formerPreferences: [String] { ["cursor"] }
        @concurrent nonisolated static func connect(
            as identity: Identity, after cursor: Int64?
        ) async throws -> any LineConnection<Incoming, Outgoing> {
            let connection = Connection(identity.peer)
            try identity.peer.state.withLock { state in
                if let refusal = state.refusal { throw refusal }
                state.cursors.append(cursor)
                state.connection = connection
            }
            return connection
        }
        nonisolated static func position(of message: Incoming) -> LogPosition {
            switch message {
            case .hello(let number): .newest(number)
            case .event(let number, _): .event(number)
            }
        }

        func restore() async throws {
            _ = try await engine.phone.keychain.data(for: "token")
            if signsIn { engine.signIn(Identity(name: "ada", peer: peer)) }
        }
        func work() async { identities.append(engine.identity?.name ?? "") }
        func lineDidChange() {}
        func received(_ message: Incoming) {
            guard case .event(_, let text) = message else { return }
            texts.append(text)
            engine.save(text, for: "last")
        }
        func lineDidFail(_ failure: LineFailure) async -> LineRecovery {
            failures.append(failure)
            return recovery
        }
        func acknowledgement(of number: Int64) -> Outgoing? {
            acknowledgesInFrontOnly && !engine.isInFront ? nil : .acknowledge(number)
        }
        func keepalive() -> Outgoing? { .keepalive }
        func deliver(_ item: OutboxItem) async -> Outbox<Bool>.Delivery {
            peer.state.withLock { $0.delivered.append(String(decoding: item.payload, as: UTF8.self)) }
            return .accepted(true)
        }
        func outboxDidChange(_ change: Outbox<Bool>.Change) { if case .items(let items) = change { self.items = items } }
        func notificationWasTapped(_ id: String) {}
    }

    private let phone = TestPhone()
    private let peer = Peer()

    private func until(_ model: Model, _ isTrue: @escaping @MainActor (Model) -> Bool) async throws {
        try await eventually { await isTrue(model) }
    }

    @Test func eventsAreAppliedInOrderSavedAndThenAcknowledged() async throws {
        let model = Model(phone, peer)
        let running = Task { await model.engine.run(model) }
        try await until(model) { $0.engine.lineStatus == .open }
        peer.send(.hello(0))
        for number in 1...20 { peer.send(.event(Int64(number), "\(number)")) }
        try await until(model) { $0.texts.count == 20 }
        #expect(model.texts == (1...20).map { "\($0)" })
        try await eventually { peer.written.last == .acknowledge(20) }
        // An acknowledged message is on disk.
        let saved = SavedValues()
        try await ClientStore(folder: phone.phone().folder(), saved: saved).load()
        #expect(saved.value(Int64.self, for: "cursor") == 20 && saved.value(String.self, for: "last") == "20")
        running.cancel()
        await running.value
        #expect(peer.cursors == [nil])
    }

    @Test func aScreenInFrontIsAskedBeforeAnAcknowledgement() async throws {
        let model = Model(phone, peer)
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        var questions = 0
        phone.askScreen = {
            questions += 1
            for await _ in answers { break }
        }
        model.engine.setAttention(.full, of: phone)
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        try await until(model) { $0.engine.lineStatus == .open }
        peer.send(.hello(0))
        for number in 1...3 { peer.send(.event(Int64(number), "\(number)")) }
        try await until(model) { $0.texts.count == 3 }
        try await eventually { await MainActor.run { questions == 1 } }
        #expect(peer.written == [])
        for _ in 1...3 { answer.yield() }
        try await eventually { peer.written.last == .acknowledge(3) }
    }

    @Test func aScreenThatDoesNotAnswerHasSeenNothing() async throws {
        let model = Model(phone, peer)
        model.acknowledgesInFrontOnly = true
        phone.askScreen = {
            model.engine.setAttention(.away, of: phone)
        }
        model.engine.setAttention(.full, of: phone)
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        try await until(model) { $0.engine.lineStatus == .open }
        peer.send(.hello(0))
        peer.send(.event(1, "unseen"))
        try await until(model) { !$0.engine.isInFront }
        // In the back nobody is asked. The next acknowledgement has the event that was not seen.
        model.acknowledgesInFrontOnly = false
        peer.send(.event(2, "stored"))
        try await eventually { !peer.written.isEmpty }
        #expect(peer.written == [.acknowledge(2)])
    }

    @Test func aRestartContinuesAfterTheLastEvent() async throws {
        for round in 0..<3 {
            let model = Model(phone, peer)
            let running = Task { await model.engine.run(model) }
            try await until(model) { $0.engine.lineStatus == .open }
            if round == 0 { peer.send(.hello(0)) }
            peer.send(.event(Int64(round), "again"))
            peer.send(.event(Int64(round + 1), "new"))
            try await until(model) { $0.texts.contains("new") }
            #expect(model.texts == ["new"])
            running.cancel()
            await running.value
        }
        #expect(peer.cursors == [nil, 1, 2])
    }

    @Test func aGapReconnectsAndIsReplayed() async throws {
        let model = Model(phone, peer)
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        try await until(model) { $0.engine.lineStatus == .open }
        peer.send(.hello(5))
        peer.send(.event(7, "lost one"))
        try await until(model) { $0.engine.lineStatus == .down }
        model.engine.wake()
        try await until(model) { $0.engine.lineStatus == .open }
        #expect(model.texts == [] && peer.cursors == [nil, 5])
    }

    @Test func aReplacedLineWaitsForTheUser() async throws {
        let model = Model(phone, peer)
        model.recovery = .waitForUser
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        try await until(model) { $0.engine.lineStatus == .open }
        peer.end(LineFailure(.service, "replaced", isFinal: true))
        try await until(model) { $0.engine.isReplaced }
        model.engine.wake()
        #expect(peer.cursors.count == 1)
        model.engine.reconnect()
        try await until(model) { $0.engine.lineStatus == .open && !$0.engine.isReplaced }
        #expect(model.failures.map(\.detail) == ["replaced"])
    }

    @Test func aFailureWithAPauseReopensTheLine() async throws {
        let clock = TestClock()
        let model = Model(phone, peer, clock: clock)
        model.recovery = .reopen(after: .seconds(30))
        peer.state.withLock { $0.refusal = LineFailure(.token, "unknown", isFinal: true) }
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        try await until(model) { !$0.failures.isEmpty }
        peer.state.withLock { $0.refusal = nil }
        try await clock.advance(by: .seconds(30))
        try await until(model) { $0.engine.lineStatus == .open }
    }

    @Test func eachIdentityIsServedUntilTheNextLogin() async throws {
        let model = Model(phone, peer)
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        try await until(model) { $0.engine.lineStatus == .open }
        // The same identity changes nothing.
        model.engine.signIn(Identity(name: "ada", peer: peer))
        let other = Peer()
        model.engine.signIn(Identity(name: "bob", peer: other))
        try await until(model) { $0.identities == ["ada", "bob"] && !other.cursors.isEmpty }
        model.engine.signOut()
        try await until(model) { $0.engine.lineStatus == .down && $0.engine.outbox == nil }
        #expect(peer.cursors.count == 1 && other.cursors.count == 1)
    }

    @Test func aDeliveredMessageRemovesItsDraft() async throws {
        let model = Model(phone, peer)
        let running = Task { await model.engine.run(model) }
        try await until(model) { $0.engine.outbox != nil }
        model.engine.save("hel", for: "draft")
        try await model.engine.deliver("hello", lane: "a", saving: SavedChange(String?.none, for: "draft"))
        try await eventually { peer.delivered == [#""hello""#] }
        try await until(model) { $0.items.isEmpty }
        running.cancel()
        await running.value
        let saved = SavedValues()
        try await ClientStore(folder: phone.phone().folder(), saved: saved).load()
        #expect(saved.value(String.self, for: "draft") == nil)
    }

    @Test func aKeepaliveIsSentAtEachHeartbeat() async throws {
        let clock = TestClock()
        let model = Model(phone, peer, clock: clock)
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        try await until(model) { $0.engine.lineStatus == .open }
        try await clock.advance(by: .seconds(30))
        try await eventually { peer.written == [.keepalive] }
    }

    @Test func aMissingFolderIsReportedAndTheLineContinues() async throws {
        var full = phone.phone()
        full.folder = { throw PhoneError.full }
        let model = Model(phone, peer)
        let engine = ClientEngine<Model>(phone: full)
        model.signsIn = false
        let running = Task { await engine.run(model) }
        defer { running.cancel() }
        engine.signIn(Identity(name: "ada", peer: peer))
        try await eventually { await MainActor.run { engine.lineStatus == .open } }
        engine.save("Ada", for: "name")
        try await eventually { await MainActor.run { engine.isStorageFailing } }
        #expect(engine.lineStatus == .open)
        await #expect(throws: PhoneError.self) { try await engine.deliver("hello", lane: "a") }
    }

    @Test func aLockedPhoneIsRestoredOnceItIsUnlocked() async throws {
        phone.isKeychainLocked = true
        let model = Model(phone, peer)
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        // Each time that the app comes to the front is an attempt.
        for count in 1...3 {
            try await eventually { [phone] in await MainActor.run { phone.lockedReadCount >= count } }
            model.engine.setAttention(.away, of: phone)
            if count < 3 { model.engine.setAttention(.full, of: phone) }
        }
        #expect(model.identities.isEmpty && peer.cursors.isEmpty)
        phone.isKeychainLocked = false
        try await until(model) { $0.engine.lineStatus == .open }
    }

    /// The files of a phone that was not unlocked since its start cannot be opened either.
    @Test func aDatabaseThatIsLockedIsOpenedAfterTheUnlock() async throws {
        phone.isKeychainLocked = true
        // A folder in the place of the file cannot be opened.
        let locked = try TemporaryFolder()
        try FileManager.default.createDirectory(at: ClientStore.file(in: locked.url), withIntermediateDirectories: true)
        let isLocked = Locked(true)
        let model = Model(phone, peer) { phone in
            let folder = phone.storedFolder
            phone.storedFolder = { isLocked.withLock { $0 } ? locked.url : folder() }
        }
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        try await until(model) { $0.engine.isStorageFailing }
        isLocked.withLock { $0 = false }
        phone.isKeychainLocked = false
        try await until(model) { $0.engine.lineStatus == .open && $0.engine.outbox != nil && !$0.engine.isStorageFailing }
    }

    @Test func theForegroundWakesTheLine() async throws {
        let clock = TestClock()
        let model = Model(phone, peer, clock: clock)
        let running = Task { await model.engine.run(model) }
        defer { running.cancel() }
        try await until(model) { $0.engine.lineStatus == .open }
        peer.end()
        try await until(model) { $0.engine.lineStatus == .down }
        let screen = NSObject()
        model.engine.setAttention(.full, of: screen)
        try await until(model) { $0.engine.lineStatus == .open }
        #expect(model.engine.isInFront)
        model.engine.setAttention(.partial, of: screen)
        #expect(!model.engine.isInFront && model.engine.isVisible)
    }
}
