import Pager2077Client
import Pager2077Wire
import SwiftUI
import ViewKit

extension PagerProblem {
    /// The user-visible message. Source of the wording: `Docs/Requirements.md`.
    @MainActor var text: String {
        switch self {
        case .localNetworkDenied: .lcd("LOCAL NETWORK IS OFF IN SETTINGS")
        case .network: .lcd("NETWORK ERROR")
        case .timeout: .lcd("TIMEOUT")
        case .userNotFound: .lcd("USER NOT FOUND")
        case .alreadyFriends: .lcd("ALREADY FRIENDS")
        case .requestAlreadySent: .lcd("REQUEST ALREADY SENT")
        case .requestGone: .lcd("REQUEST NOT FOUND")
        case .ownCode: .lcd("THIS IS YOUR OWN HEX")
        case .invalidCode: .lcd("INVALID HEX")
        case .otherCode: .lcd("THIS IS NOT YOUR HEX")
        case .notFriends: .lcd("NOT FRIENDS")
        case .blocked: .lcd("YOU HAVE BLOCKED THIS PERSON")
        case .accountDeleted: .lcd("ACCOUNT DELETED")
        case .messageTooLong: .lcd("MESSAGE TOO LONG")
        case .messageEmpty: .lcd("MESSAGE IS EMPTY")
        case .name(.empty): .lcd("NAME CANNOT BE EMPTY")
        case .name(.tooLong): .lcd("NAME MUST BE 1-20 CHARS")
        case .name(.invalidCharacters): .lcd("INVALID CHARACTERS")
        case .name(nil): .lcd("INVALID NAME")
        case .sessionExpired: .lcd("SESSION EXPIRED")
        case .tooManyAttempts: .lcd("TOO MANY ATTEMPTS")
        case .expired: .lcd("NOT SENT - EXPIRED")
        case .full: .lcd("TOO MANY UNSENT MESSAGES")
        case .storage: .lcd("STORAGE ERROR - FREE SOME SPACE")
        case .clipboard: .lcd("COULD NOT COPY")
        case .service: .lcd("SERVICE ERROR")
        }
    }
}

extension Handset.Banner {
    @MainActor var text: String {
        switch self {
        case .requestSent: .lcd("REQUEST SENT")
        case .nowFriends: .lcd("NOW FRIENDS")
        case .copied: .lcd("COPIED")
        case .saved: .lcd("SAVED")
        case .blocked: .lcd("BLOCKED")
        case .unblocked: .lcd("UNBLOCKED")
        case .reported: .lcd("REPORTED - THANK YOU")
        case .incompleteCode: .lcd("A HEX HAS 8 DIGITS")
        case .nothingToSelect: .lcd("NOTHING TO SELECT")
        case .notificationsBlocked: .lcd("BLOCKED BY THIS PHONE")
        case .notificationsInsecure: .lcd("THIS PAGE IS NOT SECURE")
        case .notificationsOff: .lcd("NO NOTIFICATIONS - SEE SETTINGS")
        case .problem(let problem): problem.text
        }
    }
}

extension PhoneNotifications.State {
    /// The state, at the end of its row.
    @MainActor var text: Text {
        switch self {
        case .waiting: .lcd("WAITING")
        case .off: .lcd("OFF")
        case .blocked: .lcd("BLOCKED")
        case .insecure: .lcd("NOT SECURE")
        case .withoutPush: .lcd("NO PUSH")
        case .on: .lcd("ON")
        }
    }

}

extension PhoneNotifications {
    /// The meaning of the state, with the user's next step; nil where the row says it all.
    var explanation: Text? {
        switch state {
        case .waiting, .off, .on: nil
        case .blocked: .lcd("ALLOW NOTIFICATIONS FOR THIS APP IN THE SETTINGS OF YOUR PHONE OR BROWSER")
        case .insecure:
            .lcd(
                "THE ADDRESS OF THIS PAGE IS NOT SECURE, SO THE BROWSER DOES NOT ALLOW THIS. OPEN THE APP AT AN \("HTTPS://") ADDRESS."
            )
        case .withoutPush:
            hasNtfy
                ? .lcd("NO PUSH SERVICE - USE NTFY TO BE NOTIFIED WHILE THE PAGER IS CLOSED")
                : .lcd("NO PUSH SERVICE - YOU ARE NOTIFIED ONLY WHILE THE PAGER IS OPEN")
        }
    }
}

extension Message {
    /// The delivery state of a message that the user has sent.
    @MainActor var deliveryText: Text {
        if isRead { return .lcd("READ") }
        return switch delivery {
        case nil: .lcd("SENT")
        case .unreachable: .lcd("NO WAY TO REACH")
        case .failed: .lcd("NOT PAGED")
        case .accepted: .lcd("PAGED")
        case .shown: .lcd("BEEPED")
        case .opened: .lcd("OPENED")
        }
    }

