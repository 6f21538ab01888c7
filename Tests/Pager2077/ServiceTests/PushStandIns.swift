import Foundation
import Pager2077Wire
import PushKit
import ServerKit
import ServiceLifecycle
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// All push services in memory: they reply as told for an address, and accept otherwise.
final class PushStandIns: Sendable {
    /// One request to a push service.
    struct Sent: Equatable {
        /// `start`, `alert`, `background`, `webPush` or `ntfy`.
        var kind: String
        /// Token, endpoint or topic.
        var address: String
        var text: NotificationText?
        var environment: APNSEnvironment?
        var entry: Identifier<PushEntry>
        /// The payload for APNs and for browsers.
        var payload: JSONValue

        /// Kind and address, for comparisons.
        var route: String { "\(kind) \(address)" }

        subscript(_ member: String) -> JSONValue? { if case .object(let members) = payload { members[member] } else { nil } }
        var badge: JSONValue? {
            guard case .object(let aps) = self["aps"] else { return self["badge"] }
            return aps["badge"]
        }
    }

    private let state = Locked((sent: [Sent](), results: [String: [PushResult]]()))

    var sent: [Sent] { state.withLock { $0.sent } }
    /// The routes of all attempts so far, sorted: different devices are sent to at once.
    var routes: [String] { sent.map(\.route).sorted() }
    func clear() { state.withLock { $0.sent = [] } }
    /// The results of the next requests for an address.
    func set(_ results: PushResult..., for address: String) { state.withLock { $0.results[address] = results } }

    var senders: [any PushSender] { PushChannel.allCases.map { Sender(channel: $0, standIns: self) } }

    private struct Sender: PushSender {
        let channel: PushChannel
        let standIns: PushStandIns

        func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
            do {
                return standIns.answer(try Sent(entry, route), route)
            } catch {
                Issue.record(error)
                return .refused(.unreadable)
            }
        }
    }

    private func answer(_ sent: Sent, _ route: PushRoute) -> PushResult {
        state.withLock { state in
            state.sent.append(sent)
            guard let results = state.results[sent.address], let first = results.first else {
                return .accepted(PushReceipt(route: route))
            }
            state.results[sent.address] = Array(results.dropFirst())
            guard case .accepted(var receipt) = first else { return first }
            receipt.route = route
            return .accepted(receipt)
        }
    }
}

extension PushStandIns.Sent {
    fileprivate init(_ entry: PushEntry, _ route: PushRoute) throws {
        self.entry = entry.identifier
        switch route {
        case .apns(let apns):
            kind = apns.notification.kind == .liveActivity ? "start" : apns.notification.kind.rawValue
            (address, environment) = (apns.token, apns.environment)
            payload = try WireJSON.decode(from: try #require(try apns.notification.payload.encoded()))
            if case .object(let aps) = self["aps"], case .object(let alert) = aps["alert"],
                case (.string(let title), .string(let body)) = (alert["title"], alert["body"])
            {
                text = NotificationText(title: title, body: body)
            }
        case .webPush(let webPush):
            (kind, address) = ("webPush", webPush.subscription.endpoint.absoluteString)
            payload = try WireJSON.decode(from: webPush.message.payload)
            if case (.string(let title), .string(let body)) = (self["title"], self["body"]) {
                text = NotificationText(title: title, body: body)
            }
        case .ntfy(let ntfy):
            (kind, address, payload) = ("ntfy", ntfy.topic, .null)
            text = NotificationText(title: ntfy.message.title, body: ntfy.message.text)
        }
    }
}

// MARK: A sender and a recipient

extension PushStandIns {
    /// Tokens of an iPhone: for alerts, and to start a Live Activity.
    static let (token, startToken) = (String(repeating: "d0", count: 32), String(repeating: "a1", count: 40))

    /// A pager with Ada and Bob, who use it in browsers and are not friends yet.
    func pagerOfTwo() async throws -> (Pager, ada: Pager.Person, bob: Pager.Person) {
        let pager = try await Pager(self, pathPrefix: "/pager2077")
        return (pager, try await pager.person("browser-ada"), try await pager.person("browser-bob"))
    }

    /// Sends a message, and returns the requests to push services.
    func page(_ text: String, from sender: Pager.Person, to recipient: Pager.Person, at pager: Pager) async throws -> [Sent] {
        clear()
        try await pager.send(text, from: sender, to: recipient)
        try await pager.deliver()
        return sent
    }
}

extension Pager {
    /// A pager that sends by all push services.
    convenience init(_ standIns: PushStandIns, pathPrefix: String = "") async throws {
        try await self.init(
            senders: standIns.senders, webPush: WebPushConfiguration(),
            ntfy: NtfyConfiguration(address: URL(string: "https://ntfy.example.org")!), pathPrefix: pathPrefix)
    }

    /// Sends what is due, until nothing is.
    func deliver() async throws {
        let delivery = try #require(parts.background.compactMap { $0 as? PushDelivery }.first)
        let group = ServiceGroup(services: [delivery], logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await eventually { [self] in
                let due = try await store.read { transaction in
                    try transaction.exists(
                        "SELECT 1 FROM pushes WHERE state = 'active' OR (state = 'waiting' AND due_at <= ?)", self.now)
                }
                return !due
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// The states of a user's notifications, oldest first.
    func ends(of person: Person) async throws -> [PushState] {
        try await store.read { transaction in
            try transaction.all("SELECT state FROM pushes WHERE recipient = ? ORDER BY id", person.id, as: PushState.self)
        }
    }

    // MARK: Devices

    @discardableResult
    func setDevice(
        _ id: PushDevice.ID, _ address: PushAddress?, language: String = "en", previews: Bool = true, of person: Person
    ) async throws -> Reply {
        try await call(
            PagerEndpoints.setPushDevice, PushDeviceUpdate(address: address, language: language, showsPreviews: previews),
            by: person, ["deviceId": id.rawValue])
    }

    @discardableResult
    func setStartToken(_ token: String?, device: PushDevice.ID? = nil, of person: Person) async throws -> Reply {
        try await call(
            PagerEndpoints.setLiveActivityToken, LiveActivityTokenUpdate(liveActivityToken: token, deviceId: device), by: person)
    }
}

extension PushDevice.ID {
    /// The n-th device of a test.
    static func test(_ number: Int) -> PushDevice.ID {
        PushDevice.ID(String(repeating: "0", count: 30) + String(number + 10))
    }
}

extension PushAddress {
    /// A browser's subscription, with the keys of RFC 8291, appendix A.
    static func browser(_ name: String) -> PushAddress {
        .webPush(
            PushSubscription(
                endpoint: "https://push.example.org/\(name)",
                keys: .init(
                    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    auth: "BTBZMqHH6r4Tts7J_aSIgg")))
    }
}
