import Foundation
package import ServerKit
package import WireKit

/// A notification with the same words on every kind of push service.
package struct PushAlert: Hashable, Sendable {
    /// The notification's id in the app. A device shows one notification for each.
    package var id: String
    package var title: String
    package var body: String
    /// The urgency as in RFC 8030, section 5.3; `high` is for notifications that cannot wait for an open screen.
    package var urgency: WebPushMessage.Urgency
    package var priority: NtfyMessage.Priority
    /// Tags of ntfy, which shows a tag that is the name of an emoji as the emoji.
    package var tags: [String]

    package init(
        id: String, title: String, body: String, urgency: WebPushMessage.Urgency = .normal,
        priority: NtfyMessage.Priority = .standard, tags: [String] = []
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.urgency = urgency
        self.priority = priority
        self.tags = tags
    }

    /// Returns the route to an address of a device.
    ///
    /// - Parameter environment: The environment of an APNs token; nil for the configured environment.
    /// - Returns: The route; nil if the operator's configuration no longer allows the address.
    package func route(
        to address: PushAddress, environment: APNSEnvironment?, by services: PushServices
    ) throws -> PushRoute? {
        switch address {
        case .apns(let token, _): return .apns(APNSRoute(token: token, environment: environment, notification: forAPNS))
        case .webPush(let subscription):
            guard let subscription = try? services.webPush?.subscription(subscription) else { return nil }
            let message = try WebPushNotification(title: title, body: body, tag: id).message(urgency: urgency)
            return .webPush(WebPushRoute(subscription: subscription, message: message))
        case .ntfy(let topic):
            let message = NtfyMessage(title: title, text: body, priority: priority, tags: tags)
            return services.ntfy.map { _ in .ntfy(NtfyRoute(topic: topic, message: message)) }
        }
    }

    private var forAPNS: APNSNotification {
        APNSNotification(
            .alert, .alert(title: title, body: body, thread: id, custom: ["tag": .string(id)]), priority: .immediate,
            // A longer id is left out: the entry's own identifier is used instead.
            collapseID: id.utf8.count <= APNSNotification.maximumCollapseIDLength ? id : nil)
    }
}

extension PushAddress {
    /// The environment that the app has named for an APNs token; otherwise nil.
    package var environment: APNSEnvironment? {
        if case .apns(_, let name?) = self { APNSEnvironment(rawValue: name) } else { nil }
    }

    /// True if `route` leads to this address.
    package func isReached(by route: PushRoute) -> Bool {
        switch route {
        case .apns(let apns): key == PushAddress.apns(token: apns.token).key
        case .webPush(let webPush): key == PushAddress.webPush(webPush.subscription.asPushSubscription).key
        case .ntfy(let ntfy): key == PushAddress.ntfy(topic: ntfy.topic).key
        }
    }
}

extension PushServices {
    /// Returns the services for an app to choose from. The topic of ntfy is new in each offer.
    ///
    /// - Parameter system: The beginning of the topic's name.
    package func offer(_ system: String) -> PushOffer {
        var generator = SystemRandomNumberGenerator()
        let topic = "\(system)-\(Identifier<PushEntry>.random(using: &generator))"
        return PushOffer(
            webPushKey: webPush?.publicKey, ntfy: ntfy.map { NtfyOffer(server: $0.address.absoluteString, topic: topic) })
    }
}

extension PushSettings: FieldDecodable where Content: RawRepresentable<String> & CaseIterable {
    /// The allowed length of a language, in characters.
    private static var languageLength: ClosedRange<Int> { 2...35 }

    package init(from fields: inout FieldReader) throws {
        let name = fields.string("content")
        let content = Content(rawValue: name)
        if fields["content"] != nil, content == nil {
            let names = Content.allCases.map(\.rawValue)
            fields.report(
                "content", .invalid, "content must be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
        }
        let language = fields.string("language", length: Self.languageLength)
        let address = fields.pushAddress("address")
        guard let content else { throw FieldErrors(issues: fields.issues) }
        self.init(address: address, content: content, language: language)
    }
}

extension FieldReader {
    /// Reads the address of a phone, and checks its form only: ``PushServices/validated(_:)`` checks the rest.
    ///
    /// - Returns: The address; a placeholder if the field is missing or invalid, which is reported.
    package mutating func pushAddress(_ field: String) -> PushAddress {
        guard let value = self[field] else {
            report(field, .missing)
            return .ntfy(topic: "")
        }
        if let address = (try? WireJSON.encode(value)).flatMap({ try? WireJSON.decode(PushAddress.self, from: $0) }) {
            return address
        }
        report(field, .invalid, "\(field) is no address of a push service")
        return .ntfy(topic: "")
    }
}
