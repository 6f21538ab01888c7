import Foundation
import Pager2077Wire
import StorageKit
import WireKit

/// Where the pager keeps everything. The rules know only this; SQLite is one implementation, PostgreSQL could be another.
///
/// `PagerStoreTests` is the conformance suite of every implementation.
protocol PagerStore: Sendable {
    /// Reads from one consistent snapshot.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any PagerReading) throws -> Value) async throws -> Value

    /// Reads and writes in one transaction, alone. Returns once it is on disk; what `body` throws undoes it.
    func write<Value: Sendable>(_ body: @escaping @Sendable (any PagerWriting) throws -> Value) async throws -> Value

    /// A user's events after a cursor, then live. Without a cursor from now on.
    ///
    /// - Returns: The feed, and the number of the latest event at this moment.
    func feed(of user: User.ID, after: Int64?) async throws -> (feed: EventFeed, latest: Int64)

    /// How many notifications are in each state.
    func notificationCounts() async throws -> [OutboxState: Int]

    /// The oldest waiting notifications, in order.
    func waitingNotifications(limit: Int) async throws -> [(recipient: User.ID, notification: PagerNotification)]

    /// Removes what has outlived its limits.
    func prune(now: Timestamp) async throws

    func close()
}

/// Questions to the store.
protocol PagerReading {
    func user(_ id: User.ID) throws -> UserRecord?
    func user(hexCode: HexCode) throws -> UserRecord?
    func user(deviceToken: String) throws -> UserRecord?
    /// Users that are online and watched live (``UserRecord/isWatchedLive``).
    func usersWatchedLive() throws -> [User.ID]

    func areFriends(_ a: User.ID, _ b: User.ID) throws -> Bool
    /// By hex code.
    func friends(of user: User.ID) throws -> [UserRecord]
    func friendCount(of user: User.ID) throws -> Int
    func friendRequest(_ id: FriendRequest.ID) throws -> FriendRequest?
    func pendingRequest(from: User.ID, to: User.ID) throws -> FriendRequest?
    func pendingRequestCount(to user: User.ID) throws -> Int
    /// Newest first.
    func pendingRequests(to user: User.ID) throws -> [PendingFriendRequest]

    /// The latest messages between two users, oldest first; of equal times in the order of insertion.
    func messages(between a: User.ID, and b: User.ID, limit: Int) throws -> [Message]
    /// Friends with unread messages, the latest unread first.
    func conversations(of user: User.ID) throws -> [Conversation]

    func score(of user: User.ID, in game: Game) throws -> (score: Int, at: Timestamp)?
    /// The user and their friends, best first, of equal scores the earlier one first.
    func leaderboard(of user: User.ID, in game: Game) throws -> [Leaderboard.Entry]
}

/// Changes to the store, within one transaction.
protocol PagerWriting: PagerReading {
    /// `hexCode` and `deviceToken` must be free.
    func insert(_ user: UserRecord) throws
    func update(_ user: UserRecord) throws

    func insert(_ request: FriendRequest) throws
    func update(_ request: FriendRequest) throws
    func befriend(_ a: User.ID, _ b: User.ID, at: Timestamp) throws
    /// - Returns: Whether they were friends.
    func part(_ a: User.ID, _ b: User.ID) throws -> Bool

    func insert(_ message: Message) throws
    /// Marks all messages from one user to another as read.
    ///
    /// - Returns: The latest of those that were not read before.
    func markRead(from sender: User.ID, to reader: User.ID) throws -> Message.ID?

    func setScore(_ score: Int, of user: User.ID, in game: Game, at: Timestamp) throws

    /// Tells `user` over the live socket.
    ///
    /// - Returns: The event's number.
    @discardableResult
    func append(_ event: LiveEvent, for user: User.ID, at: Timestamp) throws -> Int64
    /// Has `user` notified from outside. `cause` is the number of the event that tells the same.
    func enqueue(_ notification: PagerNotification, for user: User.ID, cause: Int64?, at: Timestamp) throws
    /// Takes back what still waits to be sent to `user` because of these events.
    func withdrawNotifications(for user: User.ID, causes: ClosedRange<Int64>, at: Timestamp) throws
    /// Runs a command once for each `id` of `sender`; see `WriteTransaction.once` in StorageKit.
    func once(_ id: String, from sender: User.ID, content: Data, at: Timestamp, perform: () throws -> Data) throws -> Data
}
