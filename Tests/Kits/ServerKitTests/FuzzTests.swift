import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import TestKit
import Testing

@testable import ServerKit

/// Arbitrary input is processed or refused, and the server keeps serving.
@Suite(.seeded) struct FuzzTests {
    // MARK: Decoders

    @Test func fieldsAreValidOrReported() async throws {
        let corpus = [
            #"{"to":"ä😀","clientId":null,"score":7,"more":[{"a":1.5}]}"#, #"{"to":"a\u0000b","clientId":"x","score":2.0}"#,
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(10_000, soak: 100_000)) { input in
            guard var fields = try? FieldReader(parsing: input) else { return }
            let (to, clientId) = (fields.string("to", length: 1...10), fields.optionalString("clientId", length: 1...4))
            let score = fields.integer("score", in: 0...100)
            guard fields.issues.isEmpty else { return }
            try #require(1...10 ~= to.unicodeScalars.count && !to.utf8.contains(0))
            try #require(clientId.map { 1...4 ~= $0.unicodeScalars.count } != false)
            try #require(0...100 ~= score)
        }
    }

    struct Claims: TokenClaims, Equatable {
        var user: String
        var iat: Int
        var exp: Int
    }

    /// Some bits of a signature's last base64 character are unused, so different texts may be the same valid token.
    @Test func foreignTokensAreRefused() async throws {
        let signer = await TokenSigner<Claims>(secret: try SigningSecret(String(repeating: "k", count: 32), source: "test"))
        let claims = [Claims(user: "ü", iat: 999_000, exp: 1_000_060), Claims(user: "b", iat: 1, exp: .max)]
        var corpus: [Data] = []
        for claims in claims { corpus.append(Data(try await signer.sign(claims).utf8)) }
        let now = Date(timeIntervalSince1970: 1_000_000)
        try await fuzz(corpus, count: Effort.count(2000, soak: 20_000)) { input in
            do {
                try #require(claims.contains(try await signer.verify(String(decoding: input, as: UTF8.self), now: now)))
            } catch is TokenError {}
        }
    }

