import Pager2077Wire
import StorageKit
import WireKit

/// Blocks: a user receives nothing more from a blocked user, who is not informed.
///
/// The blocked user's calls succeed as before, but messages and friend requests are stored for their sender alone. A friendship
/// stays, and the blocking user appears to be offline. Data from before the block is not changed.
struct Blocks: Sendable {
    /// Maximum users that one user can block.
    static let maximumCount = 1000

    let store: Database
    let pushes: PagerPushes
    let now: @Sendable () -> Timestamp

    func list(of id: User.ID) async throws -> BlockList {
        try await store.read { transaction in
            _ = try transaction.caller(id)
            return BlockList(users: try transaction.blockedUsers(of: id))
        }
    }

    func block(_ other: User.ID, by id: User.ID) async throws {
        try await store.write { [now, pushes] transaction in
            try transaction.block(other, by: try transaction.caller(id), at: now(), pushes)
        }
    }

    func unblock(_ otherID: User.ID, by id: User.ID) async throws {
        try await store.write { [now, pushes] transaction in
            let caller = try transaction.caller(id)
            guard try transaction.removeBlock(of: otherID, by: id) else { return }
            let time = now()
            try transaction.append(.block(userId: otherID, isBlocked: false), for: id, at: time)
            guard caller.status == .online, let other = try transaction.user(otherID) else { return }
            try transaction.announce(caller, to: other, .online, lastSeen: caller.lastSeen, at: time, pushes)
        }
    }
}

extension WriteTransaction {
    /// Blocks a user, unless that was done already.
    func block(_ otherID: User.ID, by caller: UserRecord, at time: Timestamp, _ pushes: PagerPushes) throws {
        guard let other = try user(otherID) else { throw PagerError.userNotFound() }
        if other.id == caller.id { throw PagerError.invalidInput("Cannot block yourself") }
        if try isBlocked(other.id, by: caller.id) { return }
        guard try blockCount(of: caller.id) < Blocks.maximumCount else { throw PagerError.invalidInput("Too many blocked users") }
        try insertBlock(of: other.id, by: caller, at: time)
        // The event informs the caller's other phones.
        try append(.block(userId: other.id, isBlocked: true), for: caller.id, at: time)
        if caller.status == .online { try announce(caller, to: other, .offline, lastSeen: time, at: time, pushes) }
    }

    /// Announces a status to a friend; nothing for other users, who see no status.
    fileprivate func announce(
        _ user: UserRecord, to friend: UserRecord, _ status: User.Status, lastSeen: Timestamp, at time: Timestamp,
        _ pushes: PagerPushes
    ) throws {
        guard try areFriends(user.id, friend.id) else { return }
        try notify(
            friend, .friendStatus(friendId: user.id, status: status, lastSeen: lastSeen),
            .friendStatus(friendHexCode: user.hexCode, status: status), at: time, by: pushes)
    }
}
