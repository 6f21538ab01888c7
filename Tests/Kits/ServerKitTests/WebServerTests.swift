import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TestKit
import Testing

@testable import ServerKit

/// A service for these tests, mounted below any prefix.
func sampleService(_ name: String = "sample", add: (Router<ServerContext>) -> Void = { _ in }) -> ServiceParts {
    let router = Router(context: ServerContext.self)
    router.get("/hello/:name") { _, context in "hello \(context.parameters.get("name") ?? "")" }
    router.post("/echo") { request, _ in
        try await SampleText(bodyOf: request, limit: 1000).text
    }
    router.get("/fail") { _, _ -> String in throw Unforeseen(secret: "hush") }
    add(router)
    return ServiceParts(name: name, responder: router.buildResponder())
}

struct Unforeseen: Error {
    var secret: String
}

@Suite struct WebServerTests {
    @Test func eachServiceIsMountedBelowItsName() async throws {
        try await ServerUnderTest.run([sampleService("one"), sampleService("two")], isAlone: false) { server async throws in
            #expect(try await server.http.send("GET", "/one/hello/a").text == "hello a")
            #expect(try await server.http.send("GET", "/two/hello/b?x=/one/").text == "hello b")
            #expect(try await server.http.send("GET", "/hello/a").status == 404)
            #expect(try await server.http.send("GET", "/onehello/a").status == 404)
            #expect(try await server.http.send("GET", "/").status == 404)
            #expect(try await server.http.send("GET", "/one").status == 404)
        }
    }

