import NetworkingKit
public import Pager2077Wire
public import WireKit

extension Pager {
    /// Asks somebody to be friends.
    ///
    /// - Returns: Whether they are friends now, because the other had asked already.
    /// - Throws: ``PagerProblem``.
    @discardableResult
    public func requestFriend(_ code: String) async throws -> Bool {
        guard let code = HexCode(rawValue: code) else { throw PagerProblem.invalidCode }
        guard code != me?.hexCode else { throw PagerProblem.ownCode }
        let request = try await authorized {
            try await $0.call(PagerEndpoints.requestFriend, body: FriendRequestCreation(toHexCode: code.rawValue), token: $1)
        }
        guard request.status == .accepted else { return false }
        await loadFriends()
        await loadRequests()
        return true
    }

    /// Makes whoever asked a friend.
    ///
    /// - Throws: ``PagerProblem``.
    public func accept(_ request: PendingFriendRequest) async throws {
        let accepted = try await answering(request) {
            try await $0.call(PagerEndpoints.acceptRequest, ["requestId": request.id.rawValue], token: $1)
        }
        add(accepted.friend)
    }

    /// Turns a request down; the one who asked is not told.
    ///
    /// - Throws: ``PagerProblem``.
    public func reject(_ request: PendingFriendRequest) async throws {
        _ = try await answering(request) {
            try await $0.call(PagerEndpoints.rejectRequest, ["requestId": request.id.rawValue], token: $1)
        }
    }

    private func answering<Value: Sendable>(
        _ request: PendingFriendRequest, _ call: @escaping @Sendable (PagerAPI, String) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await authorized(call)
            requests.change { $0.removeAll { $0.id == request.id } }
            return value
        } catch {
            let problem = PagerProblem(error)
            if problem.isTemporary { throw problem }
            // Answered elsewhere meanwhile, or here and the reply was lost: the lists are out of date.
            await loadRequests()
            await loadFriends()
            throw problem == .service(ErrorCode.invalidInput.rawValue) ? .requestGone : problem
        }
    }

    /// Ends a friendship, for both.
    ///
    /// - Throws: ``PagerProblem``.
    public func remove(_ friend: User.ID) async throws {
        _ = try await authorized { try await $0.call(PagerEndpoints.removeFriend, ["friendId": friend.rawValue], token: $1) }
        forget(friend)
    }

    func add(_ friend: Friend) {
        friends.change { friends in
            friends.removeAll { $0.id == friend.id }
            // Ordered as the service does.
            let index = friends.firstIndex { $0.hexCode.rawValue > friend.hexCode.rawValue } ?? friends.endIndex
            friends.insert(friend, at: index)
        }
        if friends.phase != .ready { friends.phase = .ready }
        requests.change { $0.removeAll { $0.request.fromUserId == friend.id } }
    }

    func forget(_ friend: User.ID) {
        if self.friend(friend) != nil { chat(with: friend).formerName = name(of: friend) }
        friends.change { $0.removeAll { $0.id == friend } }
        conversations.change { $0.removeAll { $0.friendId == friend } }
    }
}
