import Foundation
import HTTPTypes
import NIOSSL
import NetworkingKit
import TestKit
import Testing

@testable import NIOTransport

/// The conformance tests of HTTP transports.
@Suite struct HTTPTransportTests {
    @Test(arguments: HTTPTransportKind.allCases) func requestAndReplyArriveUnchanged(_ kind: HTTPTransportKind) async throws {
        try await kind.use { http, base async throws in
            let request = try HTTPRequest(.post, "/echo?a=%20b", below: base, headers: [.contentType: "text/plain"])
            let reply = try await http.send(request, body: .data(Data("häl\0lo".utf8)))
            #expect(reply.head.status == .created)
            #expect(reply.head.headerFields[.contentType] == "text/plain")
            #expect(reply.head.headerFields[.location] == "/echo?a=%20b")
            #expect(reply.body == Data("häl\0lo".utf8))
        }
    }

    @Test(arguments: HTTPTransportKind.allCases) func fileIsSentUnchanged(_ kind: HTTPTransportKind) async throws {
        let folder = try TemporaryFolder()
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let file = folder.url.appending(path: "upload")
        try content.write(to: file)
        try await kind.use { http, base async throws in
            let reply = try await http.send(try HTTPRequest(.post, "/echo", below: base), body: .file(file))
            #expect(reply.body == content)
        }
    }

    @Test(arguments: HTTPTransportKind.allCases) func errorStatusIsAReply(_ kind: HTTPTransportKind) async throws {
        try await kind.use { http, base async throws in
            for code in [400, 401, 404, 500, 503] {
                let reply = try await http.send(try HTTPRequest(.get, "/status/\(code)", below: base))
                #expect(reply.head.status.code == code)
                #expect(reply.body == Data("so".utf8))
            }
        }
    }

    @Test(arguments: HTTPTransportKind.allCases) func redirectIsNotFollowed(_ kind: HTTPTransportKind) async throws {
        try await kind.use { http, base async throws in
            let reply = try await http.send(try HTTPRequest(.get, "/elsewhere", below: base))
            #expect(reply.head.status == .found)
        }
    }

    @Test(arguments: HTTPTransportKind.allCases) func chunkedBodyArrivesWhole(_ kind: HTTPTransportKind) async throws {
        try await kind.use { http, base async throws in
            let stream = try await http.stream(try HTTPRequest(.get, "/pieces", below: base), body: .none)
            var all = Data()
            for try await piece in stream.body { all += piece }
            #expect(all == Data("01234".utf8))
        }
    }

    @Test(arguments: HTTPTransportKind.allCases) func replyOverTheLimitIsRefused(_ kind: HTTPTransportKind) async throws {
        try await kind.use { http, base async throws in
            let error = await #expect(throws: TransportError.self) {
                try await http.send(try HTTPRequest(.get, "/endless", below: base), limit: 100_000)
            }
            #expect(error?.code == .tooLarge)
            // The transport remains usable.
            #expect(try await http.send(try HTTPRequest(.get, "/status/200", below: base)).head.status == .ok)
        }
    }

    @Test(arguments: HTTPTransportKind.allCases) func cancelledCallEndsImmediately(_ kind: HTTPTransportKind) async throws {
        let calls = SampleCalls()
        try await kind.use(calls) { http, base async throws in
            let call = Task { try await http.send(try HTTPRequest(.get, "/silent", below: base)) }
            try await eventually { calls.held == 1 }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await within { try await call.value } }
        }
    }

    @Test(arguments: HTTPTransportKind.allCases) func concurrentCallsGetTheirOwnReplies(_ kind: HTTPTransportKind) async throws {
        try await kind.use { http, base async throws in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        let body = Data("call \(number)".utf8)
                        return try await http.send(try HTTPRequest(.post, "/echo", below: base), body: .data(body)).body == body
                    }
                }
                for try await isOwn in group { #expect(isOwn) }
            }
        }
    }

    /// On a slow connection many calls are in progress; another one must not fail by waiting for them.
    @Test func unansweredCallsDoNotDelayOthers() async throws {
        let calls = SampleCalls()
        try await HTTPTransportKind.asyncHTTP.use(calls) { http, base async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { _ = try? await http.send(try HTTPRequest(.get, "/silent", below: base)) }
                }
                try await eventually { calls.held == 20 }
                #expect(try await http.send(try HTTPRequest(.get, "/status/200", below: base)).head.status == .ok)
                group.cancelAll()
            }
        }
    }

    @Test func insecureTLSVersionsAreDisabled() {
        #expect(NIOSocket().tls.minimumTLSVersion == .tlsv12)
        #expect(AsyncHTTP().tls.minimumTLSVersion == .tlsv12)
        var own = TLSConfiguration.makeClientConfiguration()
        own.minimumTLSVersion = .tlsv11
        #expect(NIOSocket(tls: own).tls.minimumTLSVersion == .tlsv12)
        own.minimumTLSVersion = .tlsv13
        #expect(NIOSocket(tls: own).tls.minimumTLSVersion == .tlsv13)
    }

    @Test(arguments: [HTTPTransportKind.urlSession, .asyncHTTP]) func refusedConnectionIsANetworkError(_ kind: HTTPTransportKind)
        async throws
    {
        let http: any HTTPTransport = kind == .urlSession ? URLSessionHTTP() : AsyncHTTP()
        let error = await #expect(throws: TransportError.self) {
            try await http.send(try HTTPRequest(.get, "/", below: URL(string: "http://127.0.0.1:9")!))
        }
        #expect(error?.code == .network)
    }

    @Test(arguments: ["ftp://a/b", "mailto:a@b", "/path", "http:"]) func invalidAddressesAreReported(_ text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: TransportError.self) { try HTTPRequest(.get, "/", below: url) }
        #expect(error?.code == .address)
    }

    @Test func baseURLKeepsPathAndPort() throws {
        let request = try HTTPRequest(.get, "/api?x=1", below: URL(string: "https://[::1]:8077/pager2077/")!)
        #expect(request.scheme == "https")
        #expect(request.authority == "[::1]:8077")
        #expect(request.path == "/pager2077/api?x=1")
    }
}
