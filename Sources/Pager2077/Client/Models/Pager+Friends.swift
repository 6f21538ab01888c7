import NetworkingKit
package import Pager2077Wire
import PlatformKit
import WireKit

extension Pager {
    /// Sends a friend request.
    ///
    /// - Returns: True if both are friends now, because the other user had sent a request already.
    /// - Throws: ``PagerProblem``.
    @discardableResult
    package func requestFriend(_ code: String) async throws -> Bool {
        guard let code = HexCode(rawValue: code) else { throw PagerProblem.invalidCode }
        guard code != me?.hexCode else { throw PagerProblem.ownCode }
        let request = try await account.call(
            PagerEndpoints.requestFriend, body: FriendRequestCreation(toHexCode: code.rawValue))
        guard request.status == .accepted else { return false }
        await loadFriends()
        await loadRequests()
        return true
    }

    /// Accepts a request: the sender becomes a friend.
    ///
    /// - Throws: ``PagerProblem``.
    package func accept(_ request: PendingFriendRequest) async throws {
        add(try await answer(request, PagerEndpoints.acceptRequest).friend)
    }

    /// Rejects a request. The service does not notify the sender.
    ///
    /// - Throws: ``PagerProblem``.
    package func reject(_ request: PendingFriendRequest) async throws {
        _ = try await answer(request, PagerEndpoints.rejectRequest)
    }

    private func answer<Reply: Decodable & Sendable>(
        _ request: PendingFriendRequest, _ endpoint: Endpoint<NoBody, Reply>
    ) async throws -> Reply {
        do {
            let reply = try await account.call(endpoint, ["requestId": request.id.rawValue])
            requests.change { $0.removeAll { $0.id == request.id } }
            await phone.notifications.remove(id: Self.requestPrefix + request.id.rawValue)
            return reply
        } catch {
            let problem = PagerProblem(error)
            if problem.isTemporary { throw problem }
            // Another phone has answered, or this one and the reply was lost: the lists are out of date.
            await loadRequests()
            await loadFriends()
            throw problem == .service(ErrorCode.invalidInput.rawValue) ? .requestGone : problem
        }
    }

    /// Ends a friendship, for both.
    ///
    /// - Throws: ``PagerProblem``.
    package func remove(_ friend: User.ID) async throws {
        _ = try await account.call(PagerEndpoints.removeFriend, ["friendId": friend.rawValue])
        forget(friend)
    }

    func add(_ friend: Friend) {
        if isBlocked(friend.id) { return }
        friends.change { friends in
            friends.removeAll { $0.id == friend.id }
            // The list keeps the service's order, by hex code.
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
