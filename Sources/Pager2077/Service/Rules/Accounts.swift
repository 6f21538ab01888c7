import Pager2077Wire
import WireKit

/// Who the users are: registration, names, status, tokens for Live Activities.
struct Accounts: Sendable {
    let store: any PagerStore
    let now: @Sendable () -> Timestamp
    let drawHexCode: @Sendable () -> HexCode

    /// How often a hex code is drawn again when it is taken.
    private static let draws = 10

    /// Finds the user of a device token, or makes one.
    func register(_ registration: Registration) async throws -> UserRecord {
        try await store.write { [now, drawHexCode] transaction in
            if let known = try transaction.user(deviceToken: registration.deviceToken) { return known }
            let time = now()
            for _ in 0..<Self.draws {
                let hexCode = drawHexCode()
                if try transaction.user(hexCode: hexCode) != nil { continue }
                let user = UserRecord(
                    id: .random(), hexCode: hexCode, deviceToken: registration.deviceToken, lastSeen: time, createdAt: time,
                    updatedAt: time)
                try transaction.insert(user)
                return user
            }
            throw NoFreeHexCode()
        }
    }

    /// Every draw gave a code that somebody has.
    struct NoFreeHexCode: Error {}

    func me(_ id: User.ID) async throws -> OwnUser {
        try await store.read { try $0.caller(id).asOwnUser }
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

    func setLiveActivityToken(_ update: LiveActivityTokenUpdate, of id: User.ID) async throws {
        try await change(id) { $0.liveActivityToken = update.liveActivityToken }
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

    /// Sets a status and tells every friend, if it really changed.
    func setStatus(_ status: User.Status, of id: User.ID) async throws {
        try await store.write { [now] transaction in
            try transaction.setStatus(status, of: id, at: now())
        }
    }

    /// Notes that the user has gone without a word: offline, and no longer watched.
    func leave(_ id: User.ID) async throws {
        try await store.write { [now] transaction in
            try transaction.setStatus(.offline, of: id, at: now())
            var user = try transaction.caller(id)
            user.isWatchedLive = false
            try transaction.update(user)
        }
    }

    /// Notes that the user has opened a live socket: from now on being online ends by itself when that is lost.
    func watchLive(_ id: User.ID) async throws {
        if try await store.read({ try $0.caller(id).isWatchedLive }) { return }
        try await store.write { transaction in
            var user = try transaction.caller(id)
            user.isWatchedLive = true
            try transaction.update(user)
        }
    }

    func usersWatchedLive() async throws -> [User.ID] {
        try await store.read { try $0.usersWatchedLive() }
    }
}

extension PagerWriting {
    fileprivate func setStatus(_ status: User.Status, of id: User.ID, at time: Timestamp) throws {
        var user = try caller(id)
        guard user.status != status else { return }
        user.status = status
        user.lastSeen = time
        user.updatedAt = time
        try update(user)
        for friend in try friends(of: id) {
            try tell(
                friend, .friendStatus(friendId: id, status: status, lastSeen: time),
                .friendStatus(friendHexCode: user.hexCode, status: status), at: time)
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
    /// A fresh one from the system's secure generator.
    static func random() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}
