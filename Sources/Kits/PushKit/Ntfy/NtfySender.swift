package import Foundation
import HTTPTypes
package import Logging
import NIOTransport
package import NetworkingKit
package import ServerKit
package import WireKit

/// The operator's ntfy server.
package struct NtfyConfiguration: Sendable {
    package var address: URL
    /// The access token, `tk_…`; nil for none.
    package var token: String?

    package init(address: URL, token: String? = nil) {
        self.address = address
        self.token = token
    }

    /// Reads `NTFY_URL` and `NTFY_TOKEN`.
    ///
    /// - Returns: The configuration; nil without an address: phones then get no notifications by ntfy.
    package static func read(_ settings: Settings) throws(StartupError) -> NtfyConfiguration? {
        guard let text = settings.string("ntfy.url") else { return nil }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""), !(url.host() ?? "").isEmpty else {
            throw StartupError("\(settings.name(of: "ntfy.url")) is \"\(text)\"; expected an http or https address")
        }
        return NtfyConfiguration(address: url, token: settings.string("ntfy.token", isSecret: true))
    }

    /// All settings: name without prefix, meaning and default.
    package static let settings = [
        (name: "NTFY_URL", meaning: "ntfy server for phones without another push service [none]"),
        (name: "NTFY_TOKEN", meaning: "access token of the ntfy server"),
    ]
}

/// A topic of ntfy with the message for it.
package struct NtfyRoute: Hashable, Sendable {
    /// The name of the topic, which is a secret: anyone who knows it can read the messages.
    package var topic: String
    package var message: NtfyMessage

    package init(topic: String, message: NtfyMessage) {
        self.topic = topic
        self.message = message
    }

    /// True for a name that ntfy accepts.
    package static func isTopic(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy(\.isBase64URLDigit)
    }
}

/// A message for an ntfy server.
package struct NtfyMessage: Hashable, Sendable {
    /// The priority, from 1 (least urgent) to 5 (most urgent).
    package enum Priority: Int, Hashable, Sendable, Codable {
        case minimum = 1
        case low, standard, high, maximum
    }

    /// Maximum length of a text, in bytes. A longer text would arrive as a file.
    package static let maximumTextLength = 4000

    package var title: String
    /// The text, of which at most ``maximumTextLength`` is sent.
    package var text: String
    package var priority: Priority
    package var tags: [String]
    /// The address that a tap opens; nil for none.
    package var click: String?

    package init(title: String, text: String, priority: Priority = .standard, tags: [String] = [], click: String? = nil) {
        self.title = title
        self.text = text
        self.priority = priority
        self.tags = tags
        self.click = click
    }
}

/// The sender of notifications through an ntfy server, for phones that neither APNs nor Web Push reaches.
package final class NtfySender: PushSender {
    package var channel: PushChannel { .ntfy }

    private struct Publication: Encodable {
        var topic: String
        var title: String
        var message: String
        var priority: NtfyMessage.Priority
        var tags: [String]?
        var click: String?
    }

    private let configuration: NtfyConfiguration
    private let transport: any HTTPTransport
    private let logger: Logger
    private let now: @Sendable () -> Timestamp

    package init(
        _ configuration: NtfyConfiguration, logger: Logger, now: @escaping @Sendable () -> Timestamp = { .now },
        transport: any HTTPTransport = AsyncHTTP(idleTimeout: .seconds(20))
    ) {
        self.configuration = configuration
        self.transport = transport
        self.logger = logger
        self.now = now
    }

    package func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
        guard case .ntfy(let ntfy) = route else { return .refused(.notConfigured) }
        guard NtfyRoute.isTopic(ntfy.topic) else { return .dead("bad topic") }
        let message = ntfy.message
        do {
            let body = try WireJSON.encode(
                Publication(
                    topic: ntfy.topic, title: message.title, message: Self.shortened(message.text), priority: message.priority,
                    tags: message.tags.isEmpty ? nil : message.tags, click: message.click))
            var headers: HTTPFields = [.contentType: "application/json"]
            if let token = configuration.token { headers[.authorization] = "Bearer \(token)" }
            let request = try HTTPRequest(.post, "/", below: configuration.address, headers: headers)
            let reply = try await transport.stream(request, body: .data(body))
            return result(of: reply.head, route)
        } catch {
            return PushResult(error, of: entry, logger: logger)
        }
    }

    private func result(of head: HTTPResponse, _ route: PushRoute) -> PushResult {
        switch head.status.code {
        case 200: .accepted(PushReceipt(route: route))
        case 401, 403: .misconfigured("ntfy token refused")
        case 413: .refused(.payloadTooLarge)
        case 429: .retry("too many requests", after: RetryAfter.pause(head.headerFields[.retryAfter], now: now()))
        case 408, 425, 500...599: .retry("service failure", after: RetryAfter.pause(head.headerFields[.retryAfter], now: now()))
        default: .refused(.unexpectedReply)
        }
    }

    /// Returns the text, cut at a character if it is too long.
    static func shortened(_ text: String) -> String {
        guard text.utf8.count > NtfyMessage.maximumTextLength else { return text }
        var kept = ""
        var length = "…".utf8.count
        for character in text {
            length += character.utf8.count
            if length > NtfyMessage.maximumTextLength { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
