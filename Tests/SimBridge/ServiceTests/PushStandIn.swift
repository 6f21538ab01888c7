import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import PushKit
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import WireKit

@testable import SimBridgeService

/// A push service in memory: records, and replies as told.
final class PushStandIn: PushSender {
    struct Sent: Equatable {
        var address: String
        var title: String
        var body: String
        var id: String
        var isUrgent: Bool
    }

    let channel: PushChannel
    private let state = NIOLockedValueBox((sent: [Sent](), results: [PushResult]()))

    init(_ channel: PushChannel) { self.channel = channel }

    var sent: [Sent] { state.withLockedValue { $0.sent } }
    /// The results of the next requests.
    func set(_ results: PushResult...) { state.withLockedValue { $0.results = results } }

    func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
        state.withLockedValue { state in
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
    init(_ route: PushRoute) {
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
                isUrgent: ntfy.message.priority == .maximum)
        }
    }
}

extension JSONValue? {
    fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
}

extension TestRelay {
    /// A relay without a sender keeps what it would send: the states of the outbox are those of the decisions.
    func pushes(_ state: PushState) async throws -> [PushEntry] {
        try await relay.pushes.outbox.entries(state, limit: 1000).reversed()
    }

    /// The waiting notifications as they would be sent now; nil for one without a route.
    func notifications() async throws -> [PushStandIn.Sent?] {
        let entries = try await pushes(.waiting)
        let (time, directory) = (now, RelayDirectory(services: relay.pushes.services))
        return try await relay.store.write { transaction in
            try entries.map { entry in
                try directory.targets(of: entry, at: time, in: transaction).first?.routes.first.map { PushStandIn.Sent($0) }
            }
        }
    }

    func setPush(
        _ content: PushContent = .nothing, address: PushAddress = .ntfy(topic: "topic"), language: String = "en",
        for device: Device.ID, of owner: Person
    ) async throws -> Reply {
        try await parts.call(
            .put, SimBridgeEndpoints.setPush.path(["id": "\(device)"]), token: owner.token,
            body: WireJSON.encode(PushSettings(address: address, content: content, language: language)))
    }

    func removePush(of device: Device.ID, of owner: Person) async throws -> Reply {
        try await call(.delete, SimBridgeEndpoints.removePush.path(["id": "\(device)"]), token: owner.token)
    }
}
