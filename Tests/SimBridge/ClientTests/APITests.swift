import Foundation
import HTTPTypes
import NetworkingKit
import SimBridgeCalls
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeClient

/// The requests of the API client, and the results of the replies.
@MainActor
@Suite struct APITests {
    private func api(_ box: RelayBox) -> RelayAPI { RelayAPI(service: box.relay, clock: ContinuousClock()) }

    private func sent(_ box: RelayBox) throws -> JSONValue { try WireJSON.decode(from: try #require(box.network.bodies.last)) }

    @Test func loginSendsCredentialsAndReadsTheToken() async throws {
        let box = try await RelayBox()
        let credentials = Credentials(username: "ada", password: "secret")
        _ = try await api(box).register(credentials)
        let reply = try await api(box).login(credentials)
        #expect(reply.token.split(separator: ".").count == 3)
        #expect(try sent(box) == json(#"{"username":"ada","password":"secret"}"#))
        #expect(box.network.requests.map(\.path) == ["/simbridge/auth/register", "/simbridge/auth/login"])
    }

    @Test func authorisedCallsCarryTheToken() async throws {
        let box = try await RelayBox()
        let token = try await box.token("ada")
        let device = try await api(box).addDevice(.client, named: "Phone B", token: token)
        #expect(try sent(box) == json(#"{"name":"Phone B","type":"client"}"#))
        #expect(device.type == .client)
        // Every call except those that create a token.
        box.network.set { $0.answer = .init(200, "{}") }
        let api = api(box)
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await api.devices(token: token) }, { _ = try await api.addDevice(.client, named: "B", token: token) },
            { _ = try await api.removeDevice(5, token: token) }, { _ = try await api.pairings(token: token) },
            { _ = try await api.confirmPairing(code: "012345", client: 7, token: token) },
            { _ = try await api.changePassword(PasswordChange(password: "a", newPassword: "b"), token: token) },
            {
                _ = try await api.call(
                    SimBridgeEndpoints.sendText, body: TextCommand(toDeviceId: 5, sim: 1, to: "+1", body: "hi"), token: token)
            },
            { _ = try await api.call(CallCommand(toDeviceId: 5, sim: 1, to: "+1"), token: token) },
            { _ = try await api.requestSIMs(of: 5, token: token) }, { _ = try await api.history(of: nil, token: token) },
        ]
        for call in calls { _ = try? await call() }
        #expect(box.network.requests.count == 1 + calls.count)
        #expect(Set(box.network.calls.map { $0.prefix { $0 != "?" } }).count == calls.count, "each endpoint")
        #expect(box.network.requests.allSatisfy { $0.headerFields[.authorization] == "Bearer \(token)" })
        let credentials = Credentials(username: "ada", password: "x")
        _ = try? await api.login(credentials)
        _ = try? await api.register(credentials)
        #expect(box.network.requests.suffix(2).allSatisfy { $0.headerFields[.authorization] == nil })
    }

