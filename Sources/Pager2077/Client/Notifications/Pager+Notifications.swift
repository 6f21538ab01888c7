import ClientKit
package import Pager2077Wire
public import PlatformKit
import WireKit

/// Notifications that the app shows by itself, taps, silent pushes and the badge.
extension Pager {
    /// The notification of an event. Its id is the tag of the push with the same content.
    enum Notice {
        case message(Message)
        case friendRequest(PendingFriendRequest)
        case friendAccepted(Friend)

        var id: String {
            switch self {
            case .message(let message): Pager.chatPrefix + message.senderId.rawValue
            case .friendRequest(let request): Pager.requestPrefix + request.id.rawValue
            case .friendAccepted(let friend): Pager.friendPrefix + friend.id.rawValue
            }
        }
    }

    nonisolated static let (chatPrefix, requestPrefix, friendPrefix) = ("chat-", "request-", "friend-")

    /// Shows a notification unless the app is in front, or the service's push shows it.
    ///
    /// An open page shows an event at once; a push with the same tag replaces it silently. Left to the push are missed events,
    /// whose push came while the line was down, and all events of a phone whose push service replaces no notification silently.
    ///
    /// Does not wait for the notification, since a page in the background may take long.
    func notify(_ notice: Notice, isMissed: Bool) {
        guard !isInFront, notifications.isWanted, !isLeftToPush(isMissed) else { return }
        let shown = localNotification(notice)
        // Without permission, or a page to show it, the user finds the message in MESSAGES.
        engine.tasks.start { [phone] in try? await phone.notifications.show(shown) }
    }

    private func isLeftToPush(_ isMissed: Bool) -> Bool {
        switch notifications.pushAddress {
        case nil: false
        case .webPush: isMissed
        case .apns, .ntfy: true
        }
    }

    private func localNotification(_ notice: Notice) -> LocalNotification {
        let words = notifications.words
        func sentence(_ words: String, _ name: String) -> String { words.replacing("%@", with: name) }
        let (title, body) =
            switch notice {
            case .message(let message):
                (
                    "📟 \(message.senderDisplayName)",
                    notifications.showsPreviews ? Self.preview(of: message.text) : words.message
                )
            case .friendRequest(let request):
                ("👋 \(words.friendRequest)", sentence(words.wantsToBeFriends, request.shownName))
            case .friendAccepted(let friend):
                ("✅ \(words.friendAccepted)", sentence(words.acceptedRequest, friend.shownName))
            }
        return LocalNotification(id: notice.id, title: title, body: body)
    }

    /// Shortens text over 100 characters to the first 97 and three dots (contract, section 3).
    private static func preview(of text: String) -> String { text.count > 100 ? text.prefix(97) + "..." : text }

    /// Returns the id of the notification that a push shows.
    ///
    /// - Parameter fields: The members of the push for the app (contract, section 3).
    /// - Returns: Nil for a push that opens nothing.
    public nonisolated static func notificationID(ofPush fields: [String: String]) -> String? {
        switch fields["type"] {
        case "MESSAGE": fields["senderId"].map { chatPrefix + $0 }
        case "FRIEND_REQUEST": fields["requestId"].map { requestPrefix + $0 }
        case "FRIEND_ACCEPTED": fields["friendHexCode"].map { friendPrefix + $0 }
        default: nil
        }
    }

    // MARK: Taps

    package func notificationWasTapped(_ id: String) {
        if let friend = Self.subject(of: id, Self.chatPrefix) {
            destination = .chat(User.ID(friend))
        } else if Self.subject(of: id, Self.requestPrefix) != nil {
            destination = .requests
        } else if Self.subject(of: id, Self.friendPrefix) != nil {
            destination = .friends
        }
    }

    /// Returns the identifier after a prefix; nil for other text. The id of a notification has been outside the app.
    private static func subject(of id: String, _ prefix: String) -> String? {
        let subject = id.dropFirst(prefix.count)
        guard id.hasPrefix(prefix), (1...64).contains(subject.utf8.count) else { return nil }
        return subject.allSatisfy { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) } ? String(subject) : nil
    }

    /// True if the friends are loaded and the user is none of them.
    package func isStranger(_ id: User.ID) -> Bool { friends.phase == .ready && friend(id) == nil }

    // MARK: Silent pushes

    /// Applies a push that shows nothing (contract, section 3), also in an app that the push has started, and that has no screen.
    ///
    /// - Parameter fields: The members of the push for the app.
    public func receive(silent fields: [String: String]) async -> SilentPushResult {
        guard fields["type"] == "FRIEND_STATUS", let status = fields["status"].flatMap(User.Status.init),
            let code = fields["friendHexCode"]
        else { return .noData }
        guard friends.phase == .ready else { return await fetchFriends() }
        var isKnown = false
        friends.change { friends in
            for index in friends.indices where friends[index].hexCode.rawValue == code {
                friends[index].status = status
                isKnown = true
            }
        }
        return isKnown ? .newData : .noData
    }

    /// Fetches the friends, including the pushed change, for the first screen of an app that the push has started.
    private func fetchFriends() async -> SilentPushResult {
        do {
            guard try await account.restore() != nil else { return .noData }
        } catch {
            // The phone was not unlocked since its start.
            return .failed
        }
        await loadFriends()
        return friends.phase == .ready ? .newData : .failed
    }

    // MARK: Badge

    /// Shows the number of unread messages on the app's icon.
    func setBadgeSoon() {
        // The badge of an earlier start stays until the conversations are loaded.
        guard conversations.phase == .ready, shownBadge != unreadCount else { return }
        shownBadge = unreadCount
        engine.tasks.request("badge") { await self.phone.notifications.setBadge(self.unreadCount) }
    }
}
