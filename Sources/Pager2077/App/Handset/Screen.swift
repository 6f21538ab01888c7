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
    case removal(User.ID)

    /// The name of the screen for state restoration, with the identifier of its subject.
    var name: String {
        switch self {
        case .request(let id): "request.\(id)"
        case .chat(let friend): "chat.\(friend)"
        case .removal(let friend): "removal.\(friend)"
        default: "\(self)"
        }
    }

    /// - Returns: nil unless `name` is the ``name`` of a restorable screen.
    init?(name: String) {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("request", let id?): self = .request(FriendRequest.ID(stored: id))
        case ("chat", let friend?): self = .chat(User.ID(stored: friend))
        case ("removal", let friend?): self = .removal(User.ID(stored: friend))
        default:
            let plain: [Screen] = [.friends, .addFriend, .requests, .messages, .myCode, .settings, .name, .ntfy]
            guard let screen = plain.first(where: { $0.name == name }) else { return nil }
            self = screen
        }
    }

    /// The alphabet of the screen's text entry; nil without one.
    var alphabet: MultiTap.Alphabet? {
        switch self {
        case .addFriend: .code
        case .firstName, .name: .name
        case .chat: .message
        default: nil
        }
    }

    /// The maximum length of the text entry.
    var limit: Int {
        switch self {
        case .addFriend: HexCode.length
        case .firstName, .name: DisplayName.maximumLength
        default: Message.maximumTextLength
        }
    }
}
