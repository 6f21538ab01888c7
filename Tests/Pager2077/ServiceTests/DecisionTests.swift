import Foundation
import Pager2077Wire
import PushKit
import ServerKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// The decision table of `Docs/Protocols/Pager2077.md`, section 3: which notification of a message goes by which route. One row, one test.
@Suite struct DecisionTests {
    private static let phoneToken = String(repeating: "d0", count: 32)
    private static let tabletToken = String(repeating: "e0", count: 32)
    private static let startToken = String(repeating: "a1", count: 40)
    private static let registeredToken = String(repeating: "c0", count: 32)

    /// The recipient's devices, the replies of push services, and the expected result.
    struct Row: CustomTestStringConvertible, Sendable {
        struct Device: Sendable {
            var address: PushAddress?
            var startToken: String?

            init(_ address: PushAddress?, startToken: String? = nil) { (self.address, self.startToken) = (address, startToken) }
        }

        var testDescription: String
        var registered = "browser-bob"
        /// Stored without a device id.
        var registeredStartToken: String?
        var devices: [Device] = []
        var dead: [String] = []
        /// The attempts for a first message.
        var sends: [String]
        var ends: [PushState]
        /// The attempts for a second message, when dead addresses are known; nil: the same, without the dead ones.
        var then: [String]?
    }

    private static let rows: [Row] = [
        Row(testDescription: "nothing", sends: [], ends: [.unreachable]),
        Row(
            testDescription: "registered token", registered: registeredToken, sends: ["alert \(registeredToken)"],
            ends: [.completed]),
        Row(
            testDescription: "registered token and start token", registered: registeredToken, registeredStartToken: startToken,
            sends: ["start \(startToken)"], ends: [.completed], then: ["alert \(registeredToken)"]),
        Row(
            testDescription: "registered token, dead start token", registered: registeredToken, registeredStartToken: startToken,
            dead: [startToken], sends: ["start \(startToken)", "alert \(registeredToken)"], ends: [.completed]),
        Row(
            testDescription: "registered token, and a device", registered: registeredToken,
            devices: [.init(.apns(token: phoneToken))], sends: ["alert \(phoneToken)"], ends: [.completed]),
        Row(
            testDescription: "registered tokens, and a device without an address", registered: registeredToken,
            registeredStartToken: startToken, devices: [.init(nil)], sends: [], ends: [.unreachable]),
        Row(testDescription: "generated: simulator", registered: "simulator-\(registeredToken)", sends: [], ends: [.unreachable]),
        Row(testDescription: "generated: denied", registered: "denied-token-\(registeredToken)", sends: [], ends: [.unreachable]),
        Row(testDescription: "generated: browser", registered: "browser-\(registeredToken)", sends: [], ends: [.unreachable]),
        Row(
            testDescription: "generated start token", registeredStartToken: "simulator-\(startToken)", sends: [],
            ends: [.unreachable]),
        Row(
            testDescription: "start token valid",
            devices: [.init(.apns(token: phoneToken), startToken: startToken)], sends: ["start \(startToken)"], ends: [.completed],
            then: ["alert \(phoneToken)"]),
        Row(
            testDescription: "start token valid, no address", devices: [.init(nil, startToken: startToken)],
            sends: ["start \(startToken)"], ends: [.completed], then: ["start \(startToken)"]),
        Row(
            testDescription: "start token dead",
            devices: [.init(.apns(token: phoneToken), startToken: startToken)], dead: [startToken],
            sends: ["start \(startToken)", "alert \(phoneToken)"], ends: [.completed]),
        Row(
            testDescription: "start token dead, no address", devices: [.init(nil, startToken: startToken)], dead: [startToken],
            sends: ["start \(startToken)"], ends: [.failed]),
        Row(
            testDescription: "start token of 31 characters",
            devices: [.init(.apns(token: phoneToken), startToken: String(repeating: "a", count: 31))],
            sends: ["alert \(phoneToken)"], ends: [.completed]),
        Row(
            testDescription: "start token of 32 characters",
            devices: [.init(.apns(token: phoneToken), startToken: String(repeating: "a", count: 32))],
            sends: ["start \(String(repeating: "a", count: 32))"], ends: [.completed], then: ["alert \(phoneToken)"]),
        Row(
            testDescription: "no start token", devices: [.init(.apns(token: phoneToken))], sends: ["alert \(phoneToken)"],
            ends: [.completed]),
        Row(
            testDescription: "device token dead", devices: [.init(.apns(token: phoneToken))], dead: [phoneToken],
            sends: ["alert \(phoneToken)"], ends: [.failed]),
        Row(
            testDescription: "both tokens dead",
            devices: [.init(.apns(token: phoneToken), startToken: startToken)], dead: [startToken, phoneToken],
            sends: ["start \(startToken)", "alert \(phoneToken)"], ends: [.failed]),
        Row(
            testDescription: "browser only", devices: [.init(.browser("a"))], sends: ["webPush https://push.example.org/a"],
            ends: [.completed]),
        Row(
            testDescription: "browser gone", devices: [.init(.browser("a"))], dead: ["https://push.example.org/a"],
            sends: ["webPush https://push.example.org/a"], ends: [.failed]),
        Row(
            testDescription: "browser, start token dead", devices: [.init(.browser("a"), startToken: startToken)],
            dead: [startToken], sends: ["start \(startToken)", "webPush https://push.example.org/a"], ends: [.completed]),
        Row(testDescription: "ntfy only", devices: [.init(.ntfy(topic: "bob"))], sends: ["ntfy bob"], ends: [.completed]),
        Row(
            testDescription: "two devices", devices: [.init(.apns(token: phoneToken)), .init(.browser("a"))],
            sends: ["alert \(phoneToken)", "webPush https://push.example.org/a"], ends: [.completed, .completed]),
        Row(
            testDescription: "two devices, a start token each",
            devices: [
                .init(.apns(token: phoneToken), startToken: startToken),
                .init(.apns(token: tabletToken), startToken: String(repeating: "b2", count: 40)),
            ], sends: ["start \(startToken)", "start \(String(repeating: "b2", count: 40))"], ends: [.completed, .completed],
            then: ["alert \(phoneToken)", "alert \(tabletToken)"]),
        Row(
            testDescription: "two devices, one dead", devices: [.init(.apns(token: phoneToken)), .init(.apns(token: tabletToken))],
            dead: [phoneToken], sends: ["alert \(phoneToken)", "alert \(tabletToken)"], ends: [.completed, .failed]),
        Row(
            testDescription: "two devices, one without an address", devices: [.init(nil), .init(.ntfy(topic: "bob"))],
            sends: ["ntfy bob"], ends: [.completed]),
    ]

