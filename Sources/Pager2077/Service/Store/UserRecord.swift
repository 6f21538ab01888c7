import Pager2077Wire
import WireKit

/// A user as the service keeps them.
struct UserRecord: Hashable, Sendable {
    var id: User.ID
    var hexCode: HexCode
    var deviceToken: String
    var displayName: String?
    var status = User.Status.offline
    var lastSeen: Timestamp
    var createdAt: Timestamp
    var updatedAt: Timestamp
    var liveActivityToken: String?
    /// Whether being online ends by itself when the live socket is lost: true from the first socket until it was.
    var isWatchedLive = false

    /// What others are shown when there is no name.
    var shownName: String { displayName ?? hexCode.rawValue }

    var asFriend: Friend {
        Friend(id: id, hexCode: hexCode, displayName: displayName, status: status, lastSeen: lastSeen)
    }

    var asOwnUser: OwnUser {
        OwnUser(
            id: id, hexCode: hexCode, displayName: displayName, status: status, lastSeen: lastSeen, createdAt: createdAt,
            updatedAt: updatedAt, deviceToken: deviceToken, liveActivityToken: liveActivityToken)
    }
}
