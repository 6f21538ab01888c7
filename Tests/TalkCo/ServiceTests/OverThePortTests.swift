import Foundation
import HTTPTypes
import ServerKit
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The same routes as a phone meets them: bytes on a port.
@Suite(.seeded) struct OverThePortTests {
    let backend: TestBackend

    init() async throws { backend = try await TestBackend(realTime: true) }

    private func onPort(_ body: @escaping @Sendable (ServerUnderTest) async throws -> Void) async throws {
        try await ServerUnderTest.run([backend.parts], body)
    }

    @Test(arguments: ["", "/talkco"]) func itWorksAloneAndBelowAPrefix(_ prefix: String) async throws {
        try await ServerUnderTest.run([backend.parts], isAlone: prefix.isEmpty) { [backend] server async throws in
            #expect(try await server.http.send("GET", "\(prefix)/topics").status == 200)
            let id = try await backend.create()
            let greeting = try await server.http.send("POST", "\(prefix)/sessions/\(id)/start")
            #expect(greeting.headers["content-type"] == "text/event-stream")
            #expect(greeting.headers["x-accel-buffering"] == "no" && greeting.headers["cache-control"] == "no-cache")
            #expect(try TalkEvent.all(in: greeting.body).last == .done)
            let form = TestForm(sampleCount: 60 * 24_000)
            let spoken = try await server.http.send(
                "POST", "\(prefix)/sessions/\(id)/chat", headers: ["Content-Type": form.contentType], body: form.body)
            #expect(try TalkEvent.all(in: spoken.body).contains(.transcript("I said 2880000 bytes")))
        }
    }

    @Test func silentUploadsStopNobody() async throws {
        let id = try await backend.opened()
        try await onPort { server async throws in
            let head =
                "POST \(TalkCoEndpoints.chat.path(id.parameters)) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: \(TalkCoEndpoints.maximumRecordingSize)\r\n\r\n"
            try await withThrowingTaskGroup(of: Void.self) { group in
                let end = Door()
                let (held, hold) = AsyncStream.makeStream(of: Void.self)
                for _ in 0..<20 {
                    group.addTask {
                        try await RawConnection.open(port: server.port) { connection async throws in
                            try await connection.send(head)
                            hold.yield()
                            try await end.wait()
                        }
                    }
                }
                var count = 0
                for await _ in held {
                    count += 1
                    if count == 20 { break }
                }
                let form = TestForm(sampleCount: 24_000)
                let spoken = try await server.http.send(
                    "POST", TalkCoEndpoints.chat.path(id.parameters), headers: ["Content-Type": form.contentType], body: form.body)
                #expect(spoken.status == 200)
                end.open()
                try await group.waitForAll()
            }
        }
    }

