import ClientKit
import Foundation
package import Pager2077Wire
import PlatformKit
import WireKit

/// Blocks and reports.
extension Pager {
    package func isBlocked(_ user: User.ID) -> Bool { blocked.items.contains { $0.id == user } }

    /// Blocks a user: no phone of this user receives anything more from them. The blocked user is not informed.
    ///
    /// - Throws: ``PagerProblem``.
    package func block(_ user: User.ID) async throws {
        _ = try await account.call(PagerEndpoints.block, ["userId": user.rawValue])
        await applyBlock(of: user)
    }

    /// Ends a block. Messages from the time of the block are not delivered.
    ///
    /// - Throws: ``PagerProblem``.
    package func unblock(_ user: User.ID) async throws {
        _ = try await account.call(PagerEndpoints.unblock, ["userId": user.rawValue])
        await applyUnblock(of: user)
    }

    /// Reports a user to the operator of the service, who does not learn the name of the reporter.
    ///
    /// - Parameters:
    ///   - message: A message that the user has sent; nil to report the user as such.
    ///   - blocks: True to block the user as well.
    /// - Throws: ``PagerProblem``.
    package func report(_ user: User.ID, message: Message.ID?, reason: ReportReason, blocks: Bool) async throws {
        let report = ReportCreation(userId: user, messageId: message, reason: reason, blocks: blocks)
        _ = try await account.call(PagerEndpoints.report, body: report)
        if blocks { await applyBlock(of: user) }
    }

    /// Fetches the operator's address, until it is known.
    package func loadContact() async {
        guard contact == nil, let service = try? await account.call(PagerEndpoints.serviceOperator) else { return }
        contact = service.contact.flatMap { URL(string: $0) }
    }

    /// Applies the start or the end of a block, made on any phone of the user.
    func blockDidChange(_ user: User.ID, isBlocked: Bool) {
        guard isBlocked != self.isBlocked(user) else { return }
        engine.tasks.request("block-\(user)") {
            if isBlocked { await self.applyBlock(of: user) } else { await self.applyUnblock(of: user) }
        }
    }

    private func applyBlock(of user: User.ID) async {
        let asked = requests.items.filter { $0.request.fromUserId == user }.map { Self.requestPrefix + $0.id.rawValue }
        forget(user)
        requests.change { $0.removeAll { $0.request.fromUserId == user } }
        await removeNotifications(of: user, asked)
        await loadBlocked()
    }

    private func applyUnblock(of user: User.ID) async {
        blocked.change { $0.removeAll { $0.id == user } }
        await loadBlocked()
        await loadFriends()
        await loadConversations()
    }

    /// Removes the notifications and the Live Activity that are about a user.
    ///
    /// - Parameter others: Further ids of notifications.
    private func removeNotifications(of user: User.ID, _ others: [String] = []) async {
        let chat = Self.chatPrefix + user.rawValue
        for id in [chat, Self.friendPrefix + user.rawValue] + others { await phone.notifications.remove(id: id) }
        await phone.activities.end(id: chat)
    }

    /// Records that the account of a former friend does not exist any more.
    func friendDidDeleteAccount(_ user: User.ID) {
        chat(with: user).isFriendDeleted = true
        blocked.change { $0.removeAll { $0.id == user } }
        engine.tasks.start { await self.removeNotifications(of: user) }
    }
}