    @Test func commandsUseTheNamesOfTheContract() async throws {
        let box = try await RelayBox()
        box.network.set { $0.answer = .init(200, #"{"status":"sent","req_id":"r"}"#) }
        let api = api(box)
        _ = try await api.call(
            SimBridgeEndpoints.sendText, body: TextCommand(toDeviceId: 5, sim: 1, to: "+1", body: "hi", reqId: RequestID("r")),
            token: "t")
        #expect(try sent(box) == json(#"{"to_device_id":5,"sim":1,"to":"+1","body":"hi","req_id":"r"}"#))
        _ = try await api.call(CallCommand(toDeviceId: 5, sim: 2, to: "+1"), token: "t")
        #expect(try sent(box) == json(#"{"to_device_id":5,"sim":2,"to":"+1"}"#))
        _ = try await api.requestSIMs(of: 5, token: "t")
        #expect(box.network.requests.last?.path == "/simbridge/sims?host_device_id=5")
        box.network.set { $0.answer = .init(200, #"{"status":"already_paired","pairing_id":3}"#) }
        let paired = try await api.confirmPairing(code: "012345", client: 7, token: "t")
        #expect(try sent(box) == json(#"{"code":"012345","client_device_id":7}"#))
        #expect(paired.hostDeviceId == nil)
    }

    @Test func theHistoryIsRequestedByPageAndDevice() async throws {
        let box = try await RelayBox()
        box.network.set { $0.answer = .init(200, #"{"items":[],"total":0,"offset":0,"limit":50}"#) }
        _ = try await api(box).history(of: nil, token: "t")
        #expect(box.network.requests.last?.path == "/simbridge/history?limit=50&offset=0")
        _ = try await api(box).history(of: 9, offset: 100, token: "t")
        #expect(box.network.requests.last?.path == "/simbridge/history?device_id=9&limit=50&offset=100")
    }

    @Test(arguments: [
        ("/auth/login", 401, #"{"detail":"Invalid credentials"}"#, BridgeProblem.invalidCredentials),
        ("/auth/register", 400, #"{"detail":"Username already taken"}"#, .usernameTaken),
        ("/auth/register", 403, #"{"detail":"Registration is closed"}"#, .registrationClosed),
        ("/auth/password", 403, #"{"detail":"Wrong password"}"#, .wrongPassword),
        ("/call", 400, #"{"detail":"Call deadline has passed"}"#, .tooLate),
        ("/devices", 401, #"{"detail":"Token expired"}"#, .sessionExpired),
        ("/devices", 403, #"{"detail":"Not authenticated"}"#, .sessionExpired),
        ("/pair/confirm", 400, #"{"detail":"Invalid or expired pairing code"}"#, .wrongCode(nil)),
        ("/pair/confirm", 400, #"{"detail":"Invalid or expired pairing code","reason":"used"}"#, .wrongCode(.used)),
        ("/pair/confirm", 400, #"{"detail":"Invalid or expired pairing code","reason":"new"}"#, .wrongCode(nil)),
        (
            "/pair/confirm", 400, #"{"detail":"Too many clients are paired with this host"}"#,
            .relay("Too many clients are paired with this host")
        ),
        ("/pair/confirm", 403, #"{"detail":"Pairing code does not belong to your account"}"#, .foreignCode),
        ("/pair/confirm", 429, #"{"detail":"Too many attempts. Try again later."}"#, .tooManyAttempts(seconds: nil)),
        ("/sms", 403, #"{"detail":"Devices are not paired"}"#, .notPaired),
        (
            "/sms", 422, #"{"detail":[{"loc":["body","to"],"msg":"a","type":"x"},{"loc":["body"],"msg":"b","type":"y"}]}"#,
            .relay("a; b")
        ),
        ("/sms", 502, #"{"detail":"Failed to deliver command to host"}"#, .unavailable("Failed to deliver command to host")),
        ("/sms", 500, #"{"detail":"Internal Server Error"}"#, .fault("Internal Server Error")),
        (
            "/auth/google", 501, #"{"detail":"Google authentication is not configured"}"#,
            .relay("Google authentication is not configured")
        ),
        ("/auth/login", 404, #"{"detail":"Not Found"}"#, .notARelay),
        ("/pair/confirm", 404, #"{"detail":"Client device not found"}"#, .relay("Client device not found")),
        ("/sms", 502, "<h1>Bad gateway</h1>", .notARelay),
    ])
    func refusalsCarryTheirReason(_ path: String, _ status: Int, _ body: String, _ expected: BridgeProblem) {
        let reply = HTTPReply(head: HTTPResponse(status: .init(code: status)), body: Data(body.utf8))
        #expect(BridgeProblem(RelayError(reply, to: path, hasToken: !path.hasPrefix("/auth/"))) == expected)
    }

    @Test func connectionFailuresAreReported() async throws {
        let box = try await RelayBox()
        box.network.cut()
        let credentials = Credentials(username: "a", password: "b")
        await #expect { try await api(box).login(credentials) } throws: { BridgeProblem($0) == .network }
        box.network.mend()
        box.network.set { $0.answer = .init(200, "<html>") }
        await #expect { try await api(box).login(credentials) } throws: { BridgeProblem($0) == .notARelay }
    }

    /// The address of the line, with version 2's cursor.
    @Test(
        arguments: [
            (nil, "a.b-c_d", "token=a.b-c_d&v=2"), (41, "t", "token=t&v=2&after=41"),
            // A foreign relay's token cannot end the query.
            (nil, "a&v=1 #\r\n", "token=a%26v%3D1%20%23%0D%0A&v=2"),
        ] as [(Int64?, String, String)])
    func theLineIsOpenedWithTokenVersionAndCursor(_ cursor: Int64?, _ token: String, _ query: String) async throws {
        let box = try await RelayBox()
        await #expect(throws: (any Error).self) {
            try await api(box).openLine(of: .client, 7, after: cursor, token: token)
        }
        #expect(box.network.opened.map(\.path) == ["/simbridge/ws/client/7?" + query])
    }
}

/// `{"a":1}` and `["a":1]` in the same form, for comparison.
private func json(_ text: String) throws -> JSONValue { try WireJSON.decode(from: Data(text.utf8)) }
