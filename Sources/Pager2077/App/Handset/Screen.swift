import Pager2077Client
import Pager2077Wire

/// What the display can show.
enum Screen: Hashable {
    case starting, welcome, registering
    case registrationFailed(PagerProblem)
    case firstName
    case menu, friends, addFriend, requests, messages, myCode, settings, name
    case request(FriendRequest.ID)
    case chat(User.ID)
    case removal(User.ID)

    /// Where keys type.
    var alphabet: MultiTap.Alphabet? {
        switch self {
        case .addFriend: .code
        case .firstName, .name: .name
        case .chat: .message
        default: nil
        }
    }

    /// How much can be typed.
    var limit: Int {
        switch self {
        case .addFriend: HexCode.length
        case .firstName, .name: DisplayName.maximumLength
        default: Message.maximumTextLength
        }
    }
}
