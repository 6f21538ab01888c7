import Foundation
import HTTPTypes
import Logging
import Pager2077Wire
import PushKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

extension Pager {
    /// The states that a sender was told, in order.
    func deliveries(toldTo sender: Person) async throws -> [MessageDelivery] {
        try await events(of: sender).compactMap { if case .delivery(_, _, let state) = $0 { state } else { nil } }
    }

    /// The ids of the notifications for a user, the oldest first.
    func pushIDs(of recipient: Person) async throws -> [String] {
        try await store.read {
            try $0.all("SELECT identifier FROM pushes WHERE recipient = ? ORDER BY id", recipient.id, as: String.self)
        }
    }

    func report(_ report: String, on id: String, method: HTTPRequest.Method = .post) async throws -> Reply {
        try await call(method, "/api/pushes/\(id)/\(report)")
    }
}

/// The state of a message on its way, as its sender learns it.
@Suite struct DeliveryStateTests {
    private static let device = String(repeating: "d0", count: 32)
    /// Of a friend with two devices.
    private static let tokens = [String(repeating: "d1", count: 32), String(repeating: "d2", count: 32)]

    let apns = TestAPNS()
    let pager: Pager
    let ada: Pager.Person

    init() async throws {
        pager = try await Pager(senders: [apns])
        ada = try await pager.person("browser-ada")
    }

    /// A friend of Ada's, to whom no notification waits.
    private func friend(_ device: String = Self.device, in other: Pager? = nil, of ada: Pager.Person? = nil) async throws
        -> Pager.Person
    {
        let pager = other ?? pager
        let friend = try await pager.person(device)
        try await pager.befriend(ada ?? self.ada, friend)
        try await pager.deliver()
        return friend
    }

    private func send(_ text: String = "HELLO", to bob: Pager.Person) async throws -> Message.ID {
        try await pager.send(text, from: ada, to: bob).data(MessageReceipt.self).messageId
    }

    /// A friend of Ada's with two devices.
    private func friendWithTwoDevices() async throws -> Pager.Person {
        let friend = try await friend("browser-bob")
        for (number, token) in zip(1..., Self.tokens) {
            let id = PushDevice.ID(String(repeating: "\(number)", count: 32))
            #expect(try await pager.setDevice(id, .apns(token: token), of: friend).status == 200)
        }
        return friend
    }

    // MARK: Ends of a notification

    @Test func senderLearnsThatAPushServiceAccepted() async throws {
        let bob = try await friend()
        let id = try await send(to: bob)
        #expect(try await pager.history(of: ada, with: bob).map(\.delivery) == [nil])
        try await pager.deliver()
        #expect(try await pager.events(of: ada).last == .delivery(friendId: bob.id, messageId: id, .accepted))
        #expect(try await pager.history(of: ada, with: bob).map(\.delivery) == [.accepted])
        // Nothing is sent to the sender's phone.
        #expect(try await pager.pushIDs(of: ada).count == 1, "the acceptance of the friend request")
    }

    @Test func refusedAndExpiredNotificationsHaveFailed() async throws {
        let bob = try await friend()
        apns.set([.refused("PayloadTooLarge"), .retry("TooManyRequests", after: .seconds(2 * 86_400))], for: Self.device)
        for _ in 0..<2 {
            _ = try await send(to: bob)
            try await pager.deliver()
        }
        #expect(try await pager.deliveries(toldTo: ada) == [.failed, .failed])
    }

    @Test func recipientWithoutAPhoneIsUnreachable() async throws {
        let bob = try await friend("browser-bob")
        _ = try await send(to: bob)
        try await pager.deliver()
        #expect(try await pager.deliveries(toldTo: ada) == [.unreachable])
    }

    /// Without a push service nothing reaches a phone, so nothing was accepted.
    @Test(arguments: [true, false]) func withoutAPushServiceTheRecipientIsUnreachable(isLogged: Bool) async throws {
        let pager = try await Pager(senders: isLogged ? [PretendedAPNS(logger: .quiet)] : [])
        let ada = try await pager.person("browser-ada")
        let bob = try await friend(in: pager, of: ada)
        try await pager.send("HELLO", from: ada, to: bob)
        try await pager.deliver()
        #expect(try await pager.deliveries(toldTo: ada) == [.unreachable])
    }

