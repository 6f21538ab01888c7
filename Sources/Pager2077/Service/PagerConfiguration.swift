public import Foundation
public import ServerKit

/// How a pager service runs. Read once, at the start.
///
/// | setting | default | meaning |
/// | --- | --- | --- |
/// | `JWT_SECRET` | drawn once, kept in the data folder | key that tokens are signed with, at least 32 bytes |
/// | `DB_PATH` | `pager.db` in the data folder | database file |
/// | `REGISTRATIONS_PER_MINUTE` | 600 | registrations that one address may make |
/// | `UNKNOWN_HEX_CODES_PER_MINUTE` | 60 | friend requests to codes nobody has that one user may make |
///
/// In a server of several systems each name begins with `PAGER2077_`.
public struct PagerConfiguration: Sendable {
    public var database: URL
    public var secret: SigningSecret
    public var registrationsPerMinute = 600
    public var unknownHexCodesPerMinute = 60

    public init(database: URL, secret: SigningSecret) {
        self.database = database
        self.secret = secret
    }

    /// - Parameter dataFolder: Where the database and the secret are kept unless set; must exist.
    /// - Throws: `StartupError`.
    public init(_ settings: Settings, dataFolder: URL) throws(StartupError) {
        database = settings.string("db.path").map { URL(filePath: $0) } ?? dataFolder.appending(path: "pager.db")
        if let text = settings.string("jwt.secret", isSecret: true) {
            secret = try SigningSecret(text, source: settings.name(of: "jwt.secret"))
        } else {
            secret = try .kept(in: dataFolder.appending(path: "pager2077.secret"))
        }
        registrationsPerMinute = try settings.integer("registrations.per.minute", in: 1...1_000_000, default: 600)
        unknownHexCodesPerMinute = try settings.integer("unknown.hex.codes.per.minute", in: 1...1_000_000, default: 60)
    }

    /// The names of all settings, without a prefix.
    public static let settingNames = ["JWT_SECRET", "DB_PATH", "REGISTRATIONS_PER_MINUTE", "UNKNOWN_HEX_CODES_PER_MINUTE"]
}
