import Foundation
import HTTPTypes
package import Logging
package import NetworkingKit
package import WireKit

/// The sender of notifications to browsers (RFC 8030).
package final class WebPushSender: PushSender {
    package var channel: PushChannel { .webPush }

    private let signer: VAPIDSigner
    private let transport: any HTTPTransport
    private let logger: Logger
    private let now: @Sendable () -> Timestamp

    /// - Parameter transport: A transport that refuses addresses inside the network, because endpoints come from strangers; nil for
    ///   ``PublicHTTP`` with the configuration's exceptions.
    package init(
        _ configuration: WebPushConfiguration, logger: Logger, now: @escaping @Sendable () -> Timestamp = { .now },
        transport: (any HTTPTransport)? = nil
    ) throws {
        signer = try VAPIDSigner(configuration, now: now)
        self.transport = transport ?? PublicHTTP(allowedOrigins: configuration.allowedOrigins)
        self.logger = logger
        self.now = now
    }

    package func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
        guard case .webPush(let webPush) = route else { return .refused(.notConfigured) }
        let (subscription, message) = (webPush.subscription, webPush.message)
        guard message.payload.count <= WebPushMessage.maximumSize else { return .refused(.payloadTooLarge) }
        do {
            let body = try WebPushEncryption.body(message.payload, for: subscription)
            var headers = HTTPFields()
            headers[.ttl] = "\(max(entry.expiresAt.seconds - now().seconds, 0))"
            headers[.contentEncoding] = "aes128gcm"
            headers[.contentType] = "application/octet-stream"
            headers[.urgency] = message.urgency.rawValue
            // An attempt repeated after an unknown result replaces the first, if that still waits for the browser.
            let topic = message.topic ?? entry.identifier.rawValue
            guard WebPushMessage.isTopic(topic) else { throw UnusableTopic() }
            headers[.topic] = topic
            let authorization = try await signer.header(for: subscription.origin)
            headers[.authorization] = authorization
            let request = HTTPRequest(url: subscription.endpoint, headers: headers)
            // The body is not read: its length is unbounded.
            let reply = try await transport.stream(request, body: .data(body)).head
            guard Self.refusesAuthorization(reply) else { return result(of: reply, route) }
            var renewed = request
            renewed.headerFields[.authorization] = try await signer.header(for: subscription.origin, insteadOf: authorization)
            return result(of: try await transport.stream(renewed, body: .data(body)).head, route)
        } catch let error as ForbiddenAddress {
            logger.warning(
                "A browser's endpoint leads into the network", metadata: ["push.id": "\(entry.identifier)", "why": "\(error)"])
            return .dead("address not public")
        } catch {
            return PushResult(error, of: entry, logger: logger)
        }
    }

    private struct UnusableTopic: Error {}

    private static func refusesAuthorization(_ head: HTTPResponse) -> Bool { [401, 403].contains(head.status.code) }

    private func result(of head: HTTPResponse, _ route: PushRoute) -> PushResult {
        switch head.status.code {
        case 200, 201, 202: .accepted(PushReceipt(route: route, id: nil))
        // RFC 8030, section 7.3. Some services reply 404 instead of 410.
        case 404, 410: .dead("gone")
        case _ where Self.refusesAuthorization(head): .misconfigured("VAPID refused")
        case 413: .refused(.payloadTooLarge)
        case 429: .retry("too many requests", after: RetryAfter.pause(head.headerFields[.retryAfter], now: now()))
        // ntfy replies so if there is no subscriber to the topic of a UnifiedPush endpoint.
        case 507: .dead("gone")
        case 408, 425, 500...599: .retry("service failure", after: RetryAfter.pause(head.headerFields[.retryAfter], now: now()))
        // This includes redirects, which could lead into the network.
        default: .refused(.unexpectedReply)
        }
    }
}

extension HTTPRequest {
    fileprivate init(url: URL, headers: HTTPFields) {
        let host = url.host() ?? ""
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let path = url.path(percentEncoded: true)
        self.init(
            method: .post, scheme: url.scheme ?? "https", authority: url.port.map { "\(name):\($0)" } ?? name,
            path: (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? ""), headerFields: headers)
    }
}

extension HTTPField.Name {
    static let ttl = Self("TTL")!
    static let urgency = Self("Urgency")!
    static let topic = Self("Topic")!
}

/// The pause that a server asks for (RFC 9110, section 10.2.3): a number of seconds, or a date.
enum RetryAfter {
    /// Maximum pause. An entry that expires earlier is not sent again.
    static let longest = Duration.seconds(86_400)

    static func pause(_ text: String?, now: Timestamp) -> Duration? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy(\.isASCIIDigit) { return Int(text).map { min(.seconds($0), longest) } ?? longest }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = formatter.date(from: text) else { return nil }
        return min(max(.milliseconds(Timestamp(date).milliseconds - now.milliseconds), .zero), longest)
    }
}