    /// True if the friend was not notified. The message waits for the friend.
    var isWaitingForFriend: Bool { !isRead && (delivery == .unreachable || delivery == .failed) }
}

extension NoticeWords {
    /// Reads the words from the table of the app's other words. Notifications are not views, so the table is read directly.
    @MainActor
    init(_ locale: Locale) {
        let word = WordTable(.module, locale)
        self.init(
            language: word.language, message: word("New page"), friendRequest: word("Friend Request"),
            wantsToBeFriends: word("%@ wants to be friends"), friendAccepted: word("Friend Request Accepted"),
            acceptedRequest: word("%@ accepted your request"))
    }
}

extension Screen {
    @MainActor func title(_ pager: Pager) -> Text {
        switch self {
        case .starting, .welcome, .registering, .registrationFailed, .firstName, .menu: Text(verbatim: "PAGER2077")
        case .friends: .lcd("FRIENDS")
        case .addFriend: .lcd("ADD FRIEND")
        case .requests: .lcd("FRIEND REQUESTS")
        case .messages: .lcd("MESSAGES")
        case .myCode: .lcd("MY HEX")
        case .settings: .lcd("SETTINGS")
        case .name: .lcd("NAME")
        case .ntfy: .lcd("NTFY")
        case .request(let id):
            pager.requests.items.first { $0.id == id }.map { Text(verbatim: $0.shownName) } ?? .lcd("FRIEND REQUESTS")
        case .chat(let friend): pager.knownName(of: friend).map { Text(verbatim: $0) } ?? .lcd("MESSAGES")
        case .person(let user): pager.knownName(of: user).map { Text(verbatim: $0) } ?? .lcd("FRIENDS")
        case .blocking(let user): Text("BLOCK \(pager.name(of: user))?", bundle: .module)
        case .report: .lcd("REPORT")
        case .blocked: .lcd("BLOCKED PEOPLE")
        case .deletion, .deletionCode: .lcd("DELETE ACCOUNT")
        }
    }

    /// Returns the meanings of the keys on this screen. `.down` stands for both keys 2 and 8.
    @MainActor private func allHints(hasOptions: Bool) -> [Hint] {
        switch self {
        case .starting, .registering: []
        case .welcome: [Hint(.call, "CALL: START")]
        case .registrationFailed: [Hint(.call, "CALL: RETRY")]
        case .firstName: [Hint(.call, "CALL: SAVE"), Hint(.end, "END: SKIP")]
        case .menu: [Hint(.down, "2/8: MOVE"), Hint(.call, "CALL: SELECT")]
        case .friends: [Hint(.call, "CALL: CHAT"), Hint(.hash, "#: MORE"), Hint(.end, "END: BACK")]
        case .messages: [Hint(.call, "CALL: SELECT"), Hint(.hash, "#: MORE"), Hint(.end, "END: BACK")]
        case .deletionCode: [Hint(.call, "CALL: ERASE"), Hint(.hash, "#: DELETE"), Hint(.end, "END: BACK")]
        case .addFriend: [Hint(.call, "CALL: SEND"), Hint(.hash, "#: DELETE"), Hint(.end, "END: BACK")]
        case .chat: [Hint(.call, "CALL: SEND"), Hint(.hash, hasOptions ? "#: MORE" : "#: DELETE"), Hint(.end, "END: BACK")]
        case .name: [Hint(.call, "CALL: SAVE"), Hint(.end, "END: BACK")]
        case .myCode: [Hint(.call, "CALL: COPY"), Hint(.end, "END: BACK")]
        case .requests, .settings, .ntfy, .request, .person, .blocking, .report, .blocked, .deletion:
            [Hint(.call, "CALL: SELECT"), Hint(.end, "END: BACK")]
        }
    }

    /// Returns the meanings of the keys that have an effect: without rows, CALL has none.
    ///
    /// - Parameters:
    ///   - canWrite: False in a chat that takes no text.
    ///   - hasOptions: True if the hash key opens the options.
    @MainActor func hints(hasRows: Bool, canChangeServer: Bool, canWrite: Bool, hasOptions: Bool) -> [Hint] {
        let allHints = allHints(hasOptions: hasOptions)
        return switch self {
        case .welcome, .registrationFailed: allHints + (canChangeServer ? [Hint(.end, "END: SERVER")] : [])
        case .chat where !canWrite: allHints.filter { $0.key == .end || hasOptions && $0.key == .hash }
        case .friends, .requests, .messages, .request, .blocked: hasRows ? allHints : allHints.filter { $0.key == .end }
        default: allHints
        }
    }
}

/// The meaning of a key on a screen.
struct Hint: Identifiable {
    let key: Key
    let words: LocalizedStringKey
    var id: Key { key }

    init(_ key: Key, _ words: LocalizedStringKey) {
        self.key = key
        self.words = words
    }
}
