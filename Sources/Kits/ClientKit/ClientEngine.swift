package import Foundation
package import NetworkingKit
import Observation
package import PlatformKit
import WireKit

/// The engine that runs one client of one service on one phone, for all screens that show the client.
///
/// ```
///   run() ─▶ open the database ─▶ restore ─▶ while a user is signed in:
///                                              line         connect, receive, save, acknowledge, reconnect
///                                              outbox       deliver in order, retry
///                                              network path, notifications, the model's own work
/// ```
@MainActor
@Observable
package final class ClientEngine<Model: ClientModel> {
    package private(set) var lineStatus = LineStatus.down
    /// The time of the line's next attempt; nil unless it waits for one.
    package private(set) var nextAttempt: Date?
    /// True if the line stays closed until ``reconnect()``: another connection replaced it, or the user has to decide.
    package private(set) var isReplaced = false
    package var isStorageFailing: Bool { host.isStorageFailing }

    package var phone: Phone { host.phone }
    package var tasks: TaskOwner { host.tasks }
    /// The values that survive the end of the app. Save changes by ``save(_:for:)``.
    package var saved: SavedValues { host.saved }
    @ObservationIgnored private let host: ClientHost
    @ObservationIgnored package private(set) var identity: Model.Identity?
    @ObservationIgnored package private(set) var outbox: Outbox<Model.Receipt>?

    @ObservationIgnored private weak var model: Model?
    @ObservationIgnored private let random: @Sendable () -> Double
    @ObservationIgnored private let now: @Sendable () -> Date
    @ObservationIgnored private var cursor = EventCursor(numbering: Model.numbering)
    @ObservationIgnored private var needsAcknowledgement = false
    /// Returns the time until ``nextAttempt`` by the phone's clock, which a change of the wall clock does not affect.
    @ObservationIgnored private var timeToNextAttempt: (() -> Duration)?
    @ObservationIgnored private var line: LineRunner<Model.Incoming, Model.Outgoing>?
    /// Requests the next attempt to restore the model, while the phone is locked.
    @ObservationIgnored private var nextRestoration: AsyncStream<Void>.Continuation?
    /// Finishes with the next change of the identity.
    @ObservationIgnored private var identityChange: AsyncStream<Never>.Continuation?
    @ObservationIgnored private var reconnects: AsyncStream<Void>.Continuation?

    /// - Parameter random: Returns a number from 0 to 1, for the jitter of the backoff.
    package init(
        phone: Phone, now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        host = ClientHost(phone: phone)
        self.now = now
        self.random = random
    }

    // MARK: Running

    /// Runs the client until the calling task is cancelled. Each screen calls this method; the work runs once.
    package func run(_ model: Model) async {
        self.model = model
        await host.run {
            await self.followIdentity(model)
        } end: {
            await self.save()
        }
    }

    /// Serves each identity from sign-in to sign-out.
    private func followIdentity(_ model: Model) async {
        await restore(model)
        while !Task.isCancelled {
            let current = identity
            await withTaskGroup { group in
                if let current { group.addTask { await self.serve(current, model) } }
                await self.waitForIdentity(otherThan: current)
                group.cancelAll()
            }
        }
    }

    /// Restores the model. On a locked phone, which a push can wake, this repeats until the keychain's secrets can be read.
    private func restore(_ model: Model) async {
        let (attempts, attempt) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        nextRestoration = attempt
        let unlocks = phone.keychain.unlocks()
        await withTaskGroup { group in
            group.addTask { for await _ in unlocks { attempt.yield() } }
            attempt.yield()
            for await _ in attempts {
                await openStore()
                if (try? await model.restore()) != nil { break }
                // The secrets may become readable only some time after the unlock.
                let clock = phone.clock
                group.addTask {
                    if (try? await clock.sleep(for: Self.restorationPause)) != nil, await self.isInFront { attempt.yield() }
                }
            }
            group.cancelAll()
        }
        nextRestoration = nil
    }

    /// The time between two attempts to restore the model of an app that is in front.
    private static var restorationPause: Duration { .seconds(1) }

    private func waitForIdentity(otherThan current: Model.Identity?) async {
        while identity == current, !Task.isCancelled {
            let (change, continuation) = AsyncStream.makeStream(of: Never.self)
            identityChange = continuation
            for await _ in change {}
        }
    }

    private func serve(_ identity: Model.Identity, _ model: Model) async {
        let outbox = makeOutbox(model)
        self.outbox = outbox
        await withTaskGroup { group in
            group.addTask { await outbox?.run() }
            group.addTask { await self.followLine(identity, model) }
            group.addTask { await self.host.followNetworkPath { if self.host.isOnline { self.wake() } } }
            group.addTask { await self.followNotifications(model) }
            group.addTask { await model.work() }
        }
        lineStatus = .down
        self.outbox = nil
    }

    private func followNotifications(_ model: Model) async {
        for await id in phone.notifications.taps() { model.notificationWasTapped(id) }
    }

    /// Retries failed connections and deliveries now. Called when the app comes to the front, or the network changes.
    package func wake() {
        line?.wake()
        outbox?.wake()
    }

    // MARK: Identity

    package func signIn(_ identity: Model.Identity) {
        guard identity != self.identity else { return }
        self.identity = identity
        identityChange?.finish()
    }

    package func signOut() {
        guard identity != nil else { return }
        identity = nil
        identityChange?.finish()
    }

    // MARK: Line

    private func followLine(_ identity: Model.Identity, _ model: Model) async {
        let (reconnects, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.reconnects = continuation
        defer { self.reconnects = nil }
        var iterator = reconnects.makeAsyncIterator()
        while let failure = await runLine(identity, model), !Task.isCancelled, identity == self.identity {
            switch await model.lineDidFail(failure) {
            case .stop: return
            case .reopen(let delay): try? await phone.clock.sleep(for: delay)
            case .waitForUser:
                isReplaced = true
                _ = await iterator.next()
            }
        }
    }

    /// - Returns: The failure that ended the line; nil if the calling task was cancelled.
    private func runLine(_ identity: Model.Identity, _ model: Model) async -> LineFailure? {
        let line = LineRunner<Model.Incoming, Model.Outgoing>(
            line: Line(backoff: Model.backoff, random: random), clock: phone.clock,
            keepalive: { await model.keepalive() }
        ) {
            try await Model.connect(as: identity, after: await self.cursor.value)
        }
        self.line = line
        isReplaced = false
        let elapsed = stopwatch(phone.clock)
        defer {
            self.line = nil
            lineStatus = .down
            nextAttempt = nil
        }
        return await line.run(onState: { await self.lineDidChange($0, elapsed) }, onMessage: received)
    }

    /// - Parameter elapsed: Returns the time since the line was created.
    private func lineDidChange(_ state: Line.State, _ elapsed: @escaping @Sendable () -> Duration) {
        if case .waiting(let due, _) = state {
            timeToNextAttempt = { due - elapsed() }
            nextAttempt = now().addingTimeInterval((due - elapsed()) / .seconds(1))
        } else if nextAttempt != nil {
            nextAttempt = nil
        }
        let status = LineStatus(state)
        guard status != lineStatus else { return }
        lineStatus = status
        if status == .open { outbox?.wake() }
        model?.lineDidChange()
    }

    /// Calls `show` with the seconds until the next attempt, now and each second, until the attempt or the end of the calling task.
    package func followSecondsToNextAttempt(_ show: @MainActor (Int) -> Void) async {
        while nextAttempt != nil, let timeToNextAttempt {
            show(max(1, Int((timeToNextAttempt() / .seconds(1)).rounded(.up))))
            guard (try? await phone.clock.sleep(for: .seconds(1))) != nil else { return }
        }
    }

    /// - Throws: `EventCursor.Gap`, which ends the connection. The next connection replays the events after the cursor.
    private func received(_ message: Model.Incoming) throws {
        guard let model else { return }
        let (before, position) = (cursor.value, Model.position(of: message))
        if try cursor.advance(over: position) { try model.received(message) }
        if cursor.value != before { saved.set(cursor.value, for: Self.cursorKey) }
        if case .event = position { needsAcknowledgement = true }
        if needsAcknowledgement || saved.isDirty { saveSoon() }
    }

    /// Acknowledges all saved events again.
    package func acknowledge() {
        needsAcknowledgement = true
        saveSoon()
    }

    /// Enqueues a message on the line, without waiting. Has no effect while the line is down.
    package func enqueue(_ message: Model.Outgoing) { line?.enqueue(message) }

    /// Writes a message on the open line.
    ///
    /// - Throws: `TransportError`.
    package func send(_ message: Model.Outgoing) async throws {
        guard let line, lineStatus == .open else { throw TransportError(.ended, "the line is down") }
        try await line.send(message)
    }

    /// Takes the line back from another connection, or retries now.
    package func reconnect() {
        if isReplaced { reconnects?.yield() } else { wake() }
    }

    // MARK: Saved values

    private static var cursorKey: String { "cursor" }

    /// Resets the cursor: the next connection begins at the end of the event log.
    package func resetCursor() {
        cursor = EventCursor(numbering: Model.numbering)
        save(Int64?.none, for: Self.cursorKey)
    }

    /// - Parameter isIncidental: True if this value alone is no reason to create the database, because it can be fetched again.
    package func save<Value: Encodable>(_ value: Value?, for key: String, isIncidental: Bool = false) {
        saved.set(value, for: key, isIncidental: isIncidental)
        if saved.isDirty { saveSoon() }
    }

    /// Removes all values except those of `keys`, and resets the cursor.
    package func removeSavedValues(except keys: Set<String>) {
        saved.removeAll(except: keys.union([ClientStore.takeoverKey]))
        resetCursor()
        saveSoon()
    }

    /// Returns once every change so far is on disk.
    ///
    /// - Throws: `PhoneError` and `StorageError`.
    package func flush() async throws {
        try await host.openedStore.flush()
    }

    private func saveSoon() { tasks.request(Self.cursorKey) { await self.save() } }

    private func save() async {
        let acknowledged = needsAcknowledgement ? cursor.value : nil
        needsAcknowledgement = false
        guard await host.save(by: { try await $0.save() }) == nil else {
            // The events are not acknowledged either; the next save covers them.
            needsAcknowledgement = needsAcknowledgement || acknowledged != nil
            return
        }
        if let acknowledged { acknowledge(upTo: acknowledged) }
    }

    /// Acknowledges the saved events. While the app is in front, services regard acknowledged events as seen by the user. So the
    /// screen is asked first, and leaves the front if it does not answer.
    private func acknowledge(upTo number: Int64) {
        guard let message = model?.acknowledgement(of: number) else { return }
        guard isInFront else { return enqueue(message) }
        tasks.request("acknowledgement") { [identity] in
            await self.phone.askScreen()
            guard !Task.isCancelled, identity == self.identity else { return }
            if let message = self.model?.acknowledgement(of: number) { self.enqueue(message) }
        }
    }

    private func openStore() async {
        await host.openStore { [phone] in try await Self.takeOver(into: $0, of: phone) }
        if cursor.value == nil { cursor = EventCursor(saved.value(for: Self.cursorKey), numbering: Model.numbering) }
    }

    /// Takes over the data that an earlier version stored.
    private nonisolated static func takeOver(into store: ClientStore, of phone: Phone) async throws {
        var former: [String: Data] = [:]
        for key in Model.formerPreferences {
            guard let value = await phone.preferences.value(JSONValue.self, for: key) else { continue }
            former[key] = try JSONEncoder().encode([value])
        }
        try await store.takeOver(former, oldOutbox: phone.storedFolder()?.appending(path: "outbox.db").path)
        for key in former.keys { await phone.preferences.set(Bool?.none, for: key) }
        if let change = Model.formerOutboxChange { try await store.changeItems(change) }
    }

    // MARK: Outbox

    private func makeOutbox(_ model: Model) -> Outbox<Model.Receipt>? {
        guard let store = host.store else { return nil }
        return Outbox(
            store: store, clock: phone.clock, now: now, onChange: { [weak model] in await model?.outboxDidChange($0) },
            deliver: { [weak model] in await model?.deliver($0) ?? .notNow("") })
    }

    /// Stores a message before it returns, and delivers it until the service accepts or refuses it.
    ///
    /// - Parameters:
    ///   - content: The message; for a REST service the request body, which ``ClientModel/deliver(_:)`` sends as it is stored.
    ///   - id: The idempotency key, new for each message.
    ///   - lane: The key of the conversation, in which messages are delivered in order.
    ///   - change: A change to be saved in the same transaction, such as the end of the draft.
    /// - Throws: `OutboxFull`; `PhoneError` and `StorageError` if the phone cannot store the message. Only `change` is saved then.
    package func deliver(
        _ content: some Encodable, id: OutboxItem.ID = OutboxItem.newID(), lane: String, saving change: SavedChange? = nil
    ) async throws {
        guard let outbox else { throw PhoneError.failed("there is no database") }
        let item = OutboxItem(id: id, lane: lane, payload: try WireJSON.encode(content), createdAt: now())
        if let change { saved.set(change, with: item.id) }
        do {
            try await outbox.add(item)
        } catch {
            saved.release(item.id)
            saveSoon()
            throw error
        }
    }

    /// Removes all items, including those that the outbox has not read yet.
    package func emptyOutbox(_ items: [OutboxItem]) async {
        for item in items { try? await outbox?.remove(id: item.id) }
        try? await host.store?.removeAllItems()
    }

    // MARK: Screens

    /// True if a screen of the app is in front.
    package var isInFront: Bool { host.isInFront }
    /// True if a screen of the app is visible.
    package var isVisible: Bool { host.isVisible }

    package func attention(of screen: ObjectIdentifier) -> ScreenAttention { host.attention(of: screen) }

    /// Records that a screen has come to the front or left it.
    package func setAttention(_ attention: ScreenAttention, of screen: AnyObject) {
        guard host.setAttention(attention, of: screen) else { return }
        if isInFront {
            nextRestoration?.yield()
            wake()
        }
        model?.foregroundDidChange()
    }
}
