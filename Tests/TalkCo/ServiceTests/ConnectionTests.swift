import Foundation
import HTTPTypes
import ServerKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The connection of a session with its engine, and the session's end.
@Suite struct ConnectionTests {
    let backend: TestBackend

    init() async throws { backend = try await TestBackend() }

    @Test func creationDoesNotWaitForTheEngine() async throws {
        let door = Door()
        backend.engine.onOpen { _ in try await door.wait() }
        let id = try await backend.create()
        #expect(UUID(uuidString: id.rawValue) != nil)
        let waiting = try await backend.say("hello", in: id)
        expect(waiting, 503, "Session still connecting, try again shortly")
        expect(try await backend.speak(TestForm(sampleCount: 10), in: id), 503, "Session still connecting, try again shortly")
        door.open()
        expect(try await backend.start(id), 200)
        expect(try await backend.say("hello", in: id), 200)
    }

    @Test func startWaitsFifteenSeconds() async throws {
        let door = Door()
        backend.engine.onOpen { _ in try await door.wait() }
        let id = try await backend.create()
        async let reply = backend.start(id)
        try await eventually { backend.clock.hasSleeper(for: .seconds(15)) }
        try await backend.clock.advance(by: .seconds(15))
        expect(try await reply, 504, "Session connection timed out")
        door.open()
        #expect(try await backend.start(id).events.contains(.response("Hello!")))
    }

    @Test(arguments: [
        (EngineError.Code.refused, 502), (.unreachable, 502), (.failed, 502), (.timedOut, 504),
    ]) func refusalOfTheEngineIsReported(_ code: EngineError.Code, _ status: Int) async throws {
        backend.engine.onOpen { _ in throw EngineError(code, "The model server said no.") }
        let id = try await backend.create()
        expect(try await backend.start(id), status, "The model server said no.")
        expect(try await backend.start(id), status, "The model server said no.")
        try await eventually { try await backend.say("a", in: id).status == status }
        backend.engine.onOpen { _ in }
        #expect(try await backend.start(id).events.contains(.response("Hello!")))
        expect(try await backend.say("a", in: id), 200)
    }

    @Test func failedConversationIsOpenedByTheNextTurn() async throws {
        let id = try await backend.opened()
        backend.engine.onAnswer { _, output in output.finish(throwing: EngineError(.failed, "Lost.")) }
        _ = try await backend.say("a", in: id)
        backend.engine.onOpen { _ in throw EngineError(.unreachable, "Nobody is there.") }
        expect(try await backend.say("b", in: id), 502, "Nobody is there.")
    }

