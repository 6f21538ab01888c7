import Foundation
import HTTPTypes
import Pager2077Wire
import PushKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// An almost valid message of one client has no effect on other clients.
@Suite(.seeded) struct FuzzTests {
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        pager = try await Pager()
        (ada, bob) = try await pager.friends()
    }

    // MARK: Requests

    private func expectEnvelope(_ reply: Pager.Reply) throws {
        switch reply.status {
        case 200, 201:
            guard case .object(let fields) = try WireJSON.decode(JSONValue.self, from: reply.body) else {
                throw Unexpected(what: reply.text)
            }
            try #require(fields["success"] == .bool(true) && fields["data"] != nil)
        case 400...499:
            let code = try #require(reply.failure?.code, "\(reply.text)")
            try #require(ErrorCode(rawValue: code) != nil && code != ErrorCode.internalError.rawValue)
        default: throw Unexpected(what: "\(reply.status) \(reply.text)")
        }
    }

    private struct Unexpected: Error { var what: String }

    @Test(arguments: BadInputTests.bodies + [.init(PagerEndpoints.register, ["deviceToken": .string("t")])])
    func bodies(_ call: BadInputTests.Call) async throws {
        var fields = call.fields
        if call.path == PagerEndpoints.sendMessage.path {
            fields = ["recipientId": .string(bob.id.rawValue), "text": .string("Grüße 😀"), "clientId": .string("c")]
        }
        let corpus = [try WireJSON.encode(fields)]
        try await fuzz(corpus, count: Effort.count(250, soak: 2500), test: "bodies-\(call.path)") { input in
            let path = call.path(BadInputTests.id)
            try expectEnvelope(try await pager.call(call.method, path, token: ada.token, body: input))
        }
    }

    /// Whatever an address is, a message to it is sent or refused.
    @Test func addressesOfDevices() async throws {
        let standIns = PushStandIns()
        let pager = try await Pager(standIns)
        let (ada, bob) = try await pager.friends()
        let corpus = try [PushAddress.apns(token: "a0", environment: "sandbox"), .browser("a"), .ntfy(topic: "bob")].map {
            try WireJSON.encode(PushDeviceUpdate(address: $0, language: "ko", showsPreviews: false))
        }
        try await fuzz(corpus, count: Effort.count(250, soak: 2500)) { input in
            let path = "/api/users/devices/\(BadInputTests.id)"
            try expectEnvelope(try await pager.call(.put, path, token: bob.token, body: input))
            try await pager.send("HELLO", from: ada, to: bob)
            let targets = try await pager.store.write { transaction in
                let entry = try transaction.one(
                    "SELECT * FROM pushes WHERE recipient = ? ORDER BY id DESC LIMIT 1", bob.id, as: PushEntry.self)
                return try pager.directory.targets(of: entry, at: pager.now, in: transaction)
            }
            try #require(targets.count == 1)
        }
    }

    @Test func pathsAndQueries() async throws {
        let corpus = [
            "/api/messages/\(bob.id)?limit=10", "/api/leaderboard/snake", "/api/friends/requests/\(ada.id)/accept?x=%20&y",
            "/api/conversations",
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(300, soak: 5000)) { input in
            let path = "/" + String(decoding: input, as: UTF8.self).drop { $0 == "/" }
            let reply = try await pager.call(.get, path, token: ada.token)
            // The two replies without an envelope.
            if reply.status == 200, reply.text.hasPrefix(#"{"status""#) { return }
            try expectEnvelope(reply)
        }
    }

    // MARK: The live socket

    /// Several messages on one socket, one on each line, and exactly the answers that are due.
    @Test func liveMessages() async throws {
        let (ack, presence) = (#"{"seq":1,"type":"ack"}"#, #"{"foreground":true,"type":"presence"}"#)
        let corpus = [[presence, ack, ack], [ack, presence, presence, ack], [presence, "nonsense", ack]].map {
            $0.joined(separator: "\n")
        }
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            try await open(server, ada, limit: .seconds(1200)) { other async throws in
                try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(100, soak: 3000)) { input in
                    try await open(server, bob) { socket async throws in
                        // The other socket receives pings and is not read meanwhile, which saves thousands of round trips.
                        let messages = input.split(separator: UInt8(ascii: "\n"), maxSplits: 50, omittingEmptySubsequences: false)
                        for message in messages {
                            guard try await isAnswered(message, on: socket) else { return }
                        }
                    }
                    try await pager.send("still there?", from: bob, to: ada)
                    try #require(try await receive(on: other).text.contains("still there?"))
                }
            }
        }
    }

    /// The next frame, signs of life given meanwhile. Where the machine is slow, friends seem to come and go: that does not count.
    private func receive(on socket: WebSocketProbe) async throws -> WebSocketProbe.Frame {
        while true {
            let frame = try await socket.receive()
            if frame.opcode == 9 {
                try await socket.send(.pong(frame.payload))
            } else if !frame.text.contains("friendStatus") {
                return frame
            }
        }
    }

    private func open<Value: Sendable>(
        _ server: ServerUnderTest, _ person: Pager.Person, limit: Duration = .seconds(120),
        _ body: @escaping @Sendable (WebSocketProbe) async throws -> Value
    ) async throws -> Value {
        try await WebSocketProbe.open(
            port: server.port, "/api/live", headers: ["Authorization": "Bearer \(person.token)"],
            limit: limit
        ) { socket async throws in
            try #require(try await receive(on: socket).text.contains("hello"))
            return try await body(socket)
        }
    }

    /// - Returns: True if the socket is still open, as expected.
    private func isAnswered(_ message: Data, on socket: WebSocketProbe) async throws -> Bool {
        try await socket.send(.init(opcode: 1, payload: Array(message)))
        if message.count > 4096 {
            try #require(try await receive(on: socket).closeCode == 1009)
            return false
        }
        guard String(validating: message, as: UTF8.self) != nil else {
            try #require(try await receive(on: socket).closeCode == 1007)
            return false
        }
        // A valid message has no reply; the reply to the next message shows that this one was read.
        if (try? WireJSON.decode(LiveClientMessage.self, from: message)) != nil { try await socket.send(.text("x")) }
        let answer = try await receive(on: socket)
        guard case .error = try WireJSON.decode(LiveServerMessage.self, from: Data(answer.payload)) else {
            throw Unexpected(what: answer.text)
        }
        return true
    }
}
