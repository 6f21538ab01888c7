import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TestKit
import Testing
import WireKit

@testable import ServerKit

@Suite struct WebSocketTests {
    /// A service with `/echo`, which echoes, and `/denied`, which refuses.
    private func service(heartbeat: WebSocketUpgrade.Heartbeat = .init(), maximumMessageSize: Int = 1000) -> ServiceParts {
        sampleService { router in
            router.webSocket("/echo") { request, _ in
                WebSocketUpgrade(
                    subprotocol: request.headers[.webSocketProtocol].map { String($0.split(separator: ",")[0]) },
                    maximumMessageSize: maximumMessageSize, heartbeat: heartbeat
                ) { connection in
                    for try await message in connection.messages {
                        switch message {
                        case .text("close"): connection.close(.policyViolation, reason: "asked to")
                        case .text("bye"): return
                        case .text("fail"): throw Unforeseen(secret: "hush")
                        case .text(let text): try await connection.send(text)
                        case .binary(let bytes): try await connection.send(bytes)
                        }
                    }
                }
            }
            router.webSocket("/denied") { _, _ in throw HTTPError(.forbidden, message: "not you") }
        }
    }

    /// The sample key and reply of RFC 6455, section 1.3.
    @Test func upgradesAndEchoes() async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/echo", headers: ["Sec-WebSocket-Protocol": "a.v1, b"]) {
                socket async throws in
                #expect(socket.handshake.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                #expect(socket.handshake.headers["sec-websocket-protocol"] == "a.v1")
                try await socket.send(.text("hällo"), .binary([0, 255]))
                #expect(try await socket.receive() == .text("hällo"))
                #expect(try await socket.receive() == .binary([0, 255]))
            }
        }
    }

    @Test func worksBelowAPrefix() async throws {
        try await ServerUnderTest.run([service()], isAlone: false) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/sample/echo?x=1") { socket async throws in
                try await socket.send(.text("a"))
                #expect(try await socket.receive() == .text("a"))
            }
        }
    }

    @Test func framesSentWithTheHandshakeAreNotLost() async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/echo", early: [.text("1"), .text("2"), .text("3")]) {
                socket async throws in
                for text in ["1", "2", "3"] { #expect(try await socket.receive() == .text(text)) }
            }
        }
    }

    // MARK: Refusals

    @Test(
        arguments: [
            ("/denied", [:], 403), ("/nothing", [:], 404), ("/hello/a", [:], 200),
            ("/echo", ["Sec-WebSocket-Version": "8"], 426), ("/echo", ["Sec-WebSocket-Version": ""], 426),
            ("/echo", ["Sec-WebSocket-Key": ""], 426), ("/echo", ["Sec-WebSocket-Key": "short"], 426),
            ("/echo", ["Host": "evil.example"], 421), ("/echo", ["Content-Length": "5"], 426),
            ("/echo", ["Upgrade": "h2c"], 426), ("/echo", ["Connection": "close"], 426),
        ] as [(String, [String: String], Int)])
    func refusalIsAnOrdinaryReply(_ path: String, _ headers: [String: String], _ status: Int) async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            let refused = await #expect(throws: WebSocketProbe.Refused.self) {
                try await WebSocketProbe.open(port: server.port, path, headers: headers) { _ in }
            }
            #expect(refused?.reply.status == status)
            #expect(refused?.reply.headers["x-request-id"] != nil)
            if status == 426 { #expect(refused?.reply.headers["sec-websocket-version"] == "13") }
        }
    }

    @Test func refusedConnectionIsClosed() async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(WebSocketProbe.head("/denied", port: server.port))
                let reply = try await HTTPProbe.reply(on: connection)
                #expect(reply.headers["connection"] == "close")
                #expect(reply.text.contains("not you"))
                #expect(try await connection.readToEnd().isEmpty)
            }
        }
    }

    @Test func requestWithoutUpgradeGets426() async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            let reply = try await server.http.send("GET", "/echo")
            #expect(reply.status == 426)
            #expect(reply.headers["upgrade"] == "websocket")
            #expect(try await server.http.send("GET", "/denied").status == 403)
        }
    }

    @Test func unknownUpgradesAreAnsweredAsPlainRequests() async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(
                    "GET /hello/a HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n"
                )
                let reply = try await HTTPProbe.reply(on: connection)
                #expect(reply.text == "hello a")
                #expect(reply.headers["connection"] == "close")
                #expect(try await connection.readToEnd().isEmpty)
            }
        }
    }

    // MARK: Frames

    @Test func fragmentsAreJoinedAroundControlFrames() async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/echo") { socket async throws in
                try await socket.send(
                    .init(opcode: 1, isFinal: false, payload: Array("a\u{e9}".utf8.dropLast())), .ping([7]),
                    .init(opcode: 0, isFinal: false, payload: Array("a\u{e9}".utf8.suffix(1))), .init(opcode: 0, payload: [0x62]))
                #expect(try await socket.receive() == .pong([7]))
                #expect(try await socket.receive() == .text("aéb"))
            }
        }
    }

    static let violations: [(String, [WebSocketProbe.Frame], Bool, UInt16)] = [
        ("a text that is not UTF-8", [.init(opcode: 1, payload: [0xff, 0xfe])], true, 1007),
        ("an unmasked frame", [.text("a")], false, 1002),
        ("a reserved opcode", [.init(opcode: 3, payload: [])], true, 1002),
        ("a frame over the limit", [.text(String(repeating: "x", count: 1001))], true, 1009),
        (
            "fragments over the limit",
            [
                .init(opcode: 1, isFinal: false, payload: Array(repeating: 120, count: 600)),
                .init(opcode: 0, payload: Array(repeating: 120, count: 600)),
            ],
            true, 1009
        ),
        ("a continuation of nothing", [.init(opcode: 0, payload: [1])], true, 1002),
        ("a message within a message", [.init(opcode: 1, isFinal: false, payload: [97]), .text("b")], true, 1002),
        ("a fragmented ping", [.init(opcode: 9, isFinal: false, payload: [])], true, 1002),
        ("a reserved close code", [.close(1005)], true, 1002),
        ("a reason that is not UTF-8", [.init(opcode: 8, payload: [3, 232, 0xff])], true, 1007),
        ("half a close code", [.init(opcode: 8, payload: [3])], true, 1002),
        ("a ping that is too long", [.ping(Array(repeating: 1, count: 126))], true, 1002),
    ]

    @Test(arguments: violations.indices) func violationsCloseWithTheirCode(_ index: Int) async throws {
        let (name, frames, masked, code) = Self.violations[index]
        try await ServerUnderTest.run([service()]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/echo") { socket async throws in
                for frame in frames { try await socket.send(frame, masked: masked) }
                let answer = try await socket.receive()
                #expect(answer.closeCode == code, "\(name): \(answer)")
                #expect(try await socket.connection.readToEnd().isEmpty, "\(name)")
            }
        }
    }

    @Test func garbageEndsOnlyItsConnection() async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            var generator = SeededGenerator(seed: 7)
            for _ in 0..<50 {
                let garbage = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
                try await WebSocketProbe.open(port: server.port, "/echo") { socket async throws in
                    try await socket.connection.send(garbage)
                    socket.connection.finishSending()
                    _ = try await socket.connection.readToEnd()
                }
            }
            #expect(try await server.http.send("GET", "/hello/a").status == 200)
        }
    }

    @Test func nothingFollowsACloseFrame() async throws {
        let talker = sampleService { router in
            router.webSocket("/talk") { _, _ in
                WebSocketUpgrade { connection in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { while true { try await connection.send(String(repeating: "x", count: 10_000)) } }
                        group.addTask { for try await _ in connection.messages {} }
                        try await group.next()
                        group.cancelAll()
                    }
                }
            }
        }
        try await ServerUnderTest.run([talker]) { server async throws in
            for _ in 0..<20 {
                try await WebSocketProbe.open(port: server.port, "/talk") { socket async throws in
                    _ = try await socket.receive()
                    try await socket.send(.close(1000))
                    while try await socket.receive().opcode != 8 {}
                    #expect(try await socket.connection.readToEnd().isEmpty)
                }
            }
        }
    }

    // MARK: Large messages

    /// The budget has room for two incomplete messages. A third is refused; other connections are unaffected.
    @Test func incompleteMessagesShareABudget() async throws {
        let third = 20_000
        let large = 3 * third
        var configuration = WebServer.Configuration()
        configuration.maximumMessageBytes = 2 * large
        try await ServerUnderTest.run([service(maximumMessageSize: 2 * large)], configuration: configuration) {
            server async throws in
            let port = server.port
            @Sendable func begin(_ socket: WebSocketProbe) async throws {
                for opcode: UInt8 in [1, 0, 0] {
                    try await socket.send(.init(opcode: opcode, isFinal: false, payload: [UInt8](repeating: 120, count: third)))
                }
                // The pong proves that everything before the ping has been read.
                try await socket.send(.ping())
                #expect(try await socket.receive() == .pong())
            }
            try await WebSocketProbe.open(port: port, "/echo") { first async throws in
                try await begin(first)
                try await WebSocketProbe.open(port: port, "/echo") { second async throws in
                    try await begin(second)
                    try await WebSocketProbe.open(port: port, "/echo") { socket async throws in
                        try await socket.send(.text(String(repeating: "x", count: large)))
                        #expect(try await socket.receive().closeCode == 1013)
                    }
                    try await WebSocketProbe.open(port: port, "/echo") { socket async throws in
                        for _ in 0..<5 {
                            try await socket.send(.text(String(repeating: "x", count: 16_000)))
                            #expect(try await socket.receive().payload.count == 16_000)
                        }
                    }
                }
                try await first.send(.init(opcode: 0, payload: []))
                #expect(try await first.receive().payload.count == large)
                // All memory is released, also that of the closed connection.
                try await eventually {
                    try await WebSocketProbe.open(port: port, "/echo") { socket async throws in
                        for _ in 0..<5 {
                            try await socket.send(.text(String(repeating: "x", count: 2 * large)))
                            if try await socket.receive().payload.count != 2 * large { return false }
                        }
                        return true
                    }
                }
            }
        }
    }

    // MARK: Ends

    @Test(arguments: [1000, 3999, nil] as [UInt16?]) func closeIsAnsweredWithItsCode(_ code: UInt16?) async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/echo") { socket async throws in
                try await socket.send(.close(code))
                #expect(try await socket.receive() == .close(code))
                #expect(try await socket.connection.readToEnd().isEmpty)
            }
        }
    }

    @Test(arguments: [("close", 1008), ("bye", 1000), ("fail", 1011)] as [(String, UInt16)])
    func serverClosesWithMatchingCode(_ text: String, _ code: UInt16) async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/echo") { socket async throws in
                // Data in flight must not turn the server's close into a reset.
                try await socket.send(.text(text), .text("more"), .text("and more"))
                var frame = try await socket.receive()
                while frame.opcode != 8 { frame = try await socket.receive() }
                #expect(frame.closeCode == code)
                #expect(!frame.closeReason.contains("hush"))
                // The server waits only briefly for the peer's close frame.
                try? await socket.send(.close(code))
                #expect(try await socket.connection.readToEnd().isEmpty)
            }
        }
    }

    @Test func shutdownClosesWithGoingAway() async throws {
        try await ServerUnderTest.run([service()]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/echo") { socket async throws in
                try await socket.send(.text("a"))
                _ = try await socket.receive()
                await server.shutDown()
                #expect(try await socket.receive().closeCode == 1001)
            }
        }
    }

    /// Cancellation closes without a handshake, but leaves no socket open.
    @Test func cancellingTheServerEndsItsSockets() async throws {
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let server = WebServer(
            configuration: .init(), services: [service()], isAlone: true, logger: .quiet,
            onReady: { port in
                ready.yield(port)
                ready.finish()
            })
        let running = Task { try await server.run() }
        let port = try #require(await ports.first(where: { _ in true }))
        try await WebSocketProbe.open(port: port, "/echo") { first async throws in
            try await WebSocketProbe.open(port: port, "/echo") { second async throws in
                for socket in [first, second] {
                    try await socket.send(.text("a"))
                    #expect(try await socket.receive() == .text("a"))
                }
                running.cancel()
                try await within(.seconds(100)) { _ = await running.result }
                for socket in [first, second] { _ = try? await socket.connection.readToEnd() }
            }
        }
        await #expect(throws: (any Error).self) { try await WebSocketProbe.open(port: port, "/echo") { _ in } }
    }

    // MARK: Heartbeat

    /// Short times; the outcome does not depend on them.
    private let brief = WebSocketUpgrade.Heartbeat(interval: .milliseconds(20), pingTimeout: .milliseconds(20))

    @Test func silentPeerIsDisconnected() async throws {
        try await ServerUnderTest.run([service(heartbeat: brief)]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/echo") { socket async throws in
                #expect(try await socket.receiveAny() == .ping())
                // The server closes without a closing handshake.
                #expect(try await socket.connection.readToEnd().isEmpty)
            }
        }
    }

    /// A peer that does not read delays its own session only, and is detected like a silent one.
    @Test func peerThatDoesNotReadIsDisconnected() async throws {
        let ended = Locked(false)
        let flood = sampleService { router in
            router.webSocket("/flood") { _, _ in
                WebSocketUpgrade(heartbeat: brief) { connection in
                    defer { ended.withLock { $0 = true } }
                    while true { try await connection.send(String(repeating: "x", count: 10_000)) }
                }
            }
        }
        try await ServerUnderTest.run([flood]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/flood") { socket async throws in
                try await eventually { ended.withLock { $0 } }
            }
        }
    }

    @Test func pingsAreAnsweredWhileTheServiceIsBusy() async throws {
        let router = { (router: Router<ServerContext>) in
            router.webSocket("/busy") { _, _ in
                // Sleeps by a stopped clock, so it is busy until the connection ends.
                WebSocketUpgrade { _ in try await TestClock().sleep(for: .seconds(1)) }
            }
        }
        try await ServerUnderTest.run([sampleService(add: router)]) { server async throws in
            try await WebSocketProbe.open(port: server.port, "/busy") { socket async throws in
                try await socket.send(.ping([1, 2, 3]))
                #expect(try await socket.receive() == .pong([1, 2, 3]))
            }
        }
    }
}
