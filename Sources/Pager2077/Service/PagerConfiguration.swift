public import Foundation
public import ServerKit

/// The configuration of a pager service. Read once, at the start. ``settings`` lists the names.
public struct PagerConfiguration: Sendable {
    public var database: URL
    public var secret: SigningSecret
    public var registrationsPerMinute = 600
    public var unknownHexCodesPerMinute = 60

    public init(database: URL, secret: SigningSecret) {
        self.database = database
        self.secret = secret
    }

    /// - Parameter dataFolder: The folder of the database and the secret, unless they are set. Must exist.
    /// - Throws: `StartupError`.
    public init(_ settings: Settings, dataFolder: URL) throws(StartupError) {
        database = settings.string("db.path").map { URL(filePath: $0) } ?? dataFolder.appending(path: "pager.db")
        secret = try SigningSecret(settings, orKeptIn: dataFolder.appending(path: "pager2077.secret"))
        registrationsPerMinute = try settings.integer("registrations.per.minute", in: 1...1_000_000, default: 600)
        unknownHexCodesPerMinute = try settings.integer("unknown.hex.codes.per.minute", in: 1...1_000_000, default: 60)
    }

    /// All settings: name without prefix, meaning and default. In the combined `serve` each name begins with `PAGER2077_`.
    public static let settings = [
        (name: "JWT_SECRET", meaning: "key that signs tokens, at least 32 bytes [generated]"),
        (name: "DB_PATH", meaning: "database file [pager.db in the data folder]"),
        (name: "REGISTRATIONS_PER_MINUTE", meaning: "registrations from one address [600]"),
        (name: "UNKNOWN_HEX_CODES_PER_MINUTE", meaning: "unknown codes that one user may try [60]"),
    ]
}