    let standIns = PushStandIns()
    let pager: Pager
    let ada: Pager.Person

    init() async throws {
        pager = try await Pager(standIns)
        ada = try await pager.person("browser-ada")
    }

    /// A friend of Ada's, whose notifications so far are sent.
    private func friend(_ deviceToken: String = "browser-bob") async throws -> Pager.Person {
        let bob = try await pager.person(deviceToken)
        try await pager.befriend(ada, bob)
        try await pager.deliver()
        return bob
    }

    @Test(arguments: rows) private func row(_ row: Row) async throws {
        let bob = try await friend(row.registered)
        if let token = row.registeredStartToken { try await pager.setStartToken(token, of: bob) }
        for (number, device) in row.devices.enumerated() {
            #expect(try await pager.setDevice(.test(number), device.address, of: bob).status == 200)
            if let token = device.startToken { try await pager.setStartToken(token, device: .test(number), of: bob) }
        }
        for address in row.dead { standIns.set(.dead("Unregistered"), for: address) }
        let before = try await pager.ends(of: bob).count
        standIns.clear()

        try await pager.send("HELLO", from: ada, to: bob)
        try await pager.deliver()
        #expect(standIns.routes == row.sends.sorted())
        #expect(try await pager.ends(of: bob).dropFirst(before).map(\.rawValue).sorted() == row.ends.map(\.rawValue).sorted())

        standIns.clear()
        try await pager.send("AGAIN", from: ada, to: bob)
        try await pager.deliver()
        let then = row.then ?? row.sends.filter { send in !row.dead.contains { send.hasSuffix(" " + $0) } }
        #expect(standIns.routes == then.sorted())
    }

    // MARK: Presence

    /// The behaviour of the recipient's client, which decides when the notification of a message is sent.
    enum Client: CaseIterable, CustomTestStringConvertible {
        /// A live socket, but not in the foreground. It confirms all the same.
        case background
        case online
        case foregroundConfirms
        case foregroundSilent
        /// In the foreground, with the sender's chat open: it confirms and reads.
        case openChat
        /// In the foreground 44.999 s ago.
        case almostStale
        /// In the foreground 45 s ago.
        case stale
        /// Left the foreground.
        case left

        /// The time after which it is sent; nil: never.
        var delay: Duration? {
            switch self {
            case .background, .online, .stale, .left: .zero
            case .foregroundSilent, .almostStale: .seconds(5)
            case .foregroundConfirms, .openChat: nil
            }
        }

        var testDescription: String { "\(self)" }
    }

    @Test(arguments: Client.allCases) private func presence(_ client: Client) async throws {
        try await expectNotifications(client, devices: [.apns(token: Self.phoneToken)], ["alert \(Self.phoneToken)"])
    }

