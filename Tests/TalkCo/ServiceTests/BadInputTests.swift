import Foundation
import HTTPTypes
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Contract: "Conventions".
@Suite(.seeded) struct BadInputTests {
    let backend: TestBackend

    init() async throws { backend = try await TestBackend() }

    @Test(arguments: ["", "{", "nonsense", "[]", "4", "null", #"{"user_id":"a","topic_id":"travel",}"#])
    func bodyThatIsNoObjectIsInvalid(_ body: String) async throws {
        let reply = try await backend.call(.post, "/sessions", body: body)
        expect(reply, 422)
        #expect(reply.issues.first?.loc.first == .name("body"))
        #expect(reply.headers[.contentType]?.hasPrefix("application/json") == true)
    }

    @Test func wrongFieldsAreNamed() async throws {
        let reply = try await backend.call(.post, "/sessions", body: #"{"user_id":5,"topic_id":[],"mode":1,"user_name":{}}"#)
        expect(reply, 422)
        #expect(Set(reply.issues.map(\.field)) == ["user_id", "topic_id", "mode", "user_name"])
        for id in ["", String(repeating: "x", count: 129), #"a\u0000"#] {
            expect(try await backend.call(.post, "/sessions", body: #"{"user_id":"\#(id)","topic_id":"travel"}"#), 422)
        }
        expect(try await backend.call(.post, "/sessions", body: "{}"), 422)
    }

    @Test func creationIsRefusedInTheContractsWords() async throws {
        func create(_ rest: String) async throws -> ServiceReply {
            try await backend.call(.post, "/sessions", body: #"{"user_id":"ada"\#(rest)}"#)
        }
        expect(try await create(#","mode":"x""#), 400, "Invalid mode: x")
        expect(try await create(""), 400, "topic_id is required for conversation mode")
        expect(try await create(#","topic_id":null,"mode":"conversation""#), 400, "topic_id is required for conversation mode")
        expect(try await create(#","topic_id":"x""#), 400, "Unknown topic_id: x")
        expect(try await create(#","topic_id":"travel","mode":null,"more":[1],"accept":["x",4,"choices"]"#), 200)
        expect(try await create(#","mode":"review","topic_id":"x""#), 200)
    }

    @Test func textsThatAreRefused() async throws {
        let id = try await backend.opened()
        let path = TalkCoEndpoints.chatText.path(id.parameters)
        for text in ["", " ", #"\n\t"#] {
            expect(try await backend.call(.post, path, body: #"{"text":"\#(text)"}"#), 400, "Empty text")
        }
        for body in ["", "{}", #"{"text":4}"#, #"{"text":null}"#, #"{"text":"\#(String(repeating: "x", count: 4_001))"}"#] {
            expect(try await backend.call(.post, path, body: body), 422)
        }
        expect(try await backend.call(.post, path, body: #"{"text":"a","turn_id":null,"more":1}"#), 200)
        expect(try await backend.call(.post, path, body: String(repeating: " ", count: 70_000)), 413)
    }

    @Test func unknownPathsAndMethods() async throws {
        for path in ["/nowhere", "/", "/sessions/x/y", "/sessions//start", "/sessions/x/chat/text/y"] {
            expect(try await backend.call(.get, path), 404, "Not Found")
        }
        for (method, path, allow) in [
            (HTTPRequest.Method.get, "/sessions", "POST"), (.post, "/topics", "GET"), (.get, "/sessions/x", "DELETE"),
            (.get, "/sessions/x/start", "POST"), (.put, "/sessions/x/chat/text", "POST"), (.get, "/users/x", "DELETE"),
            (.delete, "/users/x/profile", "GET"),
            (.post, "/health", "GET"),
        ] {
            let reply = try await backend.call(method, path)
            expect(reply, 405, "Method Not Allowed")
            #expect(reply.headers[.allow] == allow)
        }
    }

    @Test func engineAndHealth() async throws {
        #expect(try await backend.call(.get, "/health").text == #"{"status":"ok"}"#)
        #expect(
            try await backend.call(.get, "/engine").text
                == #"{"hearing":"choices","kind":"built_in","name":"Script","speaks":true}"#)
    }

    @Test func sentenceIsSpoken() async throws {
        let voice = ScriptedVoice { text, output in
            output.yield(Data(text.utf8))
            output.yield(ScriptedEngine.sound(3))
            output.finish()
        }
        let backend = try await TestBackend(voice: voice)
        let reply = try await backend.parts.call(TalkCoEndpoints.speak, SpeechRequest(text: " abcd "))
        #expect(try reply.events == [.audio(Data("abcd".utf8)), .audio(ScriptedEngine.sound(3)), .done])
        #expect(reply.headers[.contentType] == "text/event-stream")
        for body in ["{}", #"{"text":" "}"#, #"{"text":"\#(String(repeating: "x", count: 1_001))"}"#] {
            expect(try await backend.call(.post, "/speech", body: body), 422)
        }
    }

    @Test func voiceThatFailsIsReported() async throws {
        expect(try await backend.parts.call(TalkCoEndpoints.speak, SpeechRequest(text: "a")), 501)
        let failing = ScriptedVoice { text, output in
            if text == "b" { output.yield(ScriptedEngine.sound(1)) }
            output.finish(throwing: EngineError(.unreachable, "Nobody speaks."))
        }
        let backend = try await TestBackend(voice: failing)
        expect(try await backend.parts.call(TalkCoEndpoints.speak, SpeechRequest(text: "a")), 502, "Nobody speaks.")
        let late = try await backend.parts.call(TalkCoEndpoints.speak, SpeechRequest(text: "b"))
        #expect(try late.events == [.audio(ScriptedEngine.sound(1)), .done])
    }

    @Test func sentencesSpokenAtOnceAreLimited() async throws {
        let door = Door()
        let voice = ScriptedVoice { _, output in
            Task {
                try? await door.wait()
                output.yield(ScriptedEngine.sound(1))
                output.finish()
            }
        }
        let backend = try await TestBackend(voice: voice)
        try await withThrowingTaskGroup(of: ServiceReply.self) { group in
            for _ in 0...Speaking.maximumCount {
                group.addTask { try await backend.parts.call(TalkCoEndpoints.speak, SpeechRequest(text: "a")) }
            }
            expect(try #require(try await group.next()), 503, "Too many sentences are being spoken")
            door.open()
            for try await reply in group { expect(reply, 200) }
        }
    }

    // MARK: Fuzzing

    private struct Unexpected: Error { var text: String }

    private func expectContract(_ reply: ServiceReply) throws {
        switch reply.status {
        case 200 where reply.headers[.contentType] == "text/event-stream": try #require(try reply.events.last == .done)
        case 200: _ = try reply.value(JSONValue.self)
        case 422: try #require(!reply.issues.isEmpty, "\(reply.text)")
        case 400...499: try #require(reply.detail != nil, "\(reply.text)")
        default: throw Unexpected(text: "\(reply.status) \(reply.text)")
        }
    }

    @Test func mutatedBodies() async throws {
        let backend = backend
        let open = try await backend.opened()
        let closed = try await backend.opened()
        _ = try await backend.say("hello", in: closed)
        _ = try await backend.close(closed)
        let calls = [
            ("/sessions", #"{"user_id":"eve","topic_id":"travel","mode":"conversation","user_name":"A","accept":["choices"]}"#),
            ("/sessions/\(open)/chat/text", #"{"text":"Grüße","turn_id":"t"}"#),
            ("/sessions/\(closed)/corrections", #"{"segment_id":1,"user_message":"why?"}"#), ("/sessions/\(closed)/end", "{}"),
            ("/users/ada/evaluate", "{}"), ("/users/ada/learning-goal", #"{"learning_goal":"talk"}"#),
        ]
        for (path, body) in calls {
            try await fuzz([Data(body.utf8)], count: Effort.count(150, soak: 2500), test: "bodies-\(path.count)") { input in
                try expectContract(try await backend.call(.post, path, body: String(decoding: input, as: UTF8.self)))
            }
        }
    }

    @Test func mutatedPaths() async throws {
        let backend = backend
        let id = try await backend.opened()
        let corpus = ["/sessions/\(id)/review", "/users/ada/profile", "/topics", "/users/%E5%AD%B8/profile", "/engine?a=b"]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(400, soak: 5000)) { input in
            let path = "/" + String(decoding: input, as: UTF8.self).drop { $0 == "/" }
            try expectContract(try await backend.call(.get, path))
        }
    }
}
