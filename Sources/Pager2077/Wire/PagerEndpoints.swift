public import WireKit

/// Everything a phone can ask of the pager service, beside the live socket (``LiveEvent``).
///
/// All but ``health``, ``queueMetrics`` and ``register`` need `Authorization: Bearer <token>`. The replies named here are the
/// `data` of a ``Success``; a failure is a ``Failure``. Source: `Docs/Protocols/Pager2077.md`, section 2.
public enum PagerEndpoints {
    /// The only reply without the envelope: `{"status":"ok"}`.
    public static let health = Endpoint<NoBody, Health>(.get, "/health")
    /// How many notifications wait, are being sent, were sent and have failed.
    public static let queueMetrics = Endpoint<NoBody, QueueMetrics>(.get, "/api/queue/metrics")

    /// Makes a user of a device token, or finds the one it made before. 201.
    public static let register = Endpoint<Registration, Registered>(.post, "/api/users/register")
    public static let me = Endpoint<NoBody, OwnUser>(.get, "/api/users/me")
    public static let setStatus = Endpoint<StatusUpdate, Done>(.put, "/api/users/status")
    public static let setDisplayName = Endpoint<DisplayNameUpdate, NamedUser>(.put, "/api/users/display-name")
    public static let setLiveActivityToken = Endpoint<LiveActivityTokenUpdate, Done>(.put, "/api/users/live-activity-token")

    /// 201. Asking somebody who has asked you makes you friends at once; the reply is then their request, accepted.
    public static let requestFriend = Endpoint<FriendRequestCreation, FriendRequest>(.post, "/api/friends/request")
    public static let pendingRequests = Endpoint<NoBody, PendingFriendRequests>(.get, "/api/friends/requests/pending")
    public static let acceptRequest = Endpoint<NoBody, AcceptedFriend>(.post, "/api/friends/requests/:requestId/accept")
    public static let rejectRequest = Endpoint<NoBody, Done>(.post, "/api/friends/requests/:requestId/reject")
    public static let friends = Endpoint<NoBody, FriendList>(.get, "/api/friends")
    /// Ends a friendship for both.
    public static let removeFriend = Endpoint<NoBody, Done>(.delete, "/api/friends/:friendId")

    /// 201.
    public static let sendMessage = Endpoint<MessageCreation, MessageReceipt>(.post, "/api/messages")
    /// Query: `limit`, one of ``MessageHistory/limits``. Marks the friend's messages as read.
    public static let history = Endpoint<NoBody, MessageHistory>(.get, "/api/messages/:friendId")
    public static let conversations = Endpoint<NoBody, ConversationList>(.get, "/api/conversations")

    public static let submitScore = Endpoint<ScoreSubmission, ScoreResult>(.post, "/api/scores")
    public static let leaderboard = Endpoint<NoBody, Leaderboard>(.get, "/api/leaderboard/:game")

    /// WebSocket; see ``LiveEvent``. Query: `after`.
    public static let livePath = "/api/live"
}

/// What `/health` answers.
public struct Health: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

/// Counts of notifications in the outbox.
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
