import Foundation
import HTTPTypes
import Hummingbird
import TestKit
import Testing

@testable import ServerKit

/// Requests from pages of other origins, to a server of several services.
@Suite struct ForeignOriginTests {
    /// A service that allows every origin when it is served alone.
    private var service: ServiceParts {
        let router = Router(context: ServerContext.self)
        router.add(middleware: OpenCORS(methods: [.get, .post], headers: [.contentType]))
        router.get("/notes") { _, _ in "notes" }
        router.post("/notes") { _, _ in "noted" }
        router.webSocket("/socket") { _, _ in WebSocketUpgrade { try await $0.send("hello") } }
        return ServiceParts(name: "sample", responder: router.buildResponder())
    }

    private func serve(
        isAlone: Bool = false, allowing origins: String..., body: @escaping @Sendable (ServerUnderTest) async throws -> Void
    ) async throws {
        var configuration = WebServer.Configuration()
        configuration.allowedOrigins = Set(try origins.map { try #require(WebOrigin($0)) })
        configuration.names = ["box.example"]
        try await ServerUnderTest.run([service], isAlone: isAlone, configuration: configuration, body)
    }

    private static let foreign = [
        "https://evil.example", "null", "", "http://localhost:1", "https://app.example:444", "http://app.example",
        "https://app.example.evil.example", "https://app.example, https://evil.example",
    ]

    @Test(arguments: foreign) func foreignOriginsAreRefused(_ origin: String) async throws {
        try await serve(allowing: "https://app.example") { server async throws in
            let headers = ["Origin": origin, "Content-Type": "text/plain"]
            for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
                let reply = try await server.http.send(method, "/sample/notes", headers: headers, body: Data())
                #expect(reply.status == 403 && reply.text.contains("--allow-origin"), "\(method)")
                #expect(!reply.headers.keys.contains { $0.hasPrefix("access-control-") }, "\(method)")
            }
            // Answered, but without CORS headers the browser withholds the reply from the page.
            let read = try await server.http.send("GET", "/sample/notes", headers: headers)
            #expect(read.status == 200 && read.headers["vary"] == "Origin")
            #expect(!read.headers.keys.contains { $0.hasPrefix("access-control-") })
            // The probe sends no empty header with an upgrade.
            guard !origin.isEmpty else { return }
            let refused = await #expect(throws: WebSocketProbe.Refused.self) {
                try await WebSocketProbe.open(port: server.port, "/sample/socket", headers: headers) { _ in }
            }
            #expect(refused?.reply.status == 403)
        }
    }

    @Test func ownAndAllowedOriginsAndProgramsAreAccepted() async throws {
        try await serve(allowing: "https://app.example", "http://other.example:8080") { server async throws in
            for origin in [
                "http://127.0.0.1:\(server.port)", "https://app.example", "HTTPS://APP.example:443", "http://other.example:8080",
                nil,
            ] {
                let headers = origin.map { ["Origin": $0] } ?? [:]
                #expect(try await server.http.send("POST", "/sample/notes", headers: headers, body: Data()).text == "noted")
                let preflight = try await server.http.send("OPTIONS", "/sample/notes", headers: headers)
                #expect(preflight.status == 204 && preflight.headers["access-control-allow-origin"] == "*")
                try await WebSocketProbe.open(port: server.port, "/sample/socket", headers: headers) { socket async throws in
                    #expect(try await socket.receive().text == "hello")
                }
            }
            // The origin behind a TLS proxy, which may report the scheme of a socket, or none.
            let http = HTTPProbe(port: server.port, authority: "box.example")
            for (header, value) in [("X-Forwarded-Proto", "https"), ("X-Forwarded-Proto", "wss"), ("Via", "1.1 proxy")] {
                let own = ["Origin": "https://box.example", header: value]
                #expect(try await http.send("POST", "/sample/notes", headers: own, body: Data()).status == 200, "\(value)")
            }
        }
    }

    /// A page of the same host and port without TLS may be an attacker's on the network.
    @Test func ownHostOfAnotherSchemeIsForeign() async throws {
        try await serve { server async throws in
            let http = HTTPProbe(port: server.port, authority: "box.example")
            for headers in [["Origin": "https://box.example"], ["Origin": "http://box.example", "X-Forwarded-Proto": "https"]] {
                #expect(try await http.send("POST", "/sample/notes", headers: headers, body: Data()).status == 403)
            }
        }
    }

    /// The relay's contract has no CORS, so the server adds the headers.
    @Test func allowedPageMayUseAServiceWithoutCORS() async throws {
        let router = Router(context: ServerContext.self)
        router.post("/notes") { _, _ in Response(status: .ok, headers: [.vary: "Accept-Language"]) }
        var configuration = WebServer.Configuration()
        configuration.allowedOrigins = [try #require(WebOrigin("https://app.example"))]
        let service = ServiceParts(name: "plain", responder: router.buildResponder())
        try await ServerUnderTest.run([service], isAlone: false, configuration: configuration) { server async throws in
            let origin = "https://app.example"
            let preflight = try await server.http.send(
                "OPTIONS", "/plain/notes",
                headers: [
                    "Origin": origin, "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "authorization,content-type",
                ])
            #expect(preflight.status == 204)
            #expect(preflight.headers["access-control-allow-origin"] == origin)
            #expect(preflight.headers["access-control-allow-methods"]?.contains("DELETE") == true)
            #expect(preflight.headers["access-control-allow-headers"]?.lowercased() == "authorization, content-type")
            #expect(preflight.headers["vary"] == "Origin")
            let reply = try await server.http.send("POST", "/plain/notes", headers: ["Origin": origin], body: Data())
            #expect(reply.status == 200 && reply.headers["access-control-allow-origin"] == origin)
            #expect(reply.headers["vary"] == "Accept-Language, Origin")
            #expect(reply.headers["access-control-expose-headers"]?.contains("Date") == true)
            let missing = try await server.http.send("GET", "/plain/nowhere", headers: ["Origin": origin])
            #expect(missing.status == 404 && missing.headers["access-control-allow-origin"] == origin)
            // A request without an origin gets no CORS headers.
            let program = try await server.http.send("POST", "/plain/notes", body: Data())
            #expect(program.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test(arguments: foreign) func singleServiceKeepsItsCORSContract(_ origin: String) async throws {
        try await serve(isAlone: true) { server async throws in
            let headers = ["Origin": origin]
            #expect(try await server.http.send("POST", "/notes", headers: headers, body: Data()).text == "noted")
            let preflight = try await server.http.send("OPTIONS", "/notes", headers: headers)
            #expect(preflight.status == 204 && preflight.headers["access-control-allow-origin"] == "*")
        }
    }

    @Test(arguments: [
        "", "null", "app.example", "https://", "https://app.example/", "https://app.example/path", "ftp://app.example",
        "https://u@app.example", "https://app.example:x",
    ])
    func invalidOriginsAreRefused(_ text: String) { #expect(WebOrigin(text) == nil) }
}