    @Test func singleServiceIsMountedAtTheRoot() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            #expect(try await server.http.send("GET", "/hello/a").text == "hello a")
        }
    }

    @Test func serverAnswersHealthAndMetricsItself() async throws {
        try await ServerUnderTest.run([sampleService()], isAlone: false) { server async throws in
            #expect(try await server.http.send("GET", "/health").text == #"{"status":"ok"}"#)
            _ = try await server.http.send("GET", "/sample/hello/a")
            let metrics = try await server.http.send("GET", "/metrics")
            #expect(metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(metrics.text.contains(#"http_requests_total{service="sample",method="GET",status="200"} 1"#))
        }
    }

    /// At the root, and below each service: an app knows the address of its service only.
    @Test(arguments: [(false, ["/privacy", "/privacy?language=ko", "/one/privacy", "/two/privacy"]), (true, ["/privacy"])])
    func privacyPolicyIsServed(_ isAlone: Bool, _ paths: [String]) async throws {
        let services = isAlone ? [sampleService("one")] : [sampleService("one"), sampleService("two")]
        let responder = BoxResponder(
            services: services, isAlone: isAlone, front: nil, privacy: { _ in .text("policy") }, hostCheck: HostCheck(names: []),
            metrics: MetricsRegistry(), logger: .quiet)
        func get(_ path: String, _ method: HTTPRequest.Method = .get) async -> Response {
            let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
            return await responder.respond(to: Request(head: head, body: .init(buffer: ByteBuffer())), from: "local", slot: nil)
        }
        for path in paths {
            let reply = await get(path)
            #expect(reply.status == .ok && reply.body.contentLength == 6, "\(path)")
        }
        for path in ["/three/privacy", "/privacy/x", "/one/x/privacy", isAlone ? "/one/privacy" : "/privacyx"] {
            #expect(await get(path).status == .notFound, "\(path)")
        }
        #expect(await get("/privacy", .post).status != .ok)
    }

    @Test func everyReplyHasIDDateAndNosniff() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            let first = try await server.http.send("GET", "/hello/a")
            let second = try await server.http.send("GET", "/nothing")
            #expect(first.headers["x-request-id"]?.isEmpty == false)
            #expect(first.headers["x-request-id"] != second.headers["x-request-id"])
            #expect(second.headers["x-content-type-options"] == "nosniff")
            #expect(first.headers["date"]?.hasSuffix(" GMT") == true)
        }
    }

    /// The sample of RFC 9110, section 5.6.7.
    @Test func datesHaveTheHTTPFormat() {
        #expect(HTTPDate.format(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func unexpectedErrorIsABare500() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            let reply = try await server.http.send("GET", "/fail")
            #expect(reply.status == 500)
            #expect(!reply.text.contains("hush") && !reply.text.contains("Unforeseen"))
        }
    }

    @Test func foreignHostNamesAreRefusedWithAHint() async throws {
        var configuration = WebServer.Configuration()
        configuration.names = ["pager.example"]
        try await ServerUnderTest.run([sampleService()], configuration: configuration) { server async throws in
            func status(_ authority: String) async throws -> Int {
                try await HTTPProbe(port: server.port, authority: authority).send("GET", "/hello/a").status
            }
            #expect(try await status("evil.example") == 421)
            #expect(try await status("pager.example") == 200)
            #expect(try await status("localhost:\(server.port)") == 200)
            let refused = try await HTTPProbe(port: server.port, authority: "evil.example").send("GET", "/hello/a")
            #expect(refused.text.contains("evil.example") && refused.text.contains("--allow-host"))
        }
    }

    @Test func bothLoopbackAddressesAnswerOnOnePort() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            #expect(try await HTTPProbe(port: server.port, host: "127.0.0.1").send("GET", "/hello/a").status == 200)
            let six = HTTPProbe(port: server.port, host: "::1", authority: "[::1]:\(server.port)")
            #expect(try await six.send("GET", "/hello/a").status == 200)
        }
    }

    /// The first address is free; its running listener must not prevent the error from being reported.
    @Test func portInUseOnTheSecondAddressIsReported() async throws {
        var onlySix = WebServer.Configuration()
        onlySix.host = "::1"
        try await ServerUnderTest.run([sampleService()], configuration: onlySix) { server async throws in
            var configuration = WebServer.Configuration()
            configuration.port = server.port
            let second = WebServer(configuration: configuration, services: [], logger: .quiet)
            let error = await #expect(throws: StartupError.self) { try await within { try await second.run() } }
            #expect(
                error?.description
                    == "Cannot listen on localhost port \(server.port): the port is in use; choose another with --port")
            // The first address is free again.
            var onlyFour = WebServer.Configuration()
            (onlyFour.host, onlyFour.port) = ("127.0.0.1", server.port)
            try await ServerUnderTest.run([sampleService()], configuration: onlyFour) { _ in }
        }
    }

    @Test func headIsGetWithoutTheBody() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send("HEAD /hello/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                // All bytes of the connection: a client that knows HEAD would not read a body.
                let bytes = String(decoding: try await connection.readToEnd(), as: UTF8.self)
                #expect(bytes.hasPrefix("HTTP/1.1 200 "))
                #expect(bytes.lowercased().contains("\r\ncontent-length: 7\r\n"))
                #expect(bytes.hasSuffix("\r\n\r\n") && bytes.components(separatedBy: "\r\n\r\n").count == 2)
            }
        }
    }

    @Test func replyToHeadIsFollowedByTheNextReply() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send("HEAD /hello/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                _ = try await connection.read(through: "\r\n\r\n")
                try await connection.send("GET /hello/b HTTP/1.1\r\nHost: localhost\r\n\r\n")
                // A body of the first reply would stand before the second one.
                let head = String(decoding: try await connection.read(through: "\r\n\r\n"), as: UTF8.self)
                #expect(head.hasPrefix("HTTP/1.1 200 "))
            }
        }
    }

    @Test func expectContinueIsAnswered() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(
                    "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 12\r\n\r\n")
                let go = String(decoding: try await connection.read(through: "\r\n\r\n"), as: UTF8.self)
                #expect(go.hasPrefix("HTTP/1.1 100"))
                try await connection.send(#"{"text":"x"}"#)
                #expect(try await HTTPProbe.reply(on: connection).text == "x")
            }
        }
    }

    @Test func portInUseIsReported() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            var configuration = WebServer.Configuration()
            configuration.port = server.port
            let second = WebServer(configuration: configuration, services: [], logger: .quiet)
            let error = await #expect(throws: StartupError.self) { try await second.run() }
            #expect(
                error?.description
                    == "Cannot listen on localhost port \(server.port): the port is in use; choose another with --port")
        }
    }

    @Test func unknownAddressIsReported() async throws {
        var configuration = WebServer.Configuration()
        configuration.host = "no.such.name.invalid"
        let server = WebServer(configuration: configuration, services: [], logger: .quiet)
        let error = await #expect(throws: StartupError.self) { try await server.run() }
        #expect(error?.description.contains("no.such.name.invalid") == true)
    }

    @Test func bodiesAreBoundedWhateverTheirContentLength() async throws {
        let router = { (router: Router<ServerContext>) in
            _ = router.post("/size") { request, _ -> String in
                do {
                    _ = try await SampleText(bodyOf: request, limit: 1000)
                    return "read"
                } catch BodyError.tooLarge(let limit) {
                    throw HTTPError(.contentTooLarge, message: "\(limit)")
                }
            }
        }
        try await ServerUnderTest.run([sampleService(add: router)]) { server async throws in
            let big = Data(#"{"a":"\#(String(repeating: "x", count: 2000))"}"#.utf8)
            #expect(try await server.http.send("POST", "/size", body: big).status == 413)
            #expect(try await server.http.send("POST", "/size", body: Data(#"{"text":""}"#.utf8)).text == "read")
            let chunked = try await RawConnection.open(port: server.port) { connection in
                try await connection.send("POST /size HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<20 { try await connection.send("64\r\n\(String(repeating: "x", count: 100))\r\n") }
                try await connection.send("0\r\n\r\n")
                return try await HTTPProbe.reply(on: connection)
            }
            #expect(chunked.status == 413)
        }
    }

    @Test func connectionServesSequentialAndPipelinedRequests() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            try await RawConnection.open(port: server.port) { connection in
                let request = { (name: String) in "GET /hello/\(name) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
                for name in ["a", "b"] {
                    try await connection.send(request(name))
                    #expect(try await HTTPProbe.reply(on: connection).text == "hello \(name)")
                }
                try await connection.send(request("c") + request("d"))
                #expect(try await HTTPProbe.reply(on: connection).text == "hello c")
                #expect(try await HTTPProbe.reply(on: connection).text == "hello d")
            }
        }
    }

    static let brokenRequests = [
        "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n",
        "GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    ]

    @Test(arguments: brokenRequests.indices)
    func brokenRequestsEndOnlyTheirConnection(_ index: Int) async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            let answer = try await RawConnection.open(port: server.port) { connection in
                try await connection.send(Self.brokenRequests[index])
                connection.finishSending()
                return try await connection.readToEnd()
            }
            let text = String(decoding: answer, as: UTF8.self)
            #expect(answer.isEmpty || text.hasPrefix("HTTP/1.1 4"), "\(text.prefix(200))")
            #expect(try await server.http.send("GET", "/hello/a").status == 200)
        }
    }

    @Test(arguments: [("", ""), ("GET / HTTP/1.1\r\nHos", ""), ("GET /hello/a HTTP/1.1\r\nHost: localhost\r\n\r\n", "hello a")])
    func silentConnectionIsClosed(_ sent: String, _ received: String) async throws {
        // Retry with a longer timeout when the machine is too busy.
        var reply = ""
        for timeout in [1, 4, 16, 64] {
            var configuration = WebServer.Configuration()
            configuration.idleTimeout = .seconds(timeout)
            reply = try await ServerUnderTest.run([sampleService()], configuration: configuration) { server async throws in
                try await RawConnection.open(port: server.port) { connection in
                    // The connection may already be closed.
                    try? await connection.send(sent)
                    return String(decoding: try await connection.readToEnd(), as: UTF8.self)
                }
            }
            if reply.hasSuffix(received), reply.isEmpty == received.isEmpty { return }
        }
        Issue.record("\(reply)")
    }

    @Test func connectionsBeyondTheLimitWait() async throws {
        var configuration = WebServer.Configuration()
        configuration.maximumConnections = 1
        try await ServerUnderTest.run([sampleService()], configuration: configuration) { server async throws in
            let request = "GET /hello/a HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await RawConnection.open(port: server.port) { first in
                try await first.send(request)
                _ = try await HTTPProbe.reply(on: first)
                // The kernel accepts the connection, but the server does not answer.
                await #expect(throws: TimedOut.self) {
                    try await RawConnection.open(port: server.port, limit: .milliseconds(300)) { second in
                        try await second.send(request)
                        _ = try await HTTPProbe.reply(on: second)
                    }
                }
            }
            #expect(try await server.http.send("GET", "/hello/a").status == 200)
        }
    }

    @Test(arguments: [
        "GET /hello/a HTTP/1.1\r\nHost: localhost\r\nConnection: Close, TE\r\n\r\n",
        "GET /hello/a HTTP/1.0\r\nHost: localhost\r\n\r\n",
        "CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /hello/a HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    ])
    func connectionClosesAfterItsLastRequest(_ last: String) async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            for before in ["", "GET /hello/b HTTP/1.1\r\nHost: localhost\r\n\r\n"] {
                try await RawConnection.open(port: server.port) { connection in
                    if !before.isEmpty {
                        try await connection.send(before)
                        #expect(try await HTTPProbe.reply(on: connection).text == "hello b")
                    }
                    try await connection.send(last)
                    let reply = try await HTTPProbe.reply(on: connection)
                    #expect(reply.headers["connection"] == "close")
                    #expect(try await connection.readToEnd().isEmpty)
                }
            }
        }
    }

    /// The parser stops after such a request; without a bound, all later bytes would be buffered.
    @Test(arguments: [
        "GET /hello/a HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
        "CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ])
    func bytesAfterTheLastRequestAreNotBuffered(_ last: String) async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            try await RawConnection.open(port: server.port) { connection in
                try await connection.send(last)
                let flood = [UInt8](repeating: 120, count: 65_536)
                // More than a gigabyte, far beyond any buffer: the connection must have been closed.
                await #expect(throws: (any Error).self) {
                    for _ in 0..<20_000 { try await connection.send(flood) }
                }
            }
            #expect(try await server.http.send("GET", "/hello/a").status == 200)
        }
    }

    @Test func repeatedHostHeaderIsRefused() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            let reply = try await RawConnection.open(port: server.port) { connection in
                try await connection.send("GET /hello/a HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
                return try await HTTPProbe.reply(on: connection)
            }
            #expect(reply.status == 400)
        }
    }

    /// A proxy that ignores or decodes the coding would see another body.
    @Test(arguments: [
        "gzip, chunked", "chunked, chunked", "identity", "chunked\r\nTransfer-Encoding: chunked",
        "gzip\r\nTransfer-Encoding: chunked", "",
    ])
    func codingsOtherThanChunkedAreRefused(_ codings: String) async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            let text = try await RawConnection.open(port: server.port) { connection in
                try await connection.send(
                    "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: \(codings)\r\n\r\n"
                        + "c\r\n{\"text\":\"x\"}\r\n0\r\n\r\nGET /hello/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return String(decoding: try await connection.readToEnd(), as: UTF8.self)
            }
            #expect(text.hasPrefix("HTTP/1.1 400 ") && !text.contains("hello"), "\(text)")
        }
    }

    @Test(arguments: ["chunked", "Chunked"]) func chunkedBodiesAreAccepted(_ coding: String) async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            let reply = try await RawConnection.open(port: server.port) { connection in
                try await connection.send(
                    "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: \(coding)\r\n\r\nc\r\n{\"text\":\"x\"}\r\n0\r\n\r\n"
                )
                return try await HTTPProbe.reply(on: connection)
            }
            #expect(reply.text == "x")
        }
    }

    /// A proxy may route by the target while the host check uses `Host`.
    @Test(arguments: [
        ("http://localhost/hello/a", "localhost", 200), ("HTTP://LocalHost:80/hello/a?x=http://y", "localhost", 200),
        ("https://localhost/hello/a", "localhost:443", 200), ("/hello/a?x=http://evil.example/", "localhost", 200),
        ("http://localhost", "localhost", 404), ("http://localhost?x", "localhost", 404),
        ("http://evil.example/hello/a", "localhost", 400), ("http://localhost/hello/a", "evil.example", 400),
        ("http://localhost:1/hello/a", "localhost", 400), ("http://localhost@evil.example/hello/a", "localhost", 400),
        ("http://evil.example@localhost/hello/a", "localhost", 400), ("ftp://localhost/hello/a", "localhost", 400),
        ("http:///hello/a", "localhost", 400), ("http://evil.example/hello/a", "evil.example", 421),
    ])
    func absoluteTargetMustMatchHost(_ target: String, _ host: String, _ status: Int) async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            let reply = try await RawConnection.open(port: server.port) { connection in
                try await connection.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                return try await HTTPProbe.reply(on: connection)
            }
            #expect(reply.status == status)
            if status == 200 { #expect(reply.text == "hello a") }
        }
    }

    /// A proxy that ends the first request by the rules of HTTP/1.0 would attribute the second one to the next client.
    @Test func chunkedHTTP10RequestsAreRefused() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            let text = try await RawConnection.open(port: server.port) { connection in
                try await connection.send(
                    "POST /echo HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "0\r\n\r\nGET /hello/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return String(decoding: try await connection.readToEnd(), as: UTF8.self)
            }
            #expect(text.hasPrefix("HTTP/1.1 400 ") && !text.contains("hello"))
        }
    }

    /// The failure is not logged as an error of the server either.
    @Test func malformedBodyIsA400() async throws {
        let service = sampleService { router in
            router.post("/size") { request, _ in "\(try await request.body.collect(upTo: 1000).readableBytes)" }
        }
        try await ServerUnderTest.run([service]) { server async throws in
            let reply = try await RawConnection.open(port: server.port) { connection in
                try await connection.send("POST /size HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
                return try await HTTPProbe.reply(on: connection)
            }
            #expect(reply.status == 400)
        }
    }

    @Test func networkGetsAtMostHalfOfTheConnections() async throws {
        var configuration = WebServer.Configuration()
        configuration.maximumConnections = 4
        configuration.isShared = { _ in false }
        try await ServerUnderTest.run([sampleService()], configuration: configuration) { server async throws in
            let request = "GET /hello/a HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await RawConnection.open(port: server.port) { first in
                try await RawConnection.open(port: server.port) { second in
                    for connection in [first, second] {
                        try await connection.send(request)
                        #expect(try await HTTPProbe.reply(on: connection).text == "hello a")
                    }
                    try await RawConnection.open(port: server.port) { third in
                        // The connection may be closed before the request is written.
                        try? await third.send(request)
                        #expect((try? await third.readToEnd())?.isEmpty ?? true)
                    }
                }
            }
            // Ended connections release their quota.
            try await eventually { (try? await server.http.send("GET", "/hello/a").status) == 200 }
        }
    }

    @Test func connectionQuotaIsPerNetwork() {
        let quota = ConnectionQuota(limit: 2)
        #expect(quota.acquire("a") && quota.acquire("a") && !quota.acquire("a") && quota.acquire("b"))
        quota.release("a")
        #expect(quota.acquire("a") && !quota.acquire("a"))
    }

    @Test func slowBodyTimesOut() async throws {
        var configuration = WebServer.Configuration()
        configuration.idleTimeout = .seconds(2)
        try await ServerUnderTest.run([sampleService()], configuration: configuration) { server async throws in
            try await RawConnection.open(port: server.port) { connection in
                _ = await #expect(throws: (any Error).self) {
                    try await connection.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n")
                    for _ in 0..<60 {
                        try await connection.send(" ")
                        try await Task.sleep(for: .milliseconds(200))
                    }
                }
            }
        }
    }

    @Test func openConnectionsDoNotDelayShutdown() async throws {
        try await ServerUnderTest.run([sampleService()]) { server async throws in
            try await RawConnection.open(port: server.port) { silent in
                try await RawConnection.open(port: server.port) { idle in
                    try await idle.send("GET /hello/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    _ = try await HTTPProbe.reply(on: idle)
                    await server.shutDown()
                    #expect(try await idle.readToEnd().isEmpty)
                    #expect(try await silent.readToEnd().isEmpty)
                }
            }
        }
    }

    @Test func servesTLS() async throws {
        let folder = try TemporaryFolder()
        let (certificate, key) = (folder.file("cert.pem"), folder.file("key.pem"))
        let made = try await Program.tool(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
            ])
        #expect(made.status == 0, "\(made.errors)")
        var configuration = WebServer.Configuration()
        configuration.tls = (certificate, key)
        let service = sampleService { router in
            router.get("/scheme") { request, _ in request.head.scheme ?? "none" }
        }
        try await ServerUnderTest.run([service], configuration: configuration) { server async throws in
            func get(_ path: String) async throws -> String {
                let url = "https://localhost:\(server.port)\(path)"
                return try await Program.tool("/usr/bin/curl", ["-s", "--cacert", certificate, url]).output
            }
            #expect(try await get("/hello/tls") == "hello tls\n")
            // The `Secure` attribute of cookies depends on the scheme.
            #expect(try await get("/scheme") == "https\n")
            // Insecure versions are refused, whatever the client allows.
            for (version, isSpoken) in [("-tls1", false), ("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)] {
                let ending = try await Program.tool(
                    "/usr/bin/openssl",
                    [
                        "s_client", "-connect", "localhost:\(server.port)", version, "-cipher", "ALL:@SECLEVEL=0", "-CAfile",
                        certificate,
                    ])
                #expect((ending.status == 0) == isSpoken, "\(version): \(ending.errors)")
            }
        }
    }

    @Test func unreadableCertificateIsReported() async throws {
        var configuration = WebServer.Configuration()
        configuration.tls = ("/no/such/cert.pem", "/no/such/key.pem")
        let server = WebServer(configuration: configuration, services: [], logger: .quiet)
        let error = await #expect(throws: StartupError.self) { try await server.run() }
        #expect(error?.description.contains("/no/such/cert.pem") == true)
    }
}
