package import Foundation
package import PlatformKit
import WireKit

/// A topic of a service's ntfy server, by which notifications reach a phone without a push service of its own.
///
/// The service generates the topic, and the user subscribes to ``address`` in the ntfy app. Secret: it gives access to messages.
package struct NtfySubscription: Codable, Hashable, Sendable {
    private static let key = "ntfy"
    /// Maximum length of a topic that ntfy accepts, in characters.
    private static let maximumTopicLength = 64

    /// The address of the server.
    package let server: String
    package let topic: String

    /// - Returns: Nil unless `server` is an address of the web and `topic` is a name that ntfy accepts. Services are not trusted: the app
    ///   shows the address as a link.
    package init?(server: String, topic: String) {
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false,
            (1...Self.maximumTopicLength).contains(topic.utf8.count),
            topic.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        else { return nil }
        self.server = server
        self.topic = topic
    }

    /// The page of the topic; nil only for a stored value that was damaged.
    package var address: URL? { URL(string: server)?.appending(path: topic) }

    /// - Returns: The stored subscription; nil if there is none, or it cannot be decoded.
    /// - Throws: `PhoneError`.
    package static func load(from keychain: any Keychain) async throws -> NtfySubscription? {
        try await keychain.data(for: key).flatMap { try? WireJSON.decode(NtfySubscription.self, from: $0) }
    }

    /// Stores a subscription in place of an earlier one; nil removes it.
    ///
    /// - Throws: `PhoneError`; nothing has changed then.
    package static func store(_ subscription: NtfySubscription?, in keychain: any Keychain) async throws {
        try await keychain.set(subscription.map { try WireJSON.encode($0) }, for: key)
    }
}
