import Foundation
import Pager2077Wire
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// The same routes as a client meets them: bytes on a port.
@Suite struct OverThePortTests {
    let pager: Pager

    init() async throws { pager = try await Pager() }

    @Test(arguments: ["", "/pager2077"]) func registrationWorksAloneAndBelowAPrefix(_ prefix: String) async throws {
        try await ServerUnderTest.run([pager.parts], isAlone: prefix.isEmpty) { server async throws in
            let reply = try await server.http.send("POST", "\(prefix)/api/users/register", body: Data(#"{"deviceToken":"t"}"#.utf8))
            #expect(reply.status == 201)
            #expect(reply.headers["content-type"] == "application/json; charset=utf-8")
            let registered = try WireJSON.decode(Success<Registered>.self, from: reply.body).data
            let me = try await server.http.send(
                "GET", "\(prefix)/api/users/me", headers: ["authorization": "bearer  \(registered.token)"])
            #expect(me.status == 200)
            #expect(try await server.http.send("GET", "\(prefix)/health").text == #"{"status":"ok"}"#)
        }
    }

    @Test func anyOriginMayCall() async throws {
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            let preflight = try await server.http.send(
                "OPTIONS", "/api/friends", headers: ["Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"])
            #expect(preflight.status == 204)
            #expect(preflight.headers["access-control-allow-origin"] == "*")
            #expect(preflight.headers["access-control-allow-methods"] == "GET, POST, PUT, DELETE, OPTIONS")
            #expect(preflight.headers["access-control-allow-headers"]?.lowercased() == "content-type, authorization")
            let refused = try await server.http.send("GET", "/api/friends", headers: ["Origin": "https://elsewhere.example"])
            #expect(refused.status == 401)
            #expect(refused.headers["access-control-allow-origin"] == "*")
        }
    }

    @Test func anOversizedBodyIsRefusedWithoutBeingRead() async throws {
        let ada = try await pager.person()
        try await ServerUnderTest.run([pager.parts]) { server async throws in
            let reply = try await RawConnection.open(port: server.port) { connection in
                try await connection.send(
                    "PUT /api/users/display-name HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(ada.token)\r\nContent-Length: 10000000000\r\n\r\n{"
                )
                return try await HTTPProbe.reply(on: connection)
            }
            #expect(reply.status == 413)
            #expect(try WireJSON.decode(Failure.self, from: reply.body).error.code == "PAYLOAD_TOO_LARGE")
        }
    }
}
