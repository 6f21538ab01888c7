import Foundation
package import PushKit
import WireKit

/// A push service in memory: records, and replies as told.
package final class PushStandIn: PushSender {
    package struct Sent: Equatable, Sendable {
        package var address: String
        package var title: String
        package var body: String
        package var id: String
        package var isUrgent: Bool
    }

    package let channel: PushChannel
    private let state = Locked((sent: [Sent](), results: [PushResult]()))

    package init(_ channel: PushChannel) { self.channel = channel }

    package var sent: [Sent] { state.withLock { $0.sent } }
    /// The results of the next requests.
    package func set(_ results: PushResult...) { state.withLock { $0.results = results } }

    package func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
        state.withLock { state in
            state.sent.append(Sent(route))
            guard !state.results.isEmpty else { return .accepted(PushReceipt(route: route)) }
            let result = state.results.removeFirst()
            guard case .accepted(var receipt) = result else { return result }
            receipt.route = route
            return .accepted(receipt)
        }
    }
}

extension PushStandIn.Sent {
    package init(_ route: PushRoute) {
        switch route {
        case .apns(let apns):
            let payload = apns.notification.payload
            var (title, body, id) = ("", "", "")
            if case .object(let alert) = payload.aps["alert"] { (title, body) = (alert["title"].text, alert["body"].text) }
            id = payload.custom["tag"].text
            self.init(
                address: apns.token, title: title, body: body, id: id, isUrgent: apns.notification.priority == .immediate)
        case .webPush(let webPush):
            let payload = try? WireJSON.decode(JSONValue.self, from: webPush.message.payload)
            var members: [String: JSONValue] = [:]
            if case .object(let object) = payload { members = object }
            self.init(
                address: webPush.subscription.endpoint.absoluteString, title: members["title"].text, body: members["body"].text,
                id: members["tag"].text, isUrgent: webPush.message.urgency == .high)
        case .ntfy(let ntfy):
            self.init(
                address: ntfy.topic, title: ntfy.message.title, body: ntfy.message.text, id: "",
                isUrgent: ntfy.message.priority.rawValue > NtfyMessage.Priority.standard.rawValue)
        }
    }
}

extension JSONValue? {
    fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
}
