public import WireKit

/// The endpoints of the pager service, except for the live socket (``LiveEvent``).
///
/// All but ``health``, ``serviceOperator``, ``queueMetrics``, ``register`` and ``reportPush`` require the header
/// `Authorization: Bearer <token>`. Replies are the `data` of a ``Success``, failures a ``Failure``.
/// Source: `Docs/Protocols/Pager2077.md`, section 2.
public enum PagerEndpoints {
    /// Replies `{"status":"ok"}`, the only reply without an envelope.
    public static let health = Endpoint<NoBody, Health>(.get, "/health")
    /// Returns the operator's contact address for users.
    public static let serviceOperator = Endpoint<NoBody, ServiceOperator>(.get, "/api/operator")
    /// Counts the notifications that are waiting, active, completed and failed.
    public static let queueMetrics = Endpoint<NoBody, QueueMetrics>(.get, "/api/queue/metrics")

    /// Creates the user of a device token, or returns the existing one. 201.
    public static let register = Endpoint<Registration, Registered>(.post, "/api/users/register")
    public static let me = Endpoint<NoBody, OwnUser>(.get, "/api/users/me")
    /// Deletes the caller's account and everything that the service stores about it.
    public static let deleteAccount = Endpoint<AccountDeletion, Done>(.post, "/api/users/me/deletion")
    public static let setStatus = Endpoint<StatusUpdate, Done>(.put, "/api/users/status")
    public static let setDisplayName = Endpoint<DisplayNameUpdate, NamedUser>(.put, "/api/users/display-name")
    public static let setLiveActivityToken = Endpoint<LiveActivityTokenUpdate, Done>(.put, "/api/users/live-activity-token")

    /// The push services of this box.
    public static let pushOffer = Endpoint<NoBody, PushOffer>(.get, "/api/push")
    /// Stores how notifications reach one phone.
    public static let setPushDevice = Endpoint<PushDeviceUpdate, Done>(.put, "/api/users/devices/:deviceId")
    /// Sends no more notifications to a phone.
    public static let removePushDevice = Endpoint<NoBody, Done>(.delete, "/api/users/devices/:deviceId")
    /// Reports ``PushReport`` of a notification. Without a token: the random id, known from the notification only, is the permission.
    public static let reportPush = Endpoint<NoBody, Done>(.post, "/api/pushes/:pushId/:report")

    /// Sends a friend request. 201. A request to a user who has requested the caller makes both friends; the reply is the other user's
    /// request, accepted.
    public static let requestFriend = Endpoint<FriendRequestCreation, FriendRequest>(.post, "/api/friends/request")
    public static let pendingRequests = Endpoint<NoBody, PendingFriendRequests>(.get, "/api/friends/requests/pending")
    public static let acceptRequest = Endpoint<NoBody, AcceptedFriend>(.post, "/api/friends/requests/:requestId/accept")
    public static let rejectRequest = Endpoint<NoBody, Done>(.post, "/api/friends/requests/:requestId/reject")
    public static let friends = Endpoint<NoBody, FriendList>(.get, "/api/friends")
    /// Ends a friendship for both users.
    public static let removeFriend = Endpoint<NoBody, Done>(.delete, "/api/friends/:friendId")

    /// The users whom the caller has blocked.
    public static let blocks = Endpoint<NoBody, BlockList>(.get, "/api/blocks")
    /// Blocks a user. Repeated calls change nothing.
    public static let block = Endpoint<NoBody, Done>(.put, "/api/blocks/:userId")
    /// Ends a block. Repeated calls change nothing.
    public static let unblock = Endpoint<NoBody, Done>(.delete, "/api/blocks/:userId")
    /// Reports a user, or one message, to the operator of the service.
    public static let report = Endpoint<ReportCreation, Done>(.post, "/api/reports")

    /// Sends a message. 201.
    public static let sendMessage = Endpoint<MessageCreation, MessageReceipt>(.post, "/api/messages")
    /// Returns the messages with a friend and marks the friend's messages as read. Query: `limit`, within ``MessageHistory/limits``.
    public static let history = Endpoint<NoBody, MessageHistory>(.get, "/api/messages/:friendId")
    public static let conversations = Endpoint<NoBody, ConversationList>(.get, "/api/conversations")

    public static let submitScore = Endpoint<ScoreSubmission, ScoreResult>(.post, "/api/scores")
    public static let leaderboard = Endpoint<NoBody, Leaderboard>(.get, "/api/leaderboard/:game")

    /// The path of the live socket; see ``LiveEvent``. Query: `after`.
    public static let livePath = "/api/live"
}

/// The reply of `/health`.
public struct Health: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

/// Counts of the notifications in the outbox by state.
public struct QueueMetrics: Codable, Hashable, Sendable {
    public var waiting: Int
    public var active: Int
    public var completed: Int
    public var failed: Int

    public init(waiting: Int, active: Int, completed: Int, failed: Int) {
        self.waiting = waiting
        self.active = active
        self.completed = completed
        self.failed = failed
    }
}
