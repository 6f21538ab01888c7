import Pager2077Wire
import StorageKit
import WireKit

/// Registration, names and status of users.
struct Accounts: Sendable {
    let store: Database
    let pushes: PagerPushes
    let now: @Sendable () -> Timestamp
    let drawHexCode: @Sendable () -> HexCode
    /// Maximum users of the service.
    var maximumUsers = Retention().users

    /// Maximum hex codes drawn before a registration fails because all were taken.
    private static let maximumDraws = 10

    /// Returns the user of a device token, or creates one.
    func register(_ registration: Registration) async throws -> UserRecord {
        try await store.write { [now, drawHexCode, maximumUsers] transaction in
            let time = now()
            if var known = try transaction.user(deviceToken: registration.deviceToken) {
                // The app has just received this token from the system, so the token is valid.
                known.deviceTokenAt = time
                known.deviceTokenDiedAt = nil
                try transaction.update(known)
                try transaction.releaseDeviceToken(of: known, at: time)
                return known
            }
            guard try transaction.total("users") < maximumUsers else {
                throw PagerError(.unavailable, "The service has no room for another user", retryAfter: .seconds(3600))
            }
            for _ in 0..<Self.maximumDraws {
                let hexCode = drawHexCode()
                if try transaction.user(hexCode: hexCode) != nil || transaction.isRetired(hexCode) { continue }
                let user = UserRecord(
                    id: .random(), hexCode: hexCode, deviceToken: registration.deviceToken, lastSeen: time, createdAt: time,
                    updatedAt: time, deviceTokenAt: time)
                try transaction.insert(user)
                try transaction.releaseDeviceToken(of: user, at: time)
                return user
            }
            throw NoFreeHexCode()
        }
    }

    /// All drawn hex codes were taken.
    struct NoFreeHexCode: Error {}

    func me(_ id: User.ID) async throws -> OwnUser {
        try await store.read { transaction in
            var user = try transaction.caller(id)
            let tokens =
                [(user.liveActivityToken, user.liveActivityTokenAt)]
                + (try transaction.devices(of: id)).map { ($0.startToken, $0.startTokenAt) }
            // The token that was sent last, by either call.
            user.liveActivityToken = tokens.filter { $0.0 != nil }.max { ($0.1 ?? .earliest) < ($1.1 ?? .earliest) }?.0
            return user.asOwnUser
        }
    }

    func setDisplayName(_ update: DisplayNameUpdate, of id: User.ID) async throws -> NamedUser {
        let name: String
        do {
            name = try DisplayName.checked(update.displayName)
        } catch {
            throw PagerError(.invalidDisplayName, error.sentence)
        }
        return try await change(id) { user in
            user.displayName = name
            return NamedUser(userId: user.id, hexCode: user.hexCode, displayName: name)
        }
    }

    private func change<Value: Sendable>(
        _ id: User.ID, _ body: @escaping @Sendable (inout UserRecord) -> Value
    ) async throws -> Value {
        try await store.write { [now] transaction in
            var user = try transaction.caller(id)
            let value = body(&user)
            user.updatedAt = now()
            try transaction.update(user)
            return value
        }
    }

    // MARK: Status

    /// Sets a status. A change is announced to every friend.
    func setStatus(_ status: User.Status, of id: User.ID) async throws {
        try await store.write { [now, pushes] transaction in
            try transaction.setStatus(status, of: id, at: now(), by: pushes)
        }
    }

    /// Sets a user whose live socket was lost offline, and stops watching the user.
    func leave(_ id: User.ID) async throws {
        try await store.write { [now, pushes] transaction in
            // The account may have been deleted meanwhile.
            guard try transaction.user(id) != nil else { return }
            try transaction.setStatus(.offline, of: id, at: now(), by: pushes)
            var user = try transaction.caller(id)
            user.isWatchedLive = false
            try transaction.update(user)
        }
    }

    /// Starts watching a user who opened a live socket: the user is set offline when the socket is lost.
    func watchLive(_ id: User.ID) async throws {
        if try await store.read({ try $0.caller(id).isWatchedLive }) { return }
        try await store.write { transaction in
            var user = try transaction.caller(id)
            user.isWatchedLive = true
            try transaction.update(user)
        }
    }

    /// Returns the online users who are watched for the loss of their live socket.
    func usersWatchedLive() async throws -> [User.ID] {
        try await store.read { try $0.all("SELECT id FROM users WHERE is_watched_live = 1 AND status = 'online'") }
    }
}

extension WriteTransaction {
    fileprivate func setStatus(_ status: User.Status, of id: User.ID, at time: Timestamp, by pushes: PagerPushes) throws {
        var user = try caller(id)
        guard user.status != status else { return }
        user.status = status
        user.lastSeen = time
        user.updatedAt = time
        try update(user)
        for friend in try friends(notifiedBy: id) {
            try notify(
                friend, .friendStatus(friendId: id, status: status, lastSeen: time),
                .friendStatus(friendHexCode: user.hexCode, status: status), at: time, by: pushes)
        }
    }
}

extension DisplayName.Problem {
    fileprivate var sentence: String {
        switch self {
        case .empty: "Display name cannot be empty"
        case .tooLong: "Display name must be \(DisplayName.maximumLength) characters or less"
        case .invalidCharacters: "Display name can only contain letters, numbers, spaces, hyphens, and underscores"
        }
    }
}

extension Identifier {
    /// Returns a fresh identifier from the system's secure generator.
    static func random() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}