    @Test func hostAndOriginChecksHoldForAnyInput() async throws {
        let corpus = ["localhost:8077", "[fe80::1]:80", "192.168.1.7", "a.localhost.", "http://[::1]:8077", "2001:db8:1:2:3:4:5:6"]
        let check = HostCheck(names: ["pager.example"])
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(8000, soak: 80_000)) { input in
            let text = String(decoding: input, as: UTF8.self)
            if check.allows(text) {
                let name = try #require(Authority(text)?.host)
                try #require(name.hasSuffix("localhost") || name == "pager.example" || IPLiteral.isValid(name))
            }
            if OriginCheck.allows(origin: text, host: "localhost:8077", scheme: "http") {
                try #require(text.lowercased().contains("http://localhost"))
            }
            let network = IPLiteral.network(of: text)
            try #require(network == text || IPLiteral.isValid(text))
            try #require(IPLiteral.network(of: network) == network)
        }
    }

    @Test func closeAnswersHaveAllowedCodes() async throws {
        let corpus = [Data([3, 232]), Data([3, 232] + "bye".utf8), Data()]
        try await fuzz(corpus, count: Effort.count(2000, soak: 20_000)) { input in
            let answer = WebSocketCloseCode.answer(to: ByteBuffer(bytes: input))
            guard answer.readableBytes > 0 else { return try #require(input.isEmpty) }
            let code = try #require(answer.getInteger(at: answer.readerIndex, as: UInt16.self))
            try #require(answer.readableBytes == 2 && WebSocketCloseCode(rawValue: code).mayBeSent)
        }
    }

    // MARK: Over a port

    private func withServer(_ body: @escaping @Sendable (ServerUnderTest) async throws -> Void) async throws {
        let service = sampleService { router in
            router.post("/read") { request, _ in
                do {
                    return try await SampleText(bodyOf: request, limit: 1000).text
                } catch let error where error is BodyError || error is FieldErrors {
                    throw HTTPError(.badRequest)
                }
            }
            router.webSocket("/echo") { _, _ in
                WebSocketUpgrade(maximumMessageSize: 1000) { connection in
                    for try await message in connection.messages {
                        switch message {
                        case .text(let text): try await connection.send(text)
                        case .binary(let bytes): try await connection.send(bytes)
                        }
                    }
                }
            }
        }
        try await ServerUnderTest.run([service]) { server in
            try await body(server)
            #expect(try await server.http.send("GET", "/hello/a").text == "hello a")
            try await WebSocketProbe.open(port: server.port, "/echo") { socket async throws in
                try await socket.send(.text("a"))
                #expect(try await socket.receive() == .text("a"))
            }
        }
    }

    /// Sends `input`, ends sending and returns the server's reply up to its close.
    private static func answer(to input: Data, on port: Int) async throws -> String {
        try await RawConnection.open(port: port, limit: .seconds(20)) { connection in
            // The server may already have closed the connection.
            try? await connection.send(input)
            connection.finishSending()
            return String(decoding: try await connection.readToEnd(), as: UTF8.self)
        }
    }

    @Test func anyRequestIsAnsweredWithoutServerError() async throws {
        try await withServer { server in
            let host = "Host: localhost\r\n"
            let body = #"{"text":"hello"}"#
            let corpus = [
                "GET /hello/a HTTP/1.1\r\n\(host)\r\n", "HEAD /hello/a?x=%20&y=1 HTTP/1.0\r\n\(host)Connection: keep-alive\r\n\r\n",
                "POST /read HTTP/1.1\r\n\(host)Content-Length: \(body.utf8.count)\r\n\r\n\(body)GET /nothing HTTP/1.1\r\n\(host)\r\n",
                "POST /read HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n10\r\n\(body)\r\n0\r\n\r\n",
                "POST /read HTTP/1.1\r\n\(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
            ]
            try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(200, soak: 10_000)) { input in
                let answer = try await Self.answer(to: input, on: server.port)
                // A truncated body gets no reply.
                try #require(!answer.contains("HTTP/1.1 500"))
            }
        }
    }

    @Test(arguments: ["", "\r\n"]) func connectionsWithoutARequestAreClosed(_ text: String) async throws {
        try await withServer { server in
            let answer = try await within(.seconds(20)) { try await Self.answer(to: Data(text.utf8), on: server.port) }
            #expect(answer.isEmpty)
        }
    }

    @Test func anyHandshakeIsAnsweredWithoutServerError() async throws {
        try await withServer { server in
            let frames: [[WebSocketProbe.Frame]] = [
                [.text("hello"), .close(1000)], [.binary(Array(0...200)), .ping([1, 2]), .pong(), .close(nil)],
                [
                    .init(opcode: 1, isFinal: false, payload: Array("ab".utf8)), .init(opcode: 0, payload: Array("c".utf8)),
                    .close(1000),
                ],
            ]
            let head =
                "GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: a.v1, b\r\n\r\n"
            let corpus = frames.map { Data(head.utf8) + Data($0.flatMap { WebSocketProbe.encode($0) }) }
            try await fuzz(corpus, count: Effort.count(150, soak: 5000)) { input in
                let answer = try await Self.answer(to: input + Self.terminator, on: server.port)
                try #require(!answer.contains("HTTP/1.1 500"))
            }
        }
    }

    /// Invalid frame data longer than any message, so the server closes the connection whatever state it is in.
    private static let terminator = Data(repeating: 0, count: 1200)

    /// Fuzzes the frames after a valid handshake.
    @Test func anyFramesGetValidFramesBack() async throws {
        try await withServer { server in
            let messages: [[WebSocketProbe.Frame]] = [
                [.text("hello")], [.text(String(repeating: "ä", count: 200))], [.binary(Array(0...125))], [.ping([1, 2])],
                [.close(1000)],
                [.init(opcode: 1, isFinal: false, payload: Array("ab".utf8)), .init(opcode: 0, payload: Array("c".utf8))],
            ]
            let corpus = messages.map { Data($0.flatMap { WebSocketProbe.encode($0) }) }
            try await fuzz(corpus, count: Effort.count(200, soak: 10_000)) { input in
                let reply = try await WebSocketProbe.open(port: server.port, "/echo", limit: .seconds(20)) { socket async throws in
                    try? await socket.connection.send(input + Self.terminator)
                    return try await socket.connection.readToEnd()
                }
                try #require(Self.areFrames(reply))
            }
        }
    }

    /// True for complete, unmasked frames with nothing after a close frame. The last frame may be truncated by a reset.
    private static func areFrames(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while rest.count >= 2 {
            let (opcode, short) = (rest.removeFirst(), rest.removeFirst())
            guard [0x81, 0x82, 0x88, 0x89, 0x8a].contains(opcode), short <= 126 else { return false }
            let length = short < 126 ? Int(short) : rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(short < 126 ? length : length + 2)
            if opcode == 0x88 { return rest.isEmpty }
        }
        return true
    }
}
