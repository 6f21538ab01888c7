package import Foundation
package import PushKit
package import ServerKit
package import StorageKit

/// The configuration of a pager service. Read once, at the start. ``settings`` lists the names.
package struct PagerConfiguration: Sendable {
    package var database: DatabaseLocation
    package var secret: SigningSecret
    package var registrationsPerMinute = 600
    package var unknownHexCodesPerMinute = 60
    package var unknownHexCodesPerHour = 600
    /// The operator's address for users, `mailto:` or `https:`; nil for none.
    package var contact: String?
    var retention = Retention()
    package var push = PushServices()
    /// The path below which the box serves the pager; empty for a pager alone.
    package var pathPrefix = ""

    package init(database: DatabaseLocation, secret: SigningSecret) {
        self.database = database
        self.secret = secret
    }

    /// - Parameters:
    ///   - dataFolder: The folder of the database and the secrets, unless they are set. Must exist.
    ///   - server: The PostgreSQL database of all services; nil for a file of this one.
    ///   - isAlone: True if the box serves no other system.
    /// - Throws: `StartupError`.
    package init(_ settings: Settings, dataFolder: URL, server: String? = nil, isAlone: Bool) throws(StartupError) {
        database = settings.database(dataFolder.appending(path: "pager.db"), schema: PagerService.name, orOn: server)
        secret = try SigningSecret(settings, orKeptIn: dataFolder.appending(path: "pager2077.secret"))
        registrationsPerMinute = try settings.integer("registrations.per.minute", in: 1...1_000_000, default: 600)
        unknownHexCodesPerMinute = try settings.integer("unknown.hex.codes.per.minute", in: 1...1_000_000, default: 60)
        unknownHexCodesPerHour = try settings.integer("unknown.hex.codes.per.hour", in: 1...100_000, default: 600)
        retention.messageAge = .seconds(86_400 * (try settings.integer("message.retention.days", in: 1...36_500, default: 365)))
        retention.messagesPerUser = try settings.integer("kept.messages.per.user", in: 1...1_000_000, default: 10_000)
        retention.messages = try settings.integer("kept.messages", in: 1...100_000_000, default: 1_000_000)
        retention.users = try settings.integer("maximum.users", in: 1...10_000_000, default: 100_000)
        retention.unusedAge = .seconds(86_400 * (try settings.integer("unused.account.days", in: 1...36_500, default: 30)))
        contact = try Self.contact(settings)
        push = try PushServices(settings, webPushKeyIn: dataFolder.appending(path: "pager2077-web-push.secret"))
        pathPrefix = isAlone ? "" : "/\(PagerService.name)"
    }

    private static func contact(_ settings: Settings) throws(StartupError) -> String? {
        guard let text = settings.string("contact") else { return nil }
        guard text.count <= maximumContactLength, let scheme = URL(string: text)?.scheme, ["mailto", "https"].contains(scheme)
        else {
            throw StartupError(
                "\(settings.name(of: "contact")) is \"\(text)\"; expected an address such as mailto:pager@example.com or https://example.com/help"
            )
        }
        return text
    }

    /// Maximum length of ``contact``, in characters.
    private static let maximumContactLength = 200

    /// All settings: name without prefix, meaning and default. In the combined `serve` each name begins with `PAGER2077_`.
    package static let settings =
        [
            (name: "JWT_SECRET", meaning: "key that signs tokens, at least 32 bytes [generated]"),
            (name: "DB_PATH", meaning: "database file [pager.db in the data folder]"),
            (name: "REGISTRATIONS_PER_MINUTE", meaning: "registrations from one address [600]"),
            (name: "UNKNOWN_HEX_CODES_PER_MINUTE", meaning: "unknown codes that one user may try [60]"),
            (name: "UNKNOWN_HEX_CODES_PER_HOUR", meaning: "unknown codes that all users together may try [600]"),
            (name: "MESSAGE_RETENTION_DAYS", meaning: "days until a message is removed [365]"),
            (name: "KEPT_MESSAGES_PER_USER", meaning: "kept messages that one user has sent; the oldest go first [10000]"),
            (name: "KEPT_MESSAGES", meaning: "kept messages of all users [1000000]"),
            (name: "MAXIMUM_USERS", meaning: "accounts; a full service refuses new ones [100000]"),
            (
                name: "UNUSED_ACCOUNT_DAYS",
                meaning: "days until an account that is not seen, without friends and messages, goes [30]"
            ),
            (name: "CONTACT", meaning: "address of the operator that the app shows to users, mailto: or https: [none]"),
        ] + PushServices.settings()
}