    @Test func oneDeviceThatAcceptsIsEnough() async throws {
        let bob = try await friendWithTwoDevices()
        apns.set([.refused("PayloadTooLarge")], for: Self.tokens[0])
        _ = try await send(to: bob)
        try await pager.deliver()
        #expect(try await pager.deliveries(toldTo: ada) == [.accepted])
    }

    /// The failure of one device is not told while another one may still accept.
    @Test func failureIsToldWhenAllDevicesHaveFailed() async throws {
        let bob = try await friendWithTwoDevices()
        apns.set([.refused("PayloadTooLarge")], for: Self.tokens[0])
        apns.set([.retry("InternalServerError"), .refused("PayloadTooLarge")], for: Self.tokens[1])
        _ = try await send(to: bob)
        try await pager.deliver()
        #expect(try await pager.deliveries(toldTo: ada) == [])
        pager.advance(.seconds(10))
        try await pager.deliver()
        #expect(try await pager.deliveries(toldTo: ada) == [.failed])
    }

    // MARK: Never backwards

    @Test func laterStateIsKept() async throws {
        let bob = try await friend()
        _ = try await send(to: bob)
        let push = try #require(try await pager.pushIDs(of: bob).last)
        // The phone is faster than the push service's reply.
        #expect(try await pager.report("opened", on: push).status == 200)
        #expect(try await pager.report("shown", on: push).status == 200)
        try await pager.deliver()
        #expect(try await pager.deliveries(toldTo: ada) == [.opened])
        #expect(try await pager.history(of: ada, with: bob).map(\.delivery) == [.opened])
    }

    @Test func stateThatIsKnownIsNotToldAgain() async throws {
        let bob = try await friendWithTwoDevices()
        _ = try await send(to: bob)
        try await pager.deliver()
        for push in try await pager.pushIDs(of: bob).suffix(2) { _ = try await pager.report("shown", on: push) }
        #expect(try await pager.deliveries(toldTo: ada) == [.accepted, .shown])
    }

    @Test func readMessageKeepsItsState() async throws {
        let bob = try await friend()
        _ = try await send(to: bob)
        _ = try await pager.history(of: bob, with: ada)
        try await pager.deliver()
        #expect(try await pager.deliveries(toldTo: ada) == [])
        #expect(try await pager.history(of: ada, with: bob).map(\.isRead) == [true])
    }

    @Test func formerFriendIsToldNothing() async throws {
        let bob = try await friend()
        _ = try await send(to: bob)
        _ = try await pager.call(PagerEndpoints.removeFriend, by: bob, ["friendId": ada.id.rawValue])
        try await pager.deliver()
        #expect(try await pager.deliveries(toldTo: ada) == [])
    }

    // MARK: Confirmation in the foreground

    @Test(arguments: [Self.device, "browser-bob"]) func confirmedMessageWasShown(_ token: String) async throws {
        let bob = try await friend(token)
        let messaging = Messaging(store: pager.store, pushes: pager.pushes, now: { [pager] in pager.now })
        // Event 1 is Ada's request. The notification of event 2 has ended, those of 3 and 4 wait.
        _ = try await send("two", to: bob)
        try await pager.deliver()
        for text in ["three", "four"] { _ = try await send(text, to: bob) }
        try await messaging.confirm(after: 0, upTo: 3, by: bob.id)
        let states = try await pager.history(of: ada, with: bob).map(\.delivery)
        #expect(states == [.shown, .shown, nil])
        #expect(try await pager.deliveries(toldTo: ada).suffix(2) == [.shown, .shown])
        // Again: nothing new.
        let count = try await pager.events(of: ada).count
        try await messaging.confirm(after: 0, upTo: 3, by: bob.id)
        #expect(try await pager.events(of: ada).count == count)
    }

    @Test func confirmationOfAnotherUserShowsNothing() async throws {
        let bob = try await friend()
        _ = try await send(to: bob)
        let messaging = Messaging(store: pager.store, pushes: pager.pushes, now: { [pager] in pager.now })
        try await messaging.confirm(after: 0, upTo: 100, by: ada.id)
        #expect(try await pager.deliveries(toldTo: ada) == [])
    }

