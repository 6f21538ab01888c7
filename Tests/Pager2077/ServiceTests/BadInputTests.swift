import Foundation
import HTTPTypes
import Pager2077Wire
import ServerKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// Every endpoint against everything that may be wrong with a request: a clear refusal, never a 500, nothing leaked.
@Suite struct BadInputTests {
    /// One endpoint that needs a token, and its fields with a good value each.
    struct Call: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var path: String
        var fields: [String: JSONValue] = [:]

        init<Body, Reply>(_ endpoint: Endpoint<Body, Reply>, _ fields: [String: JSONValue] = [:]) {
            method = HTTPRequest.Method(rawValue: endpoint.method.rawValue)!
            path = endpoint.path
            self.fields = fields
        }

        var testDescription: String { "\(method) \(path)" }

        func path(_ parameter: String) -> String {
            path.split(separator: "/").map { "/" + ($0.hasPrefix(":") ? parameter : String($0)) }.joined()
        }
    }

    static let bodies = [
        Call(PagerEndpoints.setStatus, ["status": .string("online")]),
        Call(PagerEndpoints.setDisplayName, ["displayName": .string("Neo")]),
        Call(PagerEndpoints.setLiveActivityToken, ["liveActivityToken": .string(String(repeating: "a", count: 64))]),
        Call(
            PagerEndpoints.setPushDevice,
            [
                "address": .object(["apns": .object(["token": .string("a0")])]), "language": .string("en"),
                "showsPreviews": .bool(false),
            ]),
        Call(PagerEndpoints.requestFriend, ["toHexCode": .string("BF010BA2")]),
        Call(PagerEndpoints.sendMessage, ["recipientId": .string(String(repeating: "0", count: 32)), "text": .string("x")]),
        Call(PagerEndpoints.submitScore, ["game": .string("snake"), "score": .integer(1)]),
    ]

    static let noBodies = [
        Call(PagerEndpoints.me), Call(PagerEndpoints.pendingRequests), Call(PagerEndpoints.acceptRequest),
        Call(PagerEndpoints.rejectRequest), Call(PagerEndpoints.friends), Call(PagerEndpoints.removeFriend),
        Call(PagerEndpoints.history), Call(PagerEndpoints.pushOffer),
        Call(PagerEndpoints.conversations), Call(PagerEndpoints.leaderboard),
    ]

    /// In place of each parameter of a path.
    static let id = String(repeating: "0", count: 32)

    let pager: Pager
    let ada: Pager.Person

    init() async throws {
        pager = try await Pager()
        ada = try await pager.person()
    }

    private func expectRefusal(
        _ reply: Pager.Reply, _ statuses: ClosedRange<Int> = 400...499, _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(statuses.contains(reply.status), "\(what): \(reply.status) \(reply.text)", sourceLocation: sourceLocation)
        #expect(reply.failure != nil, "\(what): not the shape of a failure: \(reply.text)", sourceLocation: sourceLocation)
        #expect(reply.headers[.accessControlAllowOrigin] == "*", sourceLocation: sourceLocation)
        for leak in ["SQL", "Swift", "swift", "/tmp", ".db", "Fatal", "DecodingError", ada.token] {
            #expect(!reply.text.contains(leak), "\(what) leaks: \(reply.text)", sourceLocation: sourceLocation)
        }
    }

    // MARK: Bodies

    static let malformed: [(String, [UInt8])] = [
        ("empty", []), ("not JSON", Array("hello".utf8)), ("cut off", Array(#"{"a":"#.utf8)), ("an array", Array("[]".utf8)),
        ("a text", Array("\"x\"".utf8)), ("null", Array("null".utf8)), ("two values", Array("{}{}".utf8)),
        ("not UTF-8", [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
        ("UTF-16", Array("{}".utf8).flatMap { [$0, 0] }),
        ("a lone surrogate", Array(#"{"text":"\ud800"}"#.utf8)),
        ("deeply nested", Array((String(repeating: #"{"a":"#, count: 8000) + "1").utf8)),
        ("nested arrays", Array((#"{"a":"# + String(repeating: "[", count: 60_000)).utf8)),
        ("oversized", Array((#"{"text":""# + String(repeating: "x", count: 200_000) + #""}"#).utf8)),
    ]

    @Test(arguments: bodies) func malformedBodiesAreRefused(_ call: Call) async throws {
        for (name, bytes) in Self.malformed {
            let reply = try await pager.call(call.method, call.path(Self.id), token: ada.token, body: Data(bytes))
            expectRefusal(reply, name == "oversized" ? 413...413 : 400...400, name)
        }
    }

    @Test(arguments: bodies) func missingAndWrongTypedFieldsAreRefused(_ call: Call) async throws {
        let wrong: [JSONValue] = [
            .null, .bool(true), .integer(5), .number(1.5), .array([]), .object([:]), .array([.string("x")]), .string("a\u{0}b"),
        ]
        for field in call.fields.keys {
            for value in wrong + [nil] {
                // A token and an address may be null; a score may be an integer.
                if ["liveActivityToken", "address"].contains(field), value == .null { continue }
                if field == "showsPreviews", value == .bool(true) { continue }
                if field == "score", value == .integer(5) { continue }
                var fields = call.fields
                fields[field] = value
                let reply = try await pager.call(call.method, call.path(Self.id), token: ada.token, body: WireJSON.encode(fields))
                expectRefusal(reply, 400...400, "\(field): \(String(describing: value))")
            }
        }
    }

    @Test func nullCharactersAreRefusedByTheirField() async throws {
        func put(_ path: String, _ json: String, _ method: HTTPRequest.Method = .put) async throws -> Pager.Reply {
            try await pager.call(method, path, token: ada.token, body: Data(json.utf8))
        }
        expect(try await put("/api/users/display-name", #"{"displayName":"a\u0000b"}"#), 400, .invalidDisplayName)
        expect(try await put("/api/friends/request", #"{"toHexCode":"ABCD\u0000123"}"#, .post), 400, .invalidHexCode)
        expect(
            try await put("/api/messages", #"{"recipientId":"x","text":"a\u0000b"}"#, .post), 400, .invalidInput,
            "text must not contain null characters")
    }

    @Test func aSubprotocolTokenIsOnlyForSockets() async throws {
        let request = try await pager.call(.get, "/api/users/me", headers: [.webSocketProtocol: "bearer.\(ada.token)"])
        expect(request, 401, .unauthorized)
    }

    @Test(arguments: bodies) func unknownFieldsAreIgnored(_ call: Call) async throws {
        let fields = call.fields.merging(["unknown": .object(["x": .array([])])]) { $1 }
        let path = call.path(Self.id)
        let with = try await pager.call(call.method, path, token: ada.token, body: WireJSON.encode(fields))
        let without = try await pager.call(call.method, path, token: ada.token, body: WireJSON.encode(call.fields))
        #expect(with.status == without.status)
    }

    @Test func registrationIsCheckedToo() async throws {
        for (name, bytes) in Self.malformed {
            expectRefusal(
                try await pager.call(.post, PagerEndpoints.register.path, body: Data(bytes)),
                name == "oversized" ? 413...413 : 400...400, name)
        }
        for value in [#""""#, #""  ""#, "5", "null", "true", "[]", #""a\u0000b""#, "\"\(String(repeating: "x", count: 513))\""] {
            let reply = try await pager.call(.post, PagerEndpoints.register.path, body: Data("{\"deviceToken\":\(value)}".utf8))
            expect(reply, 400, .invalidInput)
        }
        expect(try await pager.call(.post, PagerEndpoints.register.path, body: Data("{}".utf8)), 400, .invalidInput)
    }

    @Test(arguments: [#""""#, "5", "true", "[]", "\"\(String(repeating: "x", count: 65))\""]) func clientIDsAreChecked(
        _ value: String
    ) async throws {
        let (a, b) = try await pager.friends()
        let body = Data(#"{"recipientId":"\#(b.id)","text":"x","clientId":\#(value)}"#.utf8)
        expect(try await pager.call(.post, "/api/messages", token: a.token, body: body), 400, .invalidInput)
        #expect(try await pager.history(of: b, with: a).isEmpty)
    }

    // MARK: Tokens

    @Test(arguments: bodies + noBodies + [Call(PagerEndpoints.removePushDevice)]) func everyCallNeedsAToken(_ call: Call)
        async throws
    {
        let path = call.path(ada.id.rawValue)
        // The token is checked before the body: a bad body makes no difference.
        for body in [Data(), Data("x".utf8), try WireJSON.encode(call.fields)] {
            expect(try await pager.call(call.method, path, body: body), 401, .unauthorized, "No token provided")
            let bad = try await pager.call(call.method, path, token: "abc", body: body)
            expect(bad, 401, .invalidToken, "Invalid or expired token")
            #expect(bad.headers[.wwwAuthenticate] == "Bearer")
        }
    }

    @Test(arguments: noBodies + bodies + [Call(PagerEndpoints.removePushDevice)]) func everyKindOfBadTokenIsRefused(_ call: Call)
        async throws
    {
        let path = call.path(ada.id.rawValue)
        let parts = ada.token.split(separator: ".").map(String.init)
        let none = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        // The original service's tokens: the claims in base64, not signed at all.
        let unsigned = Data(#"{"userId":"\#(ada.id)","hexCode":"\#(ada.hexCode)"}"#.utf8).base64EncodedString()
        for token in [
            "a.b.c", "..", parts[0] + "." + parts[1], "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).AAAA", unsigned, ada.token + "x", String(repeating: "x", count: 20_000),
        ] {
            expect(try await pager.call(call.method, path, token: token), 401, .invalidToken)
        }
        pager.advance(.seconds(8 * 86_400))
        expect(try await pager.call(call.method, path, token: ada.token), 401, .invalidToken)
    }

    @Test func otherAuthorizationSchemesAreIgnored() async throws {
        for path in ["/api/friends", "/api/live"] {
            let reply = try await pager.call(.get, path)
            expect(reply, 401, .unauthorized)
        }
    }

    // MARK: Paths

    @Test(arguments: [
        "/", "/api", "/api/", "/api/friends/x/y/z", "/API/friends", "/api/users/me/", "/%00", "//", "/api/../health",
        "/api/messages",
    ])
    func unknownPathsAre404(_ path: String) async throws {
        // The last one exists for another method only; a path that ends in a slash is the same path.
        let reply = try await pager.call(.get, path, token: ada.token)
        if path == "/api/users/me/" {
            #expect(reply.status == 200)
        } else {
            expect(reply, 404, .notFound, "Endpoint not found")
        }
    }

    @Test(
        arguments: noBodies.filter { $0.path.contains(":") },
        ["%ff%fe", "%", "%00", "a%2fb", "x'; DROP TABLE users", String(repeating: "x", count: 5000)])
    func strangeParametersAreRefused(_ call: Call, _ parameter: String) async throws {
        let reply = try await pager.call(
            call.method, call.path(parameter.replacingOccurrences(of: " ", with: "%20")), token: ada.token)
        expectRefusal(reply, 400...404, parameter)
    }

    // MARK: Others' ids

    @Test func anothersIdsOpenNothing() async throws {
        let (bob, cem) = try await pager.friends()
        let asked = try await pager.person()
        let request = try await pager.call(
            PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: asked.hexCode.rawValue), by: bob
        )
        .data(FriendRequest.self)
        try await pager.send("secret", from: bob, to: cem)

        for id in [bob.id.rawValue, cem.id.rawValue, request.id.rawValue] {
            for call in Self.noBodies where call.path.contains(":") {
                let reply = try await pager.call(call.method, call.path(id), token: ada.token)
                expectRefusal(reply, 400...404, "\(call.path) with \(id)")
                #expect(!reply.text.contains("secret"))
            }
        }
        expect(try await pager.send("x", from: ada, to: cem), 403, .notFriends)
        #expect(try await pager.history(of: cem, with: bob).count == 1)
        #expect(
            try await pager.call(PagerEndpoints.pendingRequests, by: asked).data(PendingFriendRequests.self).requests.count == 1)
    }
}
