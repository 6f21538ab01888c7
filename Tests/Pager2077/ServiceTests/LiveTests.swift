import Foundation
import Logging
import Pager2077Wire
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// `/api/live` over a real port.
@Suite struct LiveTests {
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        pager = try await Pager()
        (ada, bob) = try await pager.friends()
    }

    /// Opens a live socket of `person` beside the running service.
    private func live<Value: Sendable>(
        _ person: Pager.Person, query: String = "", headers: [String: String]? = nil,
        _ body: @escaping @Sendable (Socket) async throws -> Value
    ) async throws -> Value {
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            try await open(server, person, query: query, headers: headers, body)
        }
    }

    private func open<Value: Sendable>(
        _ server: ServerUnderTest, _ person: Pager.Person, query: String = "", headers: [String: String]? = nil,
        _ body: @escaping @Sendable (Socket) async throws -> Value
    ) async throws -> Value {
        try await WebSocketProbe.open(
            port: server.port, "/api/live\(query)", headers: headers ?? ["Authorization": "Bearer \(person.token)"]
        ) { try await body(Socket(probe: $0)) }
    }

    struct Socket: Sendable {
        let probe: WebSocketProbe

        func next() async throws -> LiveServerMessage {
            try WireJSON.decode(from: Data(try await probe.receive().payload))
        }

        func say(_ message: LiveClientMessage) async throws {
            try await probe.send(.text(String(decoding: WireJSON.encode(message), as: UTF8.self)))
        }
    }

    // MARK: Events

    @Test func aPageAppearsAtOnce() async throws {
        try await live(bob) { socket async throws in
            guard case .hello(let seq) = try await socket.next() else {
                Issue.record("no hello")
                return
            }
            let receipt = try await pager.send("hi", from: ada, to: bob).data(MessageReceipt.self)
            let message = Message(
                id: receipt.messageId, senderId: ada.id, recipientId: bob.id, text: "hi", isRead: false, timestamp: pager.now,
                senderDisplayName: ada.hexCode.rawValue, number: receipt.number)
            #expect(try await socket.next() == .event(seq: seq + 1, at: pager.now, .message(message)))
        }
    }

    @Test func everythingSinceTheCursorIsReplayedThenFollowedLive() async throws {
        for number in 1...250 { try await pager.send("\(number)", from: ada, to: bob) }
        // Bob has event 1, the friend request.
        try await live(bob, query: "?after=1") { socket async throws in
            #expect(try await socket.next() == .hello(seq: 251))
            try await pager.send("251", from: ada, to: bob)
            for number in 1...251 {
                guard case .event(let seq, _, .message(let message)) = try await socket.next() else {
                    Issue.record("no message \(number)")
                    return
                }
                #expect(seq == Int64(number + 1) && message.text == "\(number)")
            }
        }
    }

    @Test func aSocketWithoutACursorBeginsNow() async throws {
        try await pager.send("before", from: ada, to: bob)
        try await live(bob) { socket async throws in
            #expect(try await socket.next() == .hello(seq: 2))
            try await pager.send("after", from: ada, to: bob)
            guard case .event(3, _, .message(let message)) = try await socket.next() else {
                Issue.record("no message")
                return
            }
            #expect(message.text == "after")
        }
    }

    @Test func aCursorFromElsewhereIsReset() async throws {
        try await live(bob, query: "?after=1000") { socket async throws in
            #expect(try await socket.next() == .hello(seq: 1))
            #expect(try await socket.next() == .reset(seq: 1))
            try await pager.send("hi", from: ada, to: bob)
            guard case .event(2, _, .message) = try await socket.next() else {
                Issue.record("not followed after the reset")
                return
            }
        }
    }

    @Test func allSocketsOfAUserGetEveryEvent() async throws {
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            try await open(server, bob) { first async throws in
                try await open(server, bob) { second async throws in
                    _ = try await (first.next(), second.next())
                    try await pager.send("hi", from: ada, to: bob)
                    let seen = try await (first.next(), second.next())
                    #expect(seen.0 == seen.1)
                }
            }
        }
    }

    @Test func deletedAccountLosesItsSocketAndFriendsAreTold() async throws {
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            try await open(server, bob) { friend async throws in
                _ = try await friend.next()
                try await open(server, ada) { socket async throws in
                    _ = try await socket.next()
                    #expect(try await pager.deleteAccount(of: ada).status == 200)
                    let end = try await socket.probe.receive()
                    #expect(end.closeCode == 1008 && end.closeReason == "Account deleted")
                }
                guard case .event(_, _, let event) = try await friend.next() else {
                    Issue.record("no event")
                    return
                }
                #expect(event == .friendRemoved(friendId: ada.id, isAccountDeleted: true))
            }
        }
    }

    @Test func beyondTheLimitTheOldestSocketIsReplaced() async throws {
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            try await open(server, bob) { first async throws in
                _ = try await first.next()
                let (greeted, hasGreeted) = AsyncStream.makeStream(of: Void.self)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<Presence.maximumSockets {
                        group.addTask {
                            try await open(server, bob) { socket async throws in
                                do {
                                    defer { hasGreeted.yield() }
                                    _ = try await socket.next()
                                }
                                _ = try? await socket.probe.connection.readToEnd()
                            }
                        }
                    }
                    let end = try await first.probe.receive()
                    #expect(end.closeCode == 1008)
                    // A shutdown may overtake a greeting.
                    for await _ in greeted.prefix(Presence.maximumSockets) {}
                    await server.shutDown()
                    try await group.waitForAll()
                }
            }
        }
    }

    // MARK: Opening

    @Test func aSubprotocolTokenIsAcceptedAndNotEchoed() async throws {
        let headers = ["Sec-WebSocket-Protocol": "pager2077.live.v1, bearer.\(ada.token)"]
        try await live(ada, headers: headers) { socket async throws in
            #expect(socket.probe.handshake.headers["sec-websocket-protocol"] == "pager2077.live.v1")
            guard case .hello = try await socket.next() else {
                Issue.record("no hello")
                return
            }
        }
    }

    @Test(
        arguments: [
            ([:], "", 401), (["Authorization": "Bearer x"], "", 401), (["Authorization": "Basic YTpi"], "", 401),
            (["Sec-WebSocket-Protocol": "pager2077.live.v1"], "", 401), (["Sec-WebSocket-Protocol": "bearer."], "", 401),
            (["Sec-WebSocket-Protocol": "bearer.x.y.z"], "", 401),
        ] as [([String: String], String, Int)])
    func withoutAGoodTokenNothingIsUpgraded(_ headers: [String: String], _ query: String, _ status: Int) async throws {
        let refused = await #expect(throws: WebSocketProbe.Refused.self) {
            try await live(ada, query: query, headers: headers) { _ in }
        }
        #expect(refused?.reply.status == status)
    }

    /// A token in the address would end in logs and histories.
    @Test func aTokenInTheAddressDoesNotCount() async throws {
        let refused = await #expect(throws: WebSocketProbe.Refused.self) {
            try await live(ada, query: "?token=\(ada.token)", headers: [:]) { _ in }
        }
        #expect(refused?.reply.status == 401)
    }

    @Test(arguments: ["x", "-1", "1.5", "99999999999999999999"]) func aCursorMustBeANumber(_ after: String) async throws {
        let refused = await #expect(throws: WebSocketProbe.Refused.self) { try await live(ada, query: "?after=\(after)") { _ in } }
        #expect(refused?.reply.status == 400)
        #expect(refused?.reply.text.contains("after") == true)
    }

    @Test func aUserWhoIsGoneIs404() async throws {
        let stranger = try await Pager().person()
        let refused = await #expect(throws: WebSocketProbe.Refused.self) { try await live(stranger) { _ in } }
        #expect(refused?.reply.status == 404)
    }

    @Test func theSocketEndsWithItsToken() async throws {
        pager.advance(.seconds(7 * 86_400) - .milliseconds(300))
        try await live(bob) { socket in
            _ = try await socket.next()
            pager.advance(.seconds(1))
            let end = try await socket.probe.receive()
            #expect(end.closeCode == 1008 && end.closeReason == "Token expired")
        }
    }

    // MARK: Messages of the client

    @Test(arguments: [
        "", "x", "{}", "[]", #"{"type":"ack"}"#, #"{"type":"ack","seq":"1"}"#, #"{"type":"dance"}"#,
        #"{"type":"presence","foreground":1}"#,
    ])
    func whatIsNotUnderstoodIsSaidAndTheSocketStays(_ text: String) async throws {
        try await live(bob) { socket async throws in
            _ = try await socket.next()
            try await socket.probe.send(.text(text))
            guard case .error = try await socket.next() else {
                Issue.record("no error")
                return
            }
            try await pager.send("hi", from: ada, to: bob)
            guard case .event = try await socket.next() else {
                Issue.record("no event")
                return
            }
        }
    }

    @Test func binaryAndOversizedMessagesEndIt() async throws {
        for (frame, code) in [(WebSocketProbe.Frame.binary([1]), 1003), (.text(String(repeating: "x", count: 5000)), 1009)]
            as [(WebSocketProbe.Frame, UInt16)]
        {
            try await live(bob) { socket async throws in
                _ = try await socket.next()
                try await socket.probe.send(frame)
                #expect(try await socket.probe.receive().closeCode == code)
            }
        }
    }

    private func waiting(for person: Pager.Person) async throws -> Int {
        try await pager.notifications().filter { $0.recipient == person.id }.count
    }

    @Test func aConfirmationInFrontTakesBackThePush() async throws {
        try await live(bob, query: "?after=0") { socket async throws in
            try await pager.send("one", from: ada, to: bob)
            try await pager.send("two", from: ada, to: bob)
            for _ in 0..<4 { _ = try await socket.next() }
            #expect(try await waiting(for: bob) == 3)
            try await socket.say(.presence(foreground: true))
            try await socket.say(.ack(seq: 2))
            try await eventually { try await waiting(for: bob) == 1 }
            // A number that was never sent confirms only the sent events.
            try await socket.say(.ack(seq: .max))
            try await eventually { try await waiting(for: bob) == 0 }
            try await pager.send("three", from: ada, to: bob)
            #expect(try await waiting(for: bob) == 1)
        }
    }

    @Test func aConfirmationInTheBackgroundWithdrawsNothing() async throws {
        try await live(bob, query: "?after=0") { socket async throws in
            try await pager.send("one", from: ada, to: bob)
            for _ in 0..<3 { _ = try await socket.next() }
            try await socket.say(.ack(seq: 2))
            try await socket.say(.presence(foreground: true))
            try await socket.say(.presence(foreground: false))
            try await socket.say(.ack(seq: 2))
            // Answered in order: when the error has come, the acks have been read.
            try await socket.probe.send(.text("x"))
            _ = try await socket.next()
            #expect(try await waiting(for: bob) == 2)
        }
    }

    /// The phone had the event before it lost the line; it comes back in the foreground and acknowledges the event.
    @Test func eventsFromBeforeAReconnectCanBeConfirmed() async throws {
        try await pager.send("one", from: ada, to: bob)
        try await live(bob, query: "?after=2") { socket in
            _ = try await socket.next()
            try await socket.say(.presence(foreground: true))
            try await socket.say(.ack(seq: 2))
            try await eventually { try await waiting(for: bob) == 0 }
        }
    }

    @Test func aSocketWithoutACursorConfirmsOnlyWhatItReceived() async throws {
        try await pager.send("before", from: ada, to: bob)
        try await live(bob) { socket in
            _ = try await socket.next()
            try await pager.send("after", from: ada, to: bob)
            _ = try await socket.next()
            try await socket.say(.presence(foreground: true))
            try await socket.say(.ack(seq: 3))
            // The request and the first page are still to be delivered.
            try await eventually { try await waiting(for: bob) == 2 }
            try await socket.say(.ack(seq: 3))
            try await socket.probe.send(.text("x"))
            _ = try await socket.next()
            #expect(try await waiting(for: bob) == 2)
        }
    }

    // MARK: Being online

    private func status(of friend: Pager.Person, seenBy person: Pager.Person) async throws -> User.Status? {
        try await pager.call(PagerEndpoints.friends, by: person).data(FriendList.self).friends.first { $0.id == friend.id }?.status
    }

    private func presence() -> Presence { pager.parts.background.compactMap { $0 as? Presence }[0] }

    @Test func whoLosesTheSocketIsOffline45SecondsLater() async throws {
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: bob)
        let lastSeen = try await live(bob) { socket async throws in
            _ = try await socket.next()
            // However long it is open.
            await presence().expire(now: .now + .seconds(1000))
            return ContinuousClock.now
        }
        let gone = ContinuousClock.now
        #expect(try await status(of: bob, seenBy: ada) == .online)
        await presence().expire(now: lastSeen + .milliseconds(44_999))
        #expect(try await status(of: bob, seenBy: ada) == .online)
        await presence().expire(now: gone + .seconds(45))
        #expect(try await status(of: bob, seenBy: ada) == .offline)
        guard case .friendStatus(bob.id, .offline, _) = try await pager.events(of: ada).last else {
            Issue.record("friends are not told")
            return
        }
    }

    @Test func aUserWhoReconnectsInTimeStaysOnline() async throws {
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: bob)
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            for _ in 0..<2 { try await open(server, bob) { _ = try await $0.next() } }
            try await open(server, bob) { socket async throws in
                _ = try await socket.next()
                await presence().expire(now: .now + .seconds(46))
                #expect(try await status(of: bob, seenBy: ada) == .online)
            }
        }
    }

    /// A new process, which knows only the store, 46 seconds later.
    private func restartAndWait() async throws {
        let fresh = Presence(
            accounts: Accounts(store: pager.store, pushes: pager.pushes, now: { pager.now }, drawHexCode: { HexCode(0) }),
            metrics: MetricsRegistry(),
            logger: .quiet, now: { pager.now })
        try await fresh.restore()
        await fresh.expire(now: .now + .seconds(46))
    }

    @Test func aRestartDoesNotForgetWhoWasThere() async throws {
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: bob)
        try await live(bob) { _ = try await $0.next() }
        try await restartAndWait()
        #expect(try await status(of: bob, seenBy: ada) == .offline)
    }

    /// The app goes to the background and comes back while its socket stays open.
    @Test func aReturningUserIsStillWatchedOnTheSameSocket() async throws {
        try await live(bob) { socket in
            _ = try await socket.next()
            for status in [User.Status.online, .offline, .online] {
                _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: status), by: bob)
            }
        }
        try await restartAndWait()
        #expect(try await status(of: bob, seenBy: ada) == .offline)
    }

    /// An older app without a live socket reports its status itself.
    @Test func aUserWithoutASocketStaysOnline() async throws {
        _ = try await pager.call(PagerEndpoints.setStatus, StatusUpdate(status: .online), by: bob)
        try await presence().restore()
        await presence().expire(now: .now + .seconds(1000))
        #expect(try await status(of: bob, seenBy: ada) == .online)
    }
}
