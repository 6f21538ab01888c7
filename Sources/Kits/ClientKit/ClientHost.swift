import Observation
package import PlatformKit

/// The base of every client of one phone, with a line or without one: what all screens share.
///
/// ```
///   run ─▶ open the database ─▶ the client's work, and the tasks that synchronous code starts ─▶ save
/// ```
@MainActor
@Observable
package final class ClientHost {
    /// The phone could not save the latest values, which are in memory only.
    package private(set) var isStorageFailing = false

    @ObservationIgnored package let phone: Phone
    /// Runs tasks that synchronous code starts.
    @ObservationIgnored package let tasks = TaskOwner()
    /// The values that survive the end of the app.
    @ObservationIgnored package let saved = SavedValues()
    /// Nil until it is open.
    @ObservationIgnored package private(set) var store: ClientStore?
    /// True while the phone has a network that can be used.
    @ObservationIgnored package private(set) var isOnline = true
    @ObservationIgnored private let sharedWork = SharedWork()
    @ObservationIgnored private var attentions: [ObjectIdentifier: ScreenAttention] = [:]

    package init(phone: Phone) { self.phone = phone }

    // MARK: Running

    /// Runs a client until the calling task is cancelled. Each screen calls it; the work is done once.
    ///
    /// - Parameters:
    ///   - start: Runs before everything else.
    ///   - work: Ends when its task is cancelled.
    ///   - end: Saves. A write runs to its end even in a task that is cancelled.
    package func run(
        start: @escaping @MainActor () async -> Void = {}, work: @escaping @MainActor () async -> Void,
        end: @escaping @MainActor () async -> Void
    ) async {
        await sharedWork.run {
            await start()
            await withTaskGroup { group in
                group.addTask { await self.tasks.run() }
                group.addTask { await work() }
            }
            await end()
        }
    }

    /// Follows the phone's network until the calling task is cancelled.
    ///
    /// - Parameter didChange: Called with each change. ``isOnline`` tells whether there is a network.
    package func followNetworkPath(_ didChange: @MainActor () -> Void) async {
        var isFirst = true
        for await link in phone.networkPath.links() {
            isOnline = link.isUsable
            if !isFirst { didChange() }
            isFirst = false
        }
    }

    // MARK: Storage

    /// Opens the database and reads the saved values, unless that was done.
    ///
    /// - Parameter prepare: Takes over what an earlier version has stored.
    /// - Returns: The failure, with which ``isStorageFailing`` becomes true.
    @discardableResult
    package func openStore(
        _ prepare: @escaping @Sendable (ClientStore) async throws -> Void = { _ in }
    ) async -> (any Error)? {
        guard store == nil else { return nil }
        return await noting { store = try await Self.openStore(of: phone, saved, prepare) }
    }

    @concurrent private static func openStore(
        of phone: Phone, _ saved: SavedValues, _ prepare: @Sendable (ClientStore) async throws -> Void
    ) async throws -> ClientStore {
        let store = try ClientStore(of: phone, saved: saved)
        try await prepare(store)
        try await store.load()
        return store
    }

    /// Saves all changes before it returns. A write that fails is repeated with the next one.
    ///
    /// - Returns: The failure, with which ``isStorageFailing`` becomes true.
    @discardableResult
    package func save(
        by write: (ClientStore) async throws -> Void = { try await $0.flush() }
    ) async -> (any Error)? {
        await noting { try await write(openedStore) }
    }

    /// - Throws: `PhoneError` without a database.
    package var openedStore: ClientStore {
        get throws {
            guard let store else { throw PhoneError.failed("there is no database") }
            return store
        }
    }

    /// - Returns: The failure of `body`.
    private func noting(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            if isStorageFailing { isStorageFailing = false }
            return nil
        } catch {
            if !isStorageFailing { isStorageFailing = true }
            return error
        }
    }

    // MARK: Screens

    /// True if a screen of the app is in front.
    package var isInFront: Bool { attentions.values.contains(.full) }
    /// True if a screen of the app is visible.
    package var isVisible: Bool { !attentions.isEmpty }

    package func attention(of screen: ObjectIdentifier) -> ScreenAttention { attentions[screen] ?? .away }

    /// Notes that a screen has come to the front or left it.
    ///
    /// - Returns: True if the app has come to the front with it, or left it.
    @discardableResult
    package func setAttention(_ attention: ScreenAttention, of screen: AnyObject) -> Bool {
        let wasInFront = isInFront
        attentions[ObjectIdentifier(screen)] = attention == .away ? nil : attention
        return isInFront != wasInFront
    }
}
