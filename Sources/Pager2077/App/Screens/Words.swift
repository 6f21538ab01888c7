import Pager2077Client
import Pager2077Wire
import SwiftUI

extension PagerProblem {
    /// In words for a person. Wording: seed and contract, section 4.
    @MainActor var text: Text {
        switch self {
        case .network: .lcd("NETWORK ERROR")
        case .timeout: .lcd("TIMEOUT")
        case .userNotFound: .lcd("USER NOT FOUND")
        case .alreadyFriends: .lcd("ALREADY FRIENDS")
        case .requestAlreadySent: .lcd("REQUEST ALREADY SENT")
        case .requestGone: .lcd("REQUEST IS GONE")
        case .ownCode: .lcd("THAT IS YOUR OWN CODE")
        case .invalidCode: .lcd("INVALID CODE")
        case .notFriends: .lcd("NOT FRIENDS")
        case .messageTooLong: .lcd("MESSAGE TOO LONG")
        case .messageEmpty: .lcd("MESSAGE IS EMPTY")
        case .name(.empty): .lcd("NAME CANNOT BE EMPTY")
        case .name(.tooLong): .lcd("NAME MUST BE 1-20 CHARS")
        case .name(.invalidCharacters): .lcd("INVALID CHARACTERS")
        case .name(nil): .lcd("INVALID NAME")
        case .sessionExpired: .lcd("SESSION EXPIRED")
        case .tooManyAttempts: .lcd("TOO MANY ATTEMPTS")
        case .expired: .lcd("NOT SENT IN A DAY")
        case .full: .lcd("TOO MANY MESSAGES WAIT")
        case .storage: .lcd("MEMORY ERROR")
        case .clipboard: .lcd("COULD NOT COPY")
        case .service: .lcd("SERVICE ERROR")
        }
    }
}

extension Handset.Banner {
    @MainActor var text: Text {
        switch self {
        case .requestSent: .lcd("REQUEST SENT")
        case .nowFriends: .lcd("NOW FRIENDS")
        case .copied: .lcd("COPIED")
        case .saved: .lcd("SAVED")
        case .problem(let problem): problem.text
        }
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
        case .request(let id): Text(verbatim: pager.requests.items.first { $0.id == id }?.shownName ?? "")
        case .chat(let friend): Text(verbatim: pager.name(of: friend))
        case .removal(let friend): Text("REMOVE \(pager.name(of: friend))?", bundle: .module)
        }
    }

    /// What the keys do here.
    @MainActor var hints: [(String, LocalizedStringKey)] {
        switch self {
        case .starting, .registering: []
        case .welcome: [("call", "CALL: BEGIN")]
        case .registrationFailed: [("call", "CALL: RETRY")]
        case .firstName: [("call", "CALL: SAVE"), ("end", "END: SKIP")]
        case .menu: [("move", "2/8: MOVE"), ("call", "CALL: CHOOSE")]
        case .friends: [("call", "CALL: CHAT"), ("hash", "#: REMOVE"), ("end", "END: BACK")]
        case .addFriend: [("call", "CALL: SEND"), ("hash", "#: DELETE"), ("end", "END: BACK")]
        case .chat: [("call", "CALL: SEND"), ("hash", "#: DELETE"), ("end", "END: BACK")]
        case .name: [("call", "CALL: SAVE"), ("end", "END: BACK")]
        case .myCode: [("call", "CALL: COPY"), ("end", "END: BACK")]
        case .requests, .messages, .settings, .request, .removal: [("call", "CALL: CHOOSE"), ("end", "END: BACK")]
        }
    }

    /// What the keys do while there is no line to choose: nothing is promised that would not happen.
    @MainActor func hints(hasLines: Bool) -> [(String, LocalizedStringKey)] {
        switch self {
        case .friends, .requests, .messages, .request: hasLines ? hints : hints.filter { $0.0 == "end" }
        default: hints
        }
    }
}