    /// A client that is present counts for the person: one confirmation is enough, and without it each device gets one.
    @Test(arguments: [Client.foregroundConfirms, .foregroundSilent, .left])
    private func presenceWithTwoDevices(_ client: Client) async throws {
        try await expectNotifications(
            client, devices: [.apns(token: Self.phoneToken), .browser("away")],
            ["alert \(Self.phoneToken)", "webPush https://push.example.org/away"])
    }

    private func expectNotifications(_ client: Client, devices: [PushAddress], _ routes: [String]) async throws {
        let bob = try await friend()
        for (number, address) in devices.enumerated() { try await pager.setDevice(.test(number), address, of: bob) }
        standIns.clear()
        // The test runs the sending by itself.
        var parts = pager.parts
        parts.background = []
        try await ServerUnderTest.run([parts]) { [self] server async throws in
            try await WebSocketProbe.open(
                port: server.port, "/api/live?after=0", headers: ["Authorization": "Bearer \(bob.token)"]
            ) { socket in
                try await prepare(client, bob, socket)
                try await pager.send("HELLO", from: ada, to: bob)
                // The event: the request was the first.
                while try await !text(socket).contains(#""seq":2"#) {}
                try await answer(client, bob, socket)
                try await pager.deliver()
                #expect(standIns.routes == (client.delay == .zero ? routes : []))
                pager.advance(.milliseconds(4999))
                try await pager.deliver()
                #expect(standIns.routes == (client.delay == .zero ? routes : []))
                pager.advance(.milliseconds(1))
                try await pager.deliver()
                #expect(standIns.routes == (client.delay == nil ? [] : routes))
            }
        }
        pager.advance(.seconds(3600))
        try await pager.deliver()
        #expect(standIns.routes == (client.delay == nil ? [] : routes))
        #expect(try await pager.ends(of: bob).last == (client.delay == nil ? .withdrawn : .completed))
    }

    /// Before the message.
    private func prepare(_ client: Client, _ bob: Pager.Person, _ socket: WebSocketProbe) async throws {
        switch client {
        case .background: try await say(.presence(foreground: false), on: socket)
        case .online:
            #expect(try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: bob).status == 200)
        default: try await say(.presence(foreground: true), on: socket)
        }
        switch client {
        case .almostStale: pager.advance(.milliseconds(44_999))
        case .stale: pager.advance(.seconds(45))
        case .left: try await say(.presence(foreground: false), on: socket)
        default: break
        }
    }

    /// After the message.
    private func answer(_ client: Client, _ bob: Pager.Person, _ socket: WebSocketProbe) async throws {
        switch client {
        case .background, .foregroundConfirms, .left: try await say(.ack(seq: 2), on: socket)
        case .openChat:
            try await say(.ack(seq: 2), on: socket)
            #expect(try await pager.history(of: bob, with: ada).count == 1)
        case .online, .foregroundSilent, .almostStale, .stale: break
        }
    }

    /// Sends a message and waits until the service has read it.
    private func say(_ message: LiveClientMessage, on socket: WebSocketProbe) async throws {
        try await socket.send(.text(String(decoding: WireJSON.encode(message), as: UTF8.self)), .text("x"))
        // Messages are answered in order.
        while try await !text(socket).contains(#""error""#) {}
    }

    private func text(_ socket: WebSocketProbe) async throws -> String {
        String(decoding: Data(try await socket.receive().payload), as: UTF8.self)
    }

    // MARK: Status

    @Test func statusGoesToAPNsOnlyAndInTheBackground() async throws {
        let bob = try await friend()
        try await pager.setDevice(.test(0), .apns(token: Self.phoneToken), of: bob)
        try await pager.setDevice(.test(1), .browser("a"), of: bob)
        try await pager.setDevice(.test(2), .ntfy(topic: "bob"), of: bob)
        try await pager.setStartToken(Self.startToken, device: .test(0), of: bob)
        standIns.clear()
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: ada)
        try await pager.deliver()
        #expect(standIns.routes == ["background \(Self.phoneToken)"])
        #expect(standIns.sent.first?.text == nil)
    }

    @Test func requestsStartNoLiveActivity() async throws {
        let bob = try await friend()
        try await pager.setDevice(.test(0), .apns(token: Self.phoneToken), of: bob)
        try await pager.setStartToken(Self.startToken, device: .test(0), of: bob)
        standIns.clear()
        let asker = try await pager.person("browser-asker")
        _ = try await pager.call(PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: bob.hexCode.rawValue), by: asker)
        try await pager.deliver()
        #expect(standIns.routes == ["alert \(Self.phoneToken)"])
    }
}
