import Pager2077Client
import Pager2077Wire
import SwiftUI

/// A row of a list on the display.
struct Row: Identifiable {
    let id: String
    let title: Text
    /// A count or a state, at the trailing edge.
    var detail: Text?
    var mark: String?
    /// The accessibility label of the mark.
    var spokenMark: LocalizedStringKey?
    let action: () -> Void
}

extension Handset {
    /// The rows of the screen; empty when it is not a list.
    var rows: [Row] {
        switch screen {
        case .menu: menu
        case .friends:
            pager.friends.items.map { friend in
                Row(
                    id: "\(friend.id)", title: Text(verbatim: friend.shownName),
                    mark: friend.status == .online ? "●" : "○", spokenMark: friend.status == .online ? "ONLINE" : "OFFLINE"
                ) { self.open(.chat(friend.id)) }
            }
        case .requests:
            pager.requests.items.map { request in
                Row(id: "\(request.id)", title: Text(verbatim: request.shownName)) { self.open(.request(request.id)) }
            }
        case .request(let id): answers(to: id)
        case .messages:
            pager.conversations.items.map { conversation in
                Row(
                    id: "\(conversation.friendId)", title: Text(verbatim: conversation.shownName),
                    detail: Text(verbatim: "\(conversation.unreadCount)"), mark: "✉\u{FE0E}", spokenMark: "UNREAD"
                ) { self.open(.chat(conversation.friendId)) }
            }
        case .settings: settings
        case .ntfy: ntfy
        case .person(let user): pager.isBlocked(user) ? options(ofBlocked: user) : options(of: user)
        case .blocking(let user): blocking(of: user)
        case .report(let report): choices(for: report)
        case .blocked:
            pager.blocked.items.map { user in
                Row(id: "\(user.id)", title: Text(verbatim: user.shownName)) { self.open(.person(user.id)) }
            }
        case .deletion:
            [
                Row(id: "keep", title: .lcd("KEEP THE ACCOUNT")) { self.leave() },
                Row(id: "continue", title: .lcd("CONTINUE")) { self.open(.deletionCode) },
            ]
        default: []
        }
    }

    func link(_ id: String, _ title: LocalizedStringKey, _ count: Int = 0, to screen: Screen) -> Row {
        Row(id: id, title: .lcd(title), detail: count > 0 ? Text(verbatim: "\(count)") : nil) { self.open(screen) }
    }

    private var menu: [Row] {
        [
            link("messages", "MESSAGES", pager.unreadCount, to: .messages), link("friends", "FRIENDS", to: .friends),
            link("add", "ADD FRIEND", to: .addFriend),
            link("requests", "FRIEND REQUESTS", pager.requests.items.count, to: .requests),
            link("code", "MY HEX", to: .myCode), link("settings", "SETTINGS", to: .settings),
        ]
    }

    private var settings: [Row] {
        [
            Row(id: "name", title: .lcd("NAME"), detail: pager.me?.displayName.map { Text(verbatim: $0) } ?? .lcd("NONE")) {
                self.open(.name)
            },
            Row(id: "sound", title: .lcd("SOUND"), detail: .lcd(pager.hasSound ? "ON" : "OFF")) { self.pager.hasSound.toggle() },
            Row(id: "notifications", title: .lcd("NOTIFICATIONS"), detail: pager.notifications.state.text) {
                self.toggleNotifications()
            },
            // Next to NOTIFICATIONS, since the last row is out of sight on a small display.
            pager.notifications.hasNtfy
                ? Row(id: "ntfy", title: .lcd("NTFY"), detail: .lcd(pager.notifications.ntfyAddress == nil ? "OFF" : "ON")) {
                    self.open(.ntfy)
                } : nil,
            Row(id: "previews", title: .lcd("PREVIEWS"), detail: .lcd(pager.notifications.showsPreviews ? "ON" : "OFF")) {
                self.pager.notifications.showsPreviews.toggle()
            },
            link("blocked", "BLOCKED PEOPLE", pager.blocked.items.count, to: .blocked),
            changeServer.map { change in Row(id: "server", title: .lcd("SERVER")) { change() } },
            // A demonstration has no account.
            pager.isDemonstration ? nil : link("delete", "DELETE ACCOUNT", to: .deletion),
        ].compactMap { $0 }
    }

    private var ntfy: [Row] {
        guard let address = pager.notifications.ntfyAddress else {
            return [Row(id: "on", title: .lcd("TURN ON")) { self.perform { try await $0.notifications.turnOnNtfy() } }]
        }
        return [
            Row(id: "copy", title: .lcd("COPY ADDRESS")) {
                self.perform({ try await $0.copy(address.absoluteString) }, then: { .copied })
            },
            Row(id: "off", title: .lcd("TURN OFF")) { self.perform { try await $0.notifications.turnOffNtfy() } },
        ]
    }

    private func answers(to id: FriendRequest.ID) -> [Row] {
        guard let request = pager.requests.items.first(where: { $0.id == id }) else { return [] }
        return [
            Row(id: "accept", title: .lcd("ACCEPT")) {
                self.perform({ try await $0.accept(request) }, then: { self.greet(request.request.fromUserId) })
            },
            Row(id: "reject", title: .lcd("REJECT")) {
                self.perform(
                    { try await $0.reject(request) },
                    then: {
                        self.leave(); return nil
                    })
            },
            link("block", "BLOCK", to: .blocking(request.request.fromUserId)),
            // There are no pages yet, so only the person can be reported.
            link("report", "REPORT", to: .report(.init(user: request.request.fromUserId, subject: .person))),
        ]
    }
}

extension Text {
    /// Returns a localized text of the pager.
    static func lcd(_ key: LocalizedStringKey) -> Text { Text(key, bundle: .module) }
}

extension String {
    /// Returns a localized text of the pager that is also announced.
    @MainActor static func lcd(_ key: String.LocalizationValue) -> String { String(localized: key, bundle: .module) }
}
