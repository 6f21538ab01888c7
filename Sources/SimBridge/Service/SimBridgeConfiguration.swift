package import Foundation
package import PushKit
package import ServerKit
import SimBridgeWire
package import StorageKit

/// The configuration of a relay. Read once, at the start. ``settings`` lists the names.
package struct SimBridgeConfiguration: Sendable {
    package var database: DatabaseLocation
    package var secret: SigningSecret
    package var retentionDays = 90
    /// Storage quota of each account, in bytes: the payloads of its messages, and 400 bytes for each message. Beyond the quota, the
    /// oldest messages that have ended are removed.
    package var keptBytesPerAccount = 268_435_456
    /// The required audience of Google's ID tokens; nil disables sign-in with Google.
    package var googleClientID: String?
    /// The required issuer of Google's ID tokens.
    package var googleIssuer = URL(string: "https://accounts.google.com")!
    package var registrationsPerMinute = 600
    package var loginsPerMinute = 300
    /// Minimum length of a new password, in characters. From 8 on, common passwords are refused, too.
    package var minimumPasswordLength = 1
    /// True if anyone may register. The first account can always be created.
    package var isRegistrationOpen = true
    package var passwordCost = PasswordHash.Cost.standard
    /// Maximum password hashes under way or waiting. Further logins are refused.
    package var maximumHashes = 64
    package var push = PushServices()
    /// The time in which a client in the foreground may acknowledge an event before its notification is sent.
    package var confirmationTime: Duration = .seconds(5)

    private static let bundleID = "com.simbridge.client"

    package init(database: DatabaseLocation, secret: SigningSecret) {
        self.database = database
        self.secret = secret
    }

    /// - Parameters:
    ///   - dataFolder: The folder of the database and the secret, unless the settings name others. Must exist.
    ///   - isAlone: True if the relay is the only service of its process. New passwords then need only one character by default.
    /// - Throws: `StartupError`.
    package init(_ settings: Settings, dataFolder: URL, server: String? = nil, isAlone: Bool) throws(StartupError) {
        database = settings.database(dataFolder.appending(path: "simbridge.db"), schema: SimBridgeService.name, orOn: server)
        secret = try SigningSecret(settings, orKeptIn: dataFolder.appending(path: "simbridge.secret"))
        retentionDays = try settings.integer("log.retention.days", in: 1...36_500, default: 90)
        // The minimum has room for a message of 16 MiB.
        keptBytesPerAccount = try settings.integer("kept.mib.per.account", in: 32...1_000_000, default: 256) * 1_048_576
        googleClientID = settings.string("google.client.id")
        if let text = settings.string("google.issuer") {
            guard let issuer = URL(string: text), ["http", "https"].contains(issuer.scheme), issuer.host() != nil else {
                throw StartupError("\(settings.name(of: "google.issuer")) is \"\(text)\"; expected an http or https address")
            }
            googleIssuer = issuer
        }
        registrationsPerMinute = try settings.integer("registrations.per.minute", in: 1...1_000_000, default: 600)
        loginsPerMinute = try settings.integer("logins.per.minute", in: 1...1_000_000, default: 300)
        minimumPasswordLength = try settings.integer(
            "minimum.password.length", in: 1...100, default: isAlone ? 1 : PasswordRule.standardMinimum)
        push = try PushServices(
            settings, bundleID: Self.bundleID, webPushKeyIn: dataFolder.appending(path: "simbridge-web-push.secret"))
        switch settings.string("registration") {
        case nil, "open": isRegistrationOpen = true
        case "closed": isRegistrationOpen = false
        case let other?:
            throw StartupError("\(settings.name(of: "registration")) is \"\(other)\"; expected open or closed")
        }
    }

    /// All settings: name without prefix, meaning and default. In the combined `serve` each name begins with `SIMBRIDGE_`.
    package static let settings =
        [
            (name: "JWT_SECRET", meaning: "key that signs tokens, at least 32 bytes [generated]"),
            (name: "DB_PATH", meaning: "database file [simbridge.db in the data folder]"),
            (name: "LOG_RETENTION_DAYS", meaning: "retention of the history in days [90]"),
            (name: "KEPT_MIB_PER_ACCOUNT", meaning: "quota of messages for each account in MiB, from 32 [256]"),
            (name: "GOOGLE_CLIENT_ID", meaning: "client ID for sign-in with Google [no such sign-in]"),
            (name: "GOOGLE_ISSUER", meaning: "issuer of its tokens [https://accounts.google.com]"),
            (name: "REGISTRATIONS_PER_MINUTE", meaning: "registrations from one address [600]"),
            (
                name: "MINIMUM_PASSWORD_LENGTH",
                meaning: "of a new password; from 8 on, not a common one [8; alone 1]"
            ),
            (name: "REGISTRATION", meaning: "open, or closed after the first account [open]"),
            (name: "LOGINS_PER_MINUTE", meaning: "logins from one address [300]"),
        ] + PushServices.settings(bundleID: bundleID)
}