    @Test func eventsGoOutAsTheyHappen() async throws {
        let backend = backend
        let door = Door()
        backend.engine.onAnswer { _, output in
            output.yield(.audio(ScriptedEngine.sound(2)))
            try? await door.wait()
            output.yield(.response("x"))
            output.finish()
        }
        let id = try await backend.opened()
        try await onPort { server async throws in
            try await RawConnection.open(port: server.port) { connection async throws in
                try await connection.send(Self.request(#"{"text":"hello"}"#, in: id))
                _ = try await connection.read(through: "event: transcript\ndata: {\"text\":\"hello\"}\n\n")
                _ = try await connection.read(through: "event: audio\ndata: ")
                door.open()
                _ = try await connection.read(through: "event: done\ndata: {}\n\n")
            }
        }
    }

    private static func request(_ body: String, in id: Session.ID) -> String {
        "POST \(TalkCoEndpoints.chatText.path(id.parameters)) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func turnOutlivesItsClient() async throws {
        let backend = backend
        let door = Door()
        backend.engine.onAnswer { _, output in
            try? await door.wait()
            output.yield(.response("x"))
            output.finish()
        }
        let id = try await backend.opened()
        try await onPort { server async throws in
            try await RawConnection.open(port: server.port) { connection async throws in
                try await connection.send(Self.request(#"{"text":"hello"}"#, in: id))
                _ = try await connection.read(through: "event: transcript")
            }
            door.open()
            try await eventually { try await backend.review(id).segments.map(\.aiText) == ["x"] }
        }
    }

    @Test func twentySessionsAMinuteFromOneAddress() async throws {
        try await onPort { server async throws in
            for index in 0..<40 {
                let body = Data(#"{"user_id":"user \#(index % 2)","topic_id":"travel"}"#.utf8)
                let reply = try await server.http.send("POST", "/sessions", body: body)
                #expect(reply.status == 200)
                let id = try WireJSON.decode(CreatedSession.self, from: reply.body).sessionId
                #expect(try await server.http.send("POST", "/sessions/\(id)/start").status == 200)
            }
        }
    }

    @Test func shutdownEndsStreams() async throws {
        let backend = backend
        backend.engine.onAnswer { _, _ in try? await Door().wait() }
        let id = try await backend.opened()
        try await onPort { server async throws in
            try await RawConnection.open(port: server.port) { connection async throws in
                try await connection.send(Self.request(#"{"text":"hello"}"#, in: id))
                _ = try await connection.read(through: "event: transcript")
                await server.shutDown()
                _ = try await connection.readToEnd()
            }
        }
    }

    /// Clients that disconnect at any moment and repeat their turns: each turn is stored once and in order, and every answer is whole.
    @Test func randomDisconnectsLoseAndRepeatNothing() async throws {
        let backend = backend
        backend.engine.onAnswer { input, output in
            for index in 0..<4 {
                output.yield(.audio(Data(input.text.utf8) + ScriptedEngine.sound(500 + index)))
                await Task.yield()
            }
            output.yield(.response("Answer to \(input.text)"))
            output.finish()
        }
        let (sessionCount, disconnectsEach) = (4, Effort.count(1_000, soak: 10_000) / 4)
        try await onPort { server async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<sessionCount {
                    let id = try await backend.opened(user: "user \(number)")
                    group.addTask {
                        try await Self.converse(id, number, disconnectCount: disconnectsEach, server.port, backend)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Turns are even numbers of characters, so that samples stay whole.
    private static func converse(
        _ id: Session.ID, _ number: Int, disconnectCount: Int, _ port: Int, _ backend: TestBackend
    ) async throws {
        var numbers = SeededGenerator(seed: Seed.current, number: number)
        var disconnects = 0
        var texts: [String] = []
        while disconnects < disconnectCount {
            let text = "turn \(1000 + texts.count)x"
            texts.append(text)
            let body = #"{"text":"\#(text)","turn_id":"\#(text)"}"#
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                // From before the reply's head up to its end, which has more than 5,000 bytes.
                let length = Int.random(in: 0...5_700, using: &numbers)
                disconnects += 1
                try await RawConnection.open(port: port) { connection async throws in
                    try await connection.send(request(body, in: id))
                    if length > 5_000 {
                        _ = try await connection.read(through: "event: done\ndata: {}\n\n")
                    } else {
                        _ = try await connection.read(length)
                    }
                }
            }
            let whole = try await HTTPProbe(port: port).send(
                "POST", TalkCoEndpoints.chatText.path(id.parameters), body: Data(body.utf8))
            try #require(whole.status == 200)
            let events = try TalkEvent.all(in: whole.body)
            var expected = Data()
            for index in 0..<4 { expected += Data(text.utf8) + ScriptedEngine.sound(500 + index) }
            try #require(events.audio == expected)
            try #require(events.essence.dropLast() == [.transcript(text), .response("Answer to \(text)"), .done])
        }
        let segments = try await backend.review(id).segments
        try #require(segments.map(\.userText) == texts)
        try #require(segments.map(\.turnIndex) == Array(0..<texts.count))
    }
}