    @Test func acknowledgementOnTheLiveSocketIsShown() async throws {
        let bob = try await friend()
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            try await WebSocketProbe.open(
                port: server.port, "/api/live?after=0", headers: ["Authorization": "Bearer \(bob.token)"]
            ) { socket in
                func say(_ message: LiveClientMessage) async throws {
                    try await socket.send(.text(String(decoding: WireJSON.encode(message), as: UTF8.self)))
                }
                try await say(.presence(foreground: true))
                _ = try await send(to: bob)
                while try await !String(decoding: Data(socket.receive().payload), as: UTF8.self).contains("HELLO") {}
                try await say(.ack(seq: 2))
                try await eventually { try await pager.deliveries(toldTo: ada).last == .shown }
            }
        }
    }

    // MARK: History

    /// The contract's keys, `number`, and `delivery` for the sender only, once something is known.
    @Test func historyHasTheContractsShape() async throws {
        let keys: Set = ["id", "senderId", "recipientId", "text", "isRead", "timestamp", "senderDisplayName", "number"]
        let bob = try await friend()
        func keysOfMessages(_ reader: Pager.Person, _ friend: Pager.Person) async throws -> [Set<String>] {
            let reply = try await pager.call(PagerEndpoints.history, by: reader, ["friendId": friend.id.rawValue])
            guard case .object(let members) = try reply.value(JSONValue.self), case .object(let data)? = members["data"],
                case .array(let messages)? = data["messages"]
            else { return [] }
            return messages.map { if case .object(let message) = $0 { Set(message.keys) } else { [] } }
        }
        _ = try await send(to: bob)
        #expect(try await keysOfMessages(ada, bob) == [keys])
        try await pager.deliver()
        #expect(try await keysOfMessages(ada, bob) == [keys.union(["delivery"])])
        #expect(try await keysOfMessages(bob, ada) == [keys])
    }

    // MARK: Reports

    @Test func reportsMoveTheState() async throws {
        let bob = try await friendWithTwoDevices()
        let id = try await send(to: bob)
        try await pager.deliver()
        let pushes = try await pager.pushIDs(of: bob).suffix(2)
        #expect(try await pager.report("shown", on: pushes[pushes.startIndex]).status == 200)
        #expect(try await pager.report("opened", on: pushes[pushes.startIndex + 1]).status == 200)
        #expect(
            try await pager.events(of: ada).suffix(2) == [
                .delivery(friendId: bob.id, messageId: id, .shown), .delivery(friendId: bob.id, messageId: id, .opened),
            ])
    }

    @Test func unknownIDsAnswerLikeKnownOnes() async throws {
        let bob = try await friend()
        _ = try await send(to: bob)
        let pushes = try await pager.pushIDs(of: bob)
        let known = try await pager.report("shown", on: try #require(pushes.last))
        #expect(known.status == 200 && known.text == #"{"data":{"success":true},"success":true}"#)
        let friendRequest = try #require(pushes.first)
        for id in [friendRequest, String(repeating: "0", count: 32), "x", "%00", "..%2f..", String(repeating: "f", count: 5000)] {
            let reply = try await pager.report("shown", on: id)
            #expect((reply.status, reply.text) == (known.status, known.text), "\(id.prefix(40))")
        }
        #expect(try await pager.deliveries(toldTo: ada) == [.shown])
        for wrong in ["read", "SHOWN", "accepted"] {
            expect(try await pager.report(wrong, on: try #require(pushes.last)), 404, .notFound, "Endpoint not found")
        }
        expect(try await pager.report("shown", on: try #require(pushes.last), method: .get), 404, .notFound)
    }

    @Test func reportOnAnOldNotificationChangesNothing() async throws {
        let bob = try await friend()
        _ = try await send(to: bob)
        try await pager.deliver()
        let push = try #require(try await pager.pushIDs(of: bob).last)
        pager.advance(.seconds(8 * 86_400))
        try await pager.pushes.outbox.prune()
        #expect(try await pager.report("shown", on: push).status == 200)
        #expect(try await pager.deliveries(toldTo: ada) == [.accepted])
    }

    @Test func reportsOfOneAddressAreLimited() async throws {
        let id = String(repeating: "0", count: 32)
        for _ in 0..<PagerRoutes.reportsPerMinute { #expect(try await pager.report("shown", on: id).status == 200) }
        expect(try await pager.report("shown", on: id), 429, .rateLimited)
        pager.advance(.seconds(60))
        #expect(try await pager.report("shown", on: id).status == 200)
    }
}
