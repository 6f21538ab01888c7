import Pager2077Client
import Pager2077Wire

/// A screen of the display.
enum Screen: Hashable {
    case starting, welcome, registering
    case registrationFailed(PagerProblem)
    case firstName
    case menu, friends, addFriend, requests, messages, myCode, settings, name, ntfy
    case request(FriendRequest.ID)
    case chat(User.ID)
    /// The actions for a person: a friend or a blocked user.
    case person(User.ID)
    case blocking(User.ID)
    case report(Report)
    case blocked
    /// The list of what a deletion of the account removes, and then the confirmation.
    case deletion, deletionCode

    /// A report in progress. The next screen asks for the first value that is nil.
    struct Report: Hashable {
        enum Subject: Hashable {
            case person
            case message(Message.ID)
        }

        var user: User.ID
        var subject: Subject?
        var reason: ReportReason?
    }

    /// The name of the screen for state restoration, with the identifier of its subject.
    var name: String {
        switch self {
        case .request(let id): "request.\(id)"
        case .chat(let friend): "chat.\(friend)"
        case .person(let user): "person.\(user)"
        // Not restored, so that an action that cannot be undone starts from its beginning.
        case .blocking, .report, .deletion, .deletionCode: ""
        default: "\(self)"
        }
    }

    /// - Returns: nil unless `name` is the ``name`` of a restorable screen.
    init?(name: String) {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("request", let id?): self = .request(FriendRequest.ID(stored: id))
        case ("chat", let friend?): self = .chat(User.ID(stored: friend))
        case ("person", let user?): self = .person(User.ID(stored: user))
        default:
            let plain: [Screen] = [.friends, .addFriend, .requests, .messages, .myCode, .settings, .name, .ntfy, .blocked]
            guard let screen = plain.first(where: { $0.name == name }) else { return nil }
            self = screen
        }
    }

    /// The alphabet of the screen's text entry; nil without one.
    var alphabet: MultiTap.Alphabet? {
        switch self {
        case .addFriend, .deletionCode: .code
        case .firstName, .name: .name
        case .chat: .message
        default: nil
        }
    }

    /// Maximum length of the text entry, in characters (Unicode scalar values).
    var limit: Int {
        switch self {
        case .addFriend, .deletionCode: HexCode.length
        case .firstName, .name: DisplayName.maximumLength
        default: Message.maximumTextLength
        }
    }

    /// True for a screen about the user, which closes when the user is removed or blocked.
    func isAbout(_ user: User.ID) -> Bool {
        switch self {
        case .chat(let other), .person(let other), .blocking(let other): other == user
        case .report(let report): report.user == user
        default: false
        }
    }
}
