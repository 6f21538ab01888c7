import Observation
package import PlatformKit

/// The base of every client on a phone, with or without a line: the state and the work that all screens share.
///
/// ```
///   run ─▶ open the database ─▶ the client's work, and the tasks that synchronous code starts ─▶ save
/// ```
@MainActor
@Observable
package final class ClientHost {
    /// True if the phone could not save the latest values, which are in memory only.
    package private(set) var isStorageFailing = false

    @ObservationIgnored package let phone: Phone
    /// The owner of tasks that synchronous code starts.
    @ObservationIgnored package let tasks = TaskOwner()
    /// The values that survive the end of the app.
    @ObservationIgnored package let saved = SavedValues()
    /// The client's database; nil until it is open.
    @ObservationIgnored package private(set) var store: ClientStore?
    /// True while the phone has a network that can be used.
    @ObservationIgnored package private(set) var isOnline = true
    @ObservationIgnored private let sharedWork = SharedWork()
    @ObservationIgnored private var attentions: [ObjectIdentifier: ScreenAttention] = [:]

    package init(phone: Phone) { self.phone = phone }

    // MARK: Running

    /// Runs a client until the calling task is cancelled. Each screen calls this method; the work runs once.
    ///
    /// - Parameters:
    ///   - start: Runs before everything else.
    ///   - work: The client's work, until its task is cancelled.
    ///   - end: Saves the latest values. A write runs to its end even in a cancelled task.
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
    /// - Parameter didChange: Called after each change of the network, with ``isOnline`` up to date.
    package func followNetworkPath(_ didChange: @MainActor () -> Void) async {
        var isFirst = true
        for await link in phone.networkPath.links() {
            isOnline = link.isUsable
            if !isFirst { didChange() }
            isFirst = false
        }
    }

    // MARK: Storage

    /// Opens the database and reads the saved values, unless the database is open.
    ///
    /// - Parameter prepare: Takes over the data that an earlier version stored.
    /// - Returns: The error, which makes ``isStorageFailing`` true; nil on success.
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

    /// Saves all changes before it returns. The next save repeats a failed write.
    ///
    /// - Returns: The error, which makes ``isStorageFailing`` true; nil on success.
    @discardableResult
    package func save(
        by write: (ClientStore) async throws -> Void = { try await $0.flush() }
    ) async -> (any Error)? {
        await noting { try await write(openedStore) }
    }

    /// - Throws: `PhoneError` if the database is not open.
    package var openedStore: ClientStore {
        get throws {
            guard let store else { throw PhoneError.failed("there is no database") }
            return store
        }
    }

    /// - Returns: The error that `body` threw, which makes ``isStorageFailing`` true; nil on success.
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

    /// Records that a screen has come to the front or left it.
    ///
    /// - Returns: True if the app has thereby come to the front or left it.
    @discardableResult
    package func setAttention(_ attention: ScreenAttention, of screen: AnyObject) -> Bool {
        let wasInFront = isInFront
        attentions[ObjectIdentifier(screen)] = attention == .away ? nil : attention
        return isInFront != wasInFront
    }
}
