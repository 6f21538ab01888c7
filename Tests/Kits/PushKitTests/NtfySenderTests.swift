import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServerKit
import TestKit
import Testing
import WireKit

@testable import PushKit

/// The requests to an ntfy server, and the results of its replies.
@Suite struct NtfySenderTests {
    private final class StandIn: Sendable {
        struct Received: Equatable {
            var path: String
            var authorization: String?
            var body: JSONValue
        }

        private let state = Locked((received: [Received](), status: 200, headers: HTTPFields()))

        var received: [Received] { state.withLock { $0.received } }
        func set(_ status: Int, _ headers: HTTPFields = [:]) { state.withLock { ($0.status, $0.headers) = (status, headers) } }

        var parts: ServiceParts {
            let router = Router(context: ServerContext.self)
            router.on("/", method: .post) { [state] request, _ in
                let body = try await request.body.collect(upTo: 1_000_000)
                let received = Received(
                    path: request.uri.path, authorization: request.headers[.authorization],
                    body: try WireJSON.decode(from: Data(body.readableBytesView)))
                let (status, headers) = state.withLock { state in
                    state.received.append(received)
                    return (state.status, state.headers)
                }
                return Response(status: .init(code: status), headers: headers)
            }
            return ServiceParts(name: "ntfy", responder: router.buildResponder())
        }
    }

    private let entry = PushEntry(
        id: 1, identifier: Identifier("0123456789abcdef0123456789abcdef"), origin: 1, recipient: "ada", urgency: .alert,
        content: Data(), state: .active, attempts: 0, enqueuedAt: .now, dueAt: .now, expiresAt: .now)

    private func withSender(
        token: String? = nil, _ body: @escaping @Sendable (StandIn, NtfySender) async throws -> Void
    ) async throws {
        let server = StandIn()
        try await ServerUnderTest.run([server.parts]) { running async throws in
            let address = URL(string: "http://localhost:\(running.port)")!
            try await body(server, NtfySender(NtfyConfiguration(address: address, token: token), logger: .quiet))
        }
    }

    private func route(_ topic: String = "ada-7F3A21", _ message: NtfyMessage = NtfyMessage(title: "KAI", text: "HELLO"))
        -> PushRoute
    {
        .ntfy(NtfyRoute(topic: topic, message: message))
    }

    @Test func messageIsPublishedAsJSON() async throws {
        try await withSender(token: "tk_secret") { [self] server, sender in
            let message = NtfyMessage(
                title: "KAI", text: "HELLO", priority: .high, tags: ["pager"], click: "https://pager.example/chat/7F3A21")
            let route = route("ada-7F3A21", message)
            #expect(await sender.send(entry, by: route) == .accepted(PushReceipt(route: route)))
            #expect(
                server.received == [
                    .init(
                        path: "/", authorization: "Bearer tk_secret",
                        body: .object([
                            "topic": .string("ada-7F3A21"), "title": .string("KAI"), "message": .string("HELLO"),
                            "priority": .integer(4), "tags": .array([.string("pager")]),
                            "click": .string("https://pager.example/chat/7F3A21"),
                        ]))
                ])
        }
    }

    @Test func serverWithoutATokenGetsNone() async throws {
        try await withSender { [self] server, sender in
            _ = await sender.send(entry, by: route())
            #expect(server.received.map(\.authorization) == [nil])
        }
    }

    @Test(arguments: ["", "a b", "a/b", "../x", "ä", String(repeating: "x", count: 65)])
    func topicThatNtfyRefusesIsNotSent(_ topic: String) async throws {
        try await withSender { [self] server, sender in
            #expect(await sender.send(entry, by: route(topic)) == .dead("bad topic"))
            #expect(server.received.isEmpty)
        }
    }

    @Test func longTextIsCutAtACharacter() {
        #expect(NtfySender.shortened("HELLO") == "HELLO")
        let exact = String(repeating: "x", count: NtfyMessage.maximumTextLength)
        #expect(NtfySender.shortened(exact) == exact)
        let cut = NtfySender.shortened(String(repeating: "👩‍👩‍👧‍👦", count: 1000))
        #expect(cut.utf8.count <= NtfyMessage.maximumTextLength)
        #expect(cut.dropLast().allSatisfy { $0 == "👩‍👩‍👧‍👦" })
        #expect(cut.last == "…")
    }

    @Test func everyStatusHasItsResult() async throws {
        try await withSender { [self] server, sender in
            for (status, result) in [
                (401, .misconfigured("ntfy token refused")), (403, .misconfigured("ntfy token refused")),
                (413, .refused(.payloadTooLarge)), (429, .retry("too many requests")), (500, .retry("service failure")),
                (507, .retry("service failure")), (404, .refused(.unexpectedReply)), (302, .refused(.unexpectedReply)),
            ] as [(Int, PushResult)] {
                server.set(status)
                #expect(await sender.send(entry, by: route()) == result, "\(status)")
            }
            server.set(429, [.retryAfter: "30"])
            #expect(await sender.send(entry, by: route()) == .retry("too many requests", after: .seconds(30)))
        }
    }

    @Test func serverThatIsDownIsAnAttempt() async throws {
        let sender = NtfySender(NtfyConfiguration(address: URL(string: "http://localhost:1")!), logger: .quiet)
        #expect(await sender.send(entry, by: route()) == .retry(.unreachableService))
    }
}
