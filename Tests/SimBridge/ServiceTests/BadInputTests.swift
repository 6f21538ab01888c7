import HTTPTypes
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Contract: "Conventions".
@Suite struct BadInputTests {
    let relay: TestRelay

    init() async throws { relay = try await TestRelay() }

    @Test(arguments: ["", "{", "nonsense", "[]", "4", "null", #"{"username":"a","password":"b",}"#])
    func aBodyThatIsNoObjectIs422(_ body: String) async throws {
        let reply = try await relay.call(.post, "/auth/login", body: body)
        expect(reply, 422)
        #expect(reply.issues.first?.loc.first == .name("body"))
        #expect(reply.headers[.contentType]?.hasPrefix("application/json") == true)
    }

    @Test func everyWrongFieldIsNamed() async throws {
        let pair = try await relay.pair()
        let reply = try await relay.call(
            .post, "/sms", token: pair.owner.token, body: #"{"to_device_id":0,"sim":3,"to":"","body":4}"#)
        expect(reply, 422)
        #expect(reply.issues.map(\.field) == ["to_device_id", "sim", "to", "body"])
        #expect(reply.issues.allSatisfy { $0.loc.first == .name("body") && !$0.msg.isEmpty && !$0.type.isEmpty })
        let missing = try await relay.call(.post, "/call", token: pair.owner.token, body: "{}")
        #expect(missing.issues.map(\.type) == ["missing", "missing", "missing"])
    }

    @Test(arguments: [#"1.5"#, "0", "3", "null", "true", #"[1]"#]) func slotsAreOneOrTwo(_ sim: String) async throws {
        let pair = try await relay.pair()
        let reply = try await relay.call(
            .post, "/call", token: pair.owner.token, body: #"{"to_device_id":\#(pair.host),"sim":\#(sim),"to":"1"}"#)
        expect(reply, 422)
        #expect(reply.issues.map(\.field) == ["sim"])
    }

    @Test func limitsCountCharacters() async throws {
        let pair = try await relay.pair()
        func send(_ to: String, _ body: String) async throws -> Int {
            try await relay.call(
                SimBridgeEndpoints.sendText, TextCommand(toDeviceId: pair.host, sim: 2, to: to, body: body), by: pair.owner
            ).status
        }
        #expect(try await send(String(repeating: "1", count: 30), String(repeating: "é", count: 1600)) == 200)
        #expect(try await send("1", String(repeating: "é", count: 1601)) == 422)
        #expect(try await send(String(repeating: "1", count: 31), "b") == 422)
        #expect(try await send("1", "") == 422)
    }

    @Test func unknownFieldsAreIgnored() async throws {
        expect(try await relay.call(.post, "/auth/register", body: #"{"username":"a","password":"b","more":[1]}"#), 200)
    }

    @Test func unknownPathsAndMethods() async throws {
        expect(try await relay.call(.get, "/nowhere"), 404, "Not Found")
        expect(try await relay.call(.get, "/"), 404, "Not Found")
        expect(try await relay.call(.delete, "/devices/7/more"), 404, "Not Found")
        for (method, path, allow) in [
            (HTTPRequest.Method.get, "/auth/login", "POST"), (.delete, "/devices", "GET, POST"), (.post, "/history", "GET"),
            (.put, "/pair/confirm", "POST"), (.post, "/docs", "GET"),
        ] {
            let reply = try await relay.call(method, path)
            expect(reply, 405, "Method Not Allowed")
            #expect(reply.headers[.allow] == allow)
        }
    }

    @Test func itSaysThatItIsThere() async throws {
        expect(try await relay.call(.get, "/docs"), 200)
        #expect(try await relay.call(.get, "/health").text == #"{"status":"ok"}"#)
    }

    @Test func queriesAreChecked() async throws {
        let pair = try await relay.pair()
        for (method, path, field) in [
            (HTTPRequest.Method.post, "/pair", "host_device_id"), (.post, "/pair?host_device_id=x", "host_device_id"),
            (.get, "/sims", "host_device_id"), (.get, "/sims?host_device_id=1.5", "host_device_id"),
            (.get, "/history?limit=201", "limit"), (.get, "/history?limit=-1", "limit"), (.get, "/history?limit=x", "limit"),
            (.get, "/history?offset=-1", "offset"), (.get, "/history?device_id=x", "device_id"),
        ] {
            let reply = try await relay.call(method, path, token: pair.owner.token)
            expect(reply, 422)
            #expect(reply.issues.map(\.loc) == [[.name("query"), .name(field)]], "\(path)")
        }
    }

    @Test func aHugeBodyIsRefused() async throws {
        expect(try await relay.call(.post, "/auth/login", body: String(repeating: " ", count: 70_000)), 413)
    }

    @Test func namesOfDevices() async throws {
        let owner = try await relay.person()
        func add(_ body: String) async throws -> TestRelay.Reply {
            try await relay.call(.post, "/devices", token: owner.token, body: body)
        }
        expect(try await add(#"{"name":"a","type":"fridge"}"#), 400, "type must be 'host' or 'client'")
        expect(try await add(#"{"name":"","type":"host"}"#), 422)
        expect(try await add(#"{"name":"a","type":4}"#), 422)
        expect(try await add(#"{"type":"host"}"#), 422)
        let long = String(repeating: "é", count: 100)
        let reply = try await add(#"{"name":"\#(long)","type":"host"}"#)
        expect(reply, 200)
        #expect(!reply.text.contains("last_seen") && reply.text.contains(#""is_online":false"#))
        expect(try await add(#"{"name":"\#(long)é","type":"host"}"#), 422)
    }
}
