import HTTPTypes
import Hummingbird
import Logging
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import ServerKit

/// The callbacks of a session, over a port and within the process.
@Suite struct WebSocketSessionTests {
    /// Records its callbacks and follows the peer's instructions.
    private final class Recorder: WebSocketSession {
        struct Refused: Error {}

        private let notes = Locked<[String]>([])
        let refusesToOpen: Bool

        init(refusesToOpen: Bool = false) { self.refusesToOpen = refusesToOpen }

        var calls: [String] { notes.withLock { $0 } }
        private func note(_ call: String) { notes.withLock { $0.append(call) } }

        func opened(_ connection: WebSocketConnection) async throws {
            note("opening")
            // Gives concurrent callbacks, if there were any, the opportunity to interleave.
            for _ in 0..<20 { await Task.yield() }
            note("opened")
            if refusesToOpen { throw Refused() }
        }

        func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async throws {
            guard case .text(let text) = message else { return }
            note("begin \(text)")
            defer { note("end \(text)") }
            for _ in 0..<20 { await Task.yield() }
            switch text {
            case "fail": throw Refused()
            case "fail beside": connection.start { throw Refused() }
            case "work":
                connection.start {
                    // Sleeps by a stopped clock until it is cancelled.
                    try? await TestClock().sleep(for: .seconds(1))
                    for _ in 0..<20 { await Task.yield() }
                    self.note("work done")
                }
            case "wait": try await TestClock().sleep(for: .seconds(1))
            default: break
            }
            try await connection.send(text)
        }

        func closed() async {
            note("closing")
            for _ in 0..<20 { await Task.yield() }
            note("closed")
        }
    }

    /// Pings would interfere with the expected frames.
    private func upgrade(_ recorder: Recorder) -> WebSocketUpgrade {
        WebSocketUpgrade(heartbeat: .init(interval: .seconds(3600)), session: recorder)
    }

    private func run(
        _ recorder: Recorder, _ body: @escaping @Sendable (ServerUnderTest, WebSocketProbe) async throws -> Void
    ) async throws {
        let service = sampleService { router in router.webSocket("/session") { _, _ in upgrade(recorder) } }
        try await ServerUnderTest.run([service]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/session", early: [.text("early")]) { socket async throws in
                try await body(server, socket)
            }
        }
    }

    @Test func callbacksRunInOrder() async throws {
        let recorder = Recorder()
        try await run(recorder) { _, socket async throws in
            try await socket.send(.text("a"), .text("b"))
            for text in ["early", "a", "b"] { #expect(try await socket.receive() == .text(text)) }
            try await socket.send(.text("c"), .close(1000))
            #expect(try await socket.receive() == .text("c"))
            #expect(try await socket.receive() == .close(1000))
            try await eventually { recorder.calls.last == "closed" }
        }
        let messages = ["early", "a", "b", "c"].flatMap { ["begin \($0)", "end \($0)"] }
        #expect(recorder.calls == ["opening", "opened"] + messages + ["closing", "closed"])
    }

    @Test(arguments: ["fail", "fail beside"]) func failureClosesTheConnection(_ text: String) async throws {
        let recorder = Recorder()
        try await run(recorder) { _, socket async throws in
            #expect(try await socket.receive() == .text("early"))
            try await socket.send(.text(text))
            var frame = try await socket.receive()
            while frame.opcode != 8 { frame = try await socket.receive() }
            #expect(frame.closeCode == 1011)
        }
        #expect(recorder.calls.suffix(2) == ["closing", "closed"])
    }

    @Test func failedOpeningReceivesNoMessages() async throws {
        let recorder = Recorder(refusesToOpen: true)
        try await run(recorder) { _, socket async throws in
            #expect(try await socket.receive().closeCode == 1011)
        }
        #expect(recorder.calls == ["opening", "opened", "closing", "closed"])
    }

    /// Running work is cancelled and awaited.
    @Test(arguments: ["work", "wait"]) func closedIsCalledAfterAllOtherWork(_ text: String) async throws {
        let recorder = Recorder()
        try await run(recorder) { server, socket async throws in
            #expect(try await socket.receive() == .text("early"))
            try await socket.send(.text(text))
            if text == "work" { #expect(try await socket.receive() == .text("work")) }
            // The message itself is not what goes on.
            try await eventually { recorder.calls.contains(text == "work" ? "end work" : "begin wait") }
            await server.shutDown()
            #expect(try await socket.receive().closeCode == 1001)
        }
        let last = text == "work" ? "work done" : "end wait"
        #expect(recorder.calls.suffix(3) == [last, "closing", "closed"])
        #expect(recorder.calls.count { $0 == "closing" } == 1)
    }

    /// A server waits for its sockets, so the caller can close the store afterwards.
    @Test func serverEndsAfterItsSockets() async throws {
        let recorder = Recorder()
        try await run(recorder) { server, socket async throws in
            #expect(try await socket.receive() == .text("early"))
            await server.shutDown()
        }
        #expect(recorder.calls.last == "closed")
    }

    @Test func disconnectWithoutCloseFrameIsDetected() async throws {
        let recorder = Recorder()
        let service = sampleService { router in router.webSocket("/session") { _, _ in upgrade(recorder) } }
        try await ServerUnderTest.run([service]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/session") { socket async throws in
                try await socket.send(.text("a"))
                #expect(try await socket.receive() == .text("a"))
            }
            try await eventually { recorder.calls.last == "closed" }
        }
    }

    @Test func inProcessSessionHasTheSameCallbacks() async throws {
        let recorder = Recorder()
        let service = sampleService { router in router.webSocket("/session") { _, _ in upgrade(recorder) } }
        let transport = InProcessTransport(services: [service], logger: .quiet)
        let request = HTTPRequest(
            method: .get, scheme: "http", authority: "localhost", path: "/sample/session", headerFields: [:])
        let socket = try await transport.connect(request, maximumMessageSize: 1000)
        for text in ["a", "work"] {
            try await socket.send(.text(text))
            #expect(try await within { try await socket.receive() } == .text(text))
        }
        socket.close(.init(1000))
        try await eventually { recorder.calls.last == "closed" }
        #expect(
            recorder.calls == [
                "opening", "opened", "begin a", "end a", "begin work", "end work", "work done", "closing", "closed",
            ])
    }
}