    @Test func idsOfNobodyAreNotFound() async throws {
        for id in [
            "nobody", UUID().uuidString, "%00", "%ff", "'%20OR%201=1--", "%F0%9F%98%80", String(repeating: "x", count: 5_000),
        ] {
            for (method, path, body) in [
                ("POST", "start", ""), ("POST", "chat/text", #"{"text":"a"}"#), ("GET", "review", ""),
                ("POST", "corrections", #"{"segment_id":1,"user_message":"a"}"#), ("POST", "end", "{}"),
            ] {
                let reply = try await backend.call(.init(rawValue: method)!, "/sessions/\(id)/\(path)", body: body)
                expect(reply, 404, "Session not found")
            }
            expect(try await backend.call(.delete, "/sessions/\(id)"), 404, "Session not found")
            expect(try await backend.speak(TestForm(sampleCount: 1), in: Session.ID(id)), 404, "Session not found")
        }
    }

    @Test func deletionEndsTheConversation() async throws {
        let id = try await backend.opened()
        let reply = try await backend.close(id)
        expect(reply, 200)
        #expect(reply.text == #"{"mode":"conversation","session_id":"\#(id)","status":"reviewing"}"#)
        #expect(backend.engine.record.withLock { $0.closeCount } == 1)
        expect(try await backend.close(id), 404, "Session not found")
        expect(try await backend.start(id), 404, "Session not found")
        expect(try await backend.say("a", in: id), 404, "Session not found")
        expect(try await backend.speak(TestForm(sampleCount: 1), in: id), 404, "Session not found")
    }

    @Test func reviewSessionEnds() async throws {
        let id = try await backend.opened(topic: nil, mode: .review)
        let reply = try await backend.close(id)
        #expect(reply.text == #"{"mode":"review","session_id":"\#(id)","status":"ended"}"#)
        expect(try await backend.end(id), 400, "Session already completed")
    }

    @Test func deletionLetsTheRunningTurnEnd() async throws {
        let id = try await backend.opened()
        let door = Door()
        backend.engine.onAnswer { _, output in
            try? await door.wait()
            output.yield(.response("x"))
            output.finish()
        }
        async let turn = backend.say("a", in: id)
        try await eventually { backend.engine.inputs.count == 1 }
        async let closed = backend.close(id)
        try await eventually { backend.clock.hasSleeper(for: LiveSession.drainTimeout) }
        expect(try await backend.say("b", in: id), 404, "Session not found")
        door.open()
        expect(try await closed, 200)
        #expect(try await turn.events.content == [.transcript("a"), .response("x"), .done])
        #expect(try await backend.review(id).segments.count == 1)
    }

    @Test func deletionEndsATurnThatHangs() async throws {
        let id = try await backend.opened()
        backend.engine.onAnswer { _, _ in try? await Door().wait() }
        async let turn = backend.say("a", in: id)
        try await eventually { backend.engine.inputs.count == 1 }
        async let closed = backend.close(id)
        try await eventually { backend.clock.hasSleeper(for: LiveSession.drainTimeout) }
        try await backend.clock.advance(by: LiveSession.drainTimeout)
        expect(try await closed, 200)
        #expect(try await turn.events.content == [.transcript("a"), .done])
    }

    @Test func openingThatIsOvertakenByDeletionIsClosed() async throws {
        let door = Door()
        let isOpening = Door()
        backend.engine.onOpen { _ in
            isOpening.open()
            // It ignores its cancellation.
            await Task { try? await door.wait() }.value
        }
        let id = try await backend.create()
        try await isOpening.wait()
        expect(try await backend.close(id), 200)
        door.open()
        try await eventually { backend.engine.record.withLock { $0.closeCount } == 1 }
    }

    @Test func activeSessionOfAnEarlierProcessCanBeDeleted() async throws {
        let talk = try await backend.opened()
        _ = try await backend.say("hello there", in: talk)
        let practice = try await backend.create(topic: nil, mode: .review)
        let later = try await backend.restarted()
        expect(try await later.start(talk), 404, "Session not found")
        expect(try await later.say("a", in: talk), 404, "Session not found")
        #expect(try await later.review(talk).status == .active)
        #expect(try await later.close(practice).value(ClosedSession.self).status == .ended)
        try await later.working {
            #expect(try await later.close(talk).value(ClosedSession.self).status == .reviewing)
            try await later.waitFor(.reviewed, talk)
            #expect(try await later.review(talk).segments.map(\.userText) == ["hello there"])
        }
        expect(try await later.close(talk), 404, "Session not found")
    }

    @Test func idleConversationIsClosedAndCanBeDeleted() async throws {
        let idle = try await backend.opened()
        backend.advance(.seconds(1000))
        let fresh = try await backend.opened()
        backend.advance(.seconds(1000))
        await backend.backend.live.closeIdle()
        expect(try await backend.say("a", in: idle), 404, "Session not found")
        expect(try await backend.say("a", in: fresh), 200)
        expect(try await backend.close(idle), 200)
    }

    @Test func oldestIdleConversationMakesRoom() async throws {
        let backend = try await TestBackend { configuration in
            (configuration.maximumConversations, configuration.maximumConversationsPerUser) = (3, 2)
        }
        var ids: [Session.ID] = []
        for user in ["ada", "ada", "ada", "bob", "cyd"] {
            backend.advance(.seconds(200))
            ids.append(try await backend.opened(user: user))
        }
        var live: [Bool] = []
        for id in ids { live.append(await backend.backend.live.find(id) != nil) }
        #expect(live == [false, false, true, true, true])
        #expect(backend.metrics.text().contains("talkco_live_sessions 3"))
    }

    @Test func inventedUsersCloseOnlyConversationsOfTheirNetwork() async throws {
        let mine = try await backend.opened(user: "ada")
        let other = try #require(try await backend.create(user: "bob", from: "198.51.100.7").session)
        let first = try #require(try await backend.create(user: "0", from: "203.0.113.9").session)
        for number in 1..<210 {
            backend.advance(.milliseconds(1))
            let (status, _) = try await backend.create(user: "\(number)", from: "203.0.113.9")
            #expect(status == 200)
        }
        let live = backend.backend.live
        let ids = await live.ids
        #expect(ids.isSuperset(of: [mine, other]) && !ids.contains(first) && ids.count == 52)
        expect(try await backend.say("still here", in: mine), 200)
    }

    @Test func recentConversationsOfOtherNetworksAreNotClosed() async throws {
        let backend = try await TestBackend { $0.maximumConversations = 2 }
        let old = try #require(try await backend.create(user: "a", from: "203.0.113.1").session)
        backend.advance(.seconds(200))
        let recent = try #require(try await backend.create(user: "b", from: "203.0.113.2").session)
        #expect(try await backend.create(user: "c", from: "203.0.113.3").status == 503)
        // Also under the user's own identifier.
        #expect(try await backend.create(user: "b", from: "203.0.113.3").status == 503)
        backend.advance(.seconds(101))
        #expect(try await backend.create(user: "c", from: "203.0.113.3").status == 200)
        #expect(await backend.backend.live.find(old) == nil)
        #expect(await backend.backend.live.find(recent) != nil)
        // The own network goes first, also when another one is idle for longer.
        #expect(try await backend.create(user: "d", from: "203.0.113.3").status == 200)
        #expect(await backend.backend.live.find(recent) != nil)
    }

    @Test func strangerWithAUsersIdentifierClosesNothingRecent() async throws {
        let backend = try await TestBackend { $0.maximumConversationsPerUser = 1 }
        let own = try #require(try await backend.create(user: "a", from: "203.0.113.1").session)
        #expect(try await backend.create(user: "a", from: "203.0.113.2").status == 503)
        #expect(await backend.backend.live.find(own) != nil)
        #expect(try await backend.create(user: "a", from: "203.0.113.1").status == 200)
        #expect(await backend.backend.live.find(own) == nil)
    }

    @Test(arguments: [
        ("2001:db8:0:1::/64", "2001:db8:0:1::/64"), ("203.0.113.9", "203.0.113.9"),
        ("203.0.113.9 phone abc", "203.0.113.9"), ("203.0.113.9 browser phones", "203.0.113.9"),
        ("127.0.0.1 phone abc", "127.0.0.1 phone abc"), ("127.0.0.1", nil), ("0:0:0:0::/64", nil), ("::ffff:127.0.0.1", nil),
        ("in process", nil),
    ]) func phonesOfANetworkShareItsPart(_ client: String, _ network: String?) {
        let context = ServerContext(source: ServerContextSource(logger: .quiet, remoteNetwork: client))
        #expect(context.sharingNetwork == network)
        #expect(CallerNetwork(context) == CallerNetwork(network))
        #expect((CallerNetwork(context) == .machine) == (network == nil))
    }

    @Test func busyConversationsAreNotClosed() async throws {
        let backend = try await TestBackend { $0.maximumConversations = 1 }
        let id = try await backend.opened()
        let door = Door()
        backend.engine.onAnswer { _, output in
            try? await door.wait()
            output.finish()
        }
        async let turn = backend.say("a", in: id)
        try await eventually { backend.engine.inputs.count == 1 }
        let refused = try await backend.call(.post, "/sessions", body: #"{"user_id":"b","topic_id":"travel"}"#)
        expect(refused, 503, "Too many conversations are open. Try again later.")
        door.open()
        expect(try await turn, 200)
    }
}
