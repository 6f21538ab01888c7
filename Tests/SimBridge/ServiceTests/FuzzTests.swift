import Foundation
import HTTPTypes
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// An almost valid message of one device has no effect on other devices.
@Suite(.seeded) struct FuzzTests {
    private struct Unexpected: Error { var what: String }

    private func expectContract(_ reply: TestRelay.Reply) throws {
        switch reply.status {
        case 200: _ = try reply.value(JSONValue.self)
        case 422: try #require(!reply.issues.isEmpty, "\(reply.text)")
        case 400...499: try #require(reply.detail != nil, "\(reply.text)")
        default: throw Unexpected(what: "\(reply.status) \(reply.text)")
        }
    }

    @Test func bodies() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let calls = [
            ("/auth/register", #"{"username":"ada","password":"secret"}"#),
            ("/auth/login", #"{"username":"ada","password":"secret"}"#),
            ("/devices", #"{"name":"Pixel","type":"host"}"#),
            ("/pair/confirm", #"{"code":"123456","client_device_id":\#(pair.client)}"#),
            (
                "/sms",
                #"{"to_device_id":\#(pair.host),"sim":1,"to":"+1","body":"Grüße","req_id":"6f1c1d0a-0000-4000-8000-000000000001"}"#
            ),
            ("/call", #"{"to_device_id":\#(pair.host),"sim":2,"to":"+1"}"#),
            ("/devices/\(pair.client)/push", #"{"address":{"apns":{"token":"ab"}},"content":"full","language":"en"}"#),
        ]
        for (path, body) in calls {
            try await fuzz([Data(body.utf8)], count: Effort.count(150, soak: 2500), test: "bodies-\(path)") { input in
                // The reader refuses invalid UTF-8; the decoding repairs it here, so that more input reaches the rules.
                let reply = try await relay.call(
                    path.hasSuffix("/push") ? .put : .post, path, token: pair.owner.token,
                    body: String(decoding: input, as: UTF8.self))
                if reply.status != 429 { try expectContract(reply) }
            }
        }
    }

    @Test func pathsAndQueries() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let corpus = [
            "/history?device_id=1&limit=10&offset=0", "/sims?host_device_id=\(pair.host)", "/devices", "/ws/host/1?token=x",
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(300, soak: 5000)) { input in
            let path = "/" + String(decoding: input, as: UTF8.self).drop { $0 == "/" }
            let reply = try await relay.call(.get, path, token: pair.owner.token)
            if reply.headers[.contentType]?.hasPrefix("text/html") != true { try expectContract(reply) }
        }
    }

    /// Any message of a client is answered or forwarded with its sender, and leaves both lines open.
    @Test(arguments: ["", "&v=2"]) func messages(_ version: String) async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let (host, _) = try await relay.open(.host, pair.host, of: pair.owner, query: version)
        let (client, _) = try await relay.open(.client, pair.client, of: pair.owner, query: version)
        let corpus = [
            #"{"type":"command","cmd":"SEND_SMS","sim":1,"to":"+1","body":"Grüße 😀","req_id":"r","from_device_id":1,"seq":4}"#,
            #"{"type":"event","event":"SMS_SENT","status":"ok","req_id":"r","to_device_id":\#(pair.host)}"#,
            #"{"type":"webrtc","action":"offer","sdp":"v=0","msg_id":"m"}"#, #"{"type":"ack","seq":3}"#, #"{"type":"ping"}"#,
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(500, soak: 20_000), test: "messages\(version.count)") {
            input in
            guard let text = String(validating: input, as: UTF8.self) else { return }
            try await client.send(text)
            try await client.send(#"{"type":"command","cmd":"END"}"#)
            while true {
                guard case .object(let object) = try WireJSON.decode(JSONValue.self, from: Data(try await host.nextText().utf8))
                else {
                    throw Unexpected(what: "no object")
                }
                try #require(object["from_device_id"] == .integer(pair.client.rawValue))
                if object["cmd"] == .string("END") { break }
            }
            // Its answers, up to that of a ping: an input may be one itself, so there may be two.
            try await client.send(#"{"type":"command","cmd":"LAST","to_device_id":-5}"#)
            while try await client.next().content != .failure(.notPaired(-5)) {}
        }
    }
}
