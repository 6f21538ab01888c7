import Pager2077Wire
import StorageKit
import WireKit

/// Friendships and the requests that lead to them.
///
/// ```
///            ask ──▶ pending ──accept──▶ friends ──remove──▶ (nothing; ask again)
///                       └──reject──▶ rejected (ask again)
/// ```
struct Friendships: Sendable {
    /// Maximum friends of one user. Each friend is notified of every change of status, and one reply lists all of them.
    static let maximumFriends = 1000
    /// Maximum requests that wait for one user's answer. Everyone who knows the hex code may send one.
    static let maximumPending = 1000

    let store: Database
    let pushes: PagerPushes
    let now: @Sendable () -> Timestamp

    func friends(of id: User.ID) async throws -> FriendList {
        try await store.read { transaction in
            _ = try transaction.caller(id)
            return FriendList(friends: try transaction.friends(shownTo: id))
        }
    }

    func pendingRequests(to id: User.ID) async throws -> PendingFriendRequests {
        try await store.read { transaction in
            _ = try transaction.caller(id)
            return PendingFriendRequests(requests: try transaction.pendingRequests(to: id))
        }
    }

    /// Sends a friend request to the owner of a hex code. When that user's own request to the caller is pending, the two are friends at
    /// once, and the result is that request, accepted.
    func request(_ creation: FriendRequestCreation, from id: User.ID) async throws -> FriendRequest {
        guard let hexCode = HexCode(rawValue: creation.toHexCode) else {
            throw PagerError(.invalidHexCode, "Invalid hex code format")
        }
        return try await store.write { [now, pushes] transaction in
            let caller = try transaction.caller(id)
            guard let other = try transaction.user(hexCode: hexCode) else { throw PagerError.userNotFound() }
            if other.id == id { throw PagerError.invalidInput("Cannot add yourself") }
            if try transaction.isBlocked(other.id, by: id) { throw PagerError.blocked }
            if try transaction.areFriends(id, other.id) { throw PagerError(.friendshipExists, "Already friends") }
            if try transaction.pendingRequest(from: id, to: other.id) != nil {
                throw PagerError(.duplicateRequest, "Friend request already sent")
            }
            let time = now()
            if let theirs = try transaction.pendingRequest(from: other.id, to: id) {
                return try transaction.accept(theirs, by: caller, asker: other, at: time, pushes)
            }
            guard try transaction.pendingRequestCount(to: other.id) < Self.maximumPending else {
                throw PagerError(.rateLimited, "Too many requests wait for this user", retryAfter: .seconds(3600))
            }
            let request = FriendRequest(
                id: .random(), fromUserId: id, toUserId: other.id, status: .pending, createdAt: time, updatedAt: time)
            // A blocked user gets the usual reply, but the request is not delivered.
            let isDropped = try transaction.isBlocked(id, by: other.id)
            try transaction.insert(request, isDropped: isDropped)
            if isDropped { return request }
            try transaction.notify(
                other,
                .friendRequest(
                    PendingFriendRequest(
                        request: request, fromUserHexCode: caller.hexCode, fromUserDisplayName: caller.displayName)),
                .friendRequest(requestId: request.id, senderName: caller.shownName, senderHexCode: caller.hexCode), at: time,
                by: pushes)
            return request
        }
    }

    /// - Returns: The sender of the request.
    func accept(_ requestID: FriendRequest.ID, by id: User.ID) async throws -> AcceptedFriend {
        try await store.write { [now, pushes] transaction in
            let (caller, request) = try transaction.pendingRequest(requestID, to: id)
            guard let asker = try transaction.user(request.fromUserId) else { throw PagerError.userNotFound() }
            _ = try transaction.accept(request, by: caller, asker: asker, at: now(), pushes)
            return AcceptedFriend(friend: try transaction.shown(asker, to: id))
        }
    }

    func reject(_ requestID: FriendRequest.ID, by id: User.ID) async throws {
        try await store.write { [now] transaction in
            var (_, request) = try transaction.pendingRequest(requestID, to: id)
            request.status = .rejected
            request.updatedAt = now()
            try transaction.update(request)
        }
    }

    /// Ends a friendship for both users.
    func remove(_ friendID: User.ID, from id: User.ID) async throws {
        try await store.write { [now] transaction in
            _ = try transaction.caller(id)
            guard try transaction.unfriend(id, friendID) else { throw PagerError(.notFound, "Friendship not found") }
            try transaction.append(.friendRemoved(friendId: id), for: friendID, at: now())
        }
    }
}

extension WriteTransaction {
    /// Returns the caller and a pending request to the caller, checked in the contract's order.
    fileprivate func pendingRequest(_ requestID: FriendRequest.ID, to id: User.ID) throws -> (UserRecord, FriendRequest) {
        let caller = try caller(id)
        guard let request = try friendRequest(requestID) else { throw PagerError(.notFound, "Friend request not found") }
        guard request.toUserId == id else { throw PagerError(.forbidden, "This friend request is not addressed to you") }
        guard request.status == .pending else { throw PagerError.invalidInput("Request already processed") }
        return (caller, request)
    }

    fileprivate func accept(
        _ request: FriendRequest, by caller: UserRecord, asker: UserRecord, at time: Timestamp, _ pushes: PagerPushes
    ) throws -> FriendRequest {
        for user in [caller, asker] where try friendCount(of: user.id) >= Friendships.maximumFriends {
            throw PagerError.invalidInput("Too many friends")
        }
        var accepted = request
        accepted.status = .accepted
        accepted.updatedAt = time
        try update(accepted)
        try befriend(caller.id, asker.id, at: time)
        try notify(
            asker, .friendAccepted(caller.asFriend), .friendAccepted(friendHexCode: caller.hexCode, friendId: caller.id),
            at: time, by: pushes)
        return accepted
    }
}
