import Foundation
import HTTPTypes
import Hummingbird
import NIOTransport
import NetworkingKit
import ServerKit
import TestKit
import WireKit

/// The service of the transport tests.
enum SampleService {
    static func parts(_ calls: SampleCalls = SampleCalls()) -> ServiceParts {
        let router = Router(context: ServerContext.self)
        router.on("/echo", method: .post) { request, _ in
            let body = try await request.body.collect(upTo: 2_000_000)
            var headers: HTTPFields = [.contentType: request.headers[.contentType] ?? "none"]
            headers[.location] = request.uri.description
            return Response(status: .created, headers: headers, body: .init(byteBuffer: body))
        }
        router.get("/status/:code") { _, context in
            Response(
                status: .init(code: try context.parameters.require("code", as: Int.self)),
                body: .init(byteBuffer: .init(string: "so")))
        }
        router.get("/elsewhere") { _, _ in Response(status: .found, headers: [.location: "/status/200"]) }
        router.get("/pieces") { _, _ in
            Response(
                status: .ok,
                body: .init { writer in
                    for number in 0..<5 { try await writer.write(ByteBuffer(string: "\(number)")) }
                    try await writer.finish(nil)
                })
        }
        router.get("/endless") { _, _ in
            Response(
                status: .ok,
                body: .init { writer in
                    while true { try await writer.write(ByteBuffer(repeating: 46, count: 10_000)) }
                })
        }
        router.get("/silent") { _, _ in
            try await calls.hold()
            return Response(status: .ok)
        }
        sockets(router, calls)
        return ServiceParts(name: "sample", responder: router.buildResponder())
    }

    private static func sockets(_ router: Router<ServerContext>, _ calls: SampleCalls) {
        router.webSocket("/hesitant") { _, _ in
            try await calls.hold()
            return WebSocketUpgrade { _ in }
        }
        router.webSocket("/greeting") { _, _ in
            WebSocketUpgrade { connection in
                try await connection.send("hello")
                for try await _ in connection.messages {}
            }
        }
        router.webSocket("/socket") { request, _ in
            guard request.headers[.authorization] == "Bearer good" else { throw HTTPError(.unauthorized, message: "who are you") }
            return WebSocketUpgrade(maximumMessageSize: 100_000) { connection in
                for try await message in connection.messages {
                    switch message {
                    case .text("close"): connection.close(.policyViolation, reason: "asked to")
                    case .text("bye"): return
                    case .text("fail"): throw HTTPError(.internalServerError)
                    case .text("flood"):
                        for number in 0..<1000 {
                            calls.didSend()
                            try await connection.send("\(number)")
                        }
                    case .text("post"):
                        for number in 0..<1000 where !connection.post("\(number)") { throw HTTPError(.internalServerError) }
                        try await connection.send("end")
                    case .text("overflow"):
                        var taken = 0
                        while connection.post(String(repeating: "x", count: 100_000)) { taken += 1 }
                        calls.didPost(taken)
                    case .text("large"): try await connection.send(String(repeating: "x", count: 200_000))
                    case .text(let text): try await connection.send(text)
                    case .binary(let bytes): try await connection.send(bytes)
                    }
                }
            }
        }
    }
}

/// The calls received by the sample service, for tests that wait for them.
final class SampleCalls: Sendable {
    private let state = Locked((held: 0, flowed: 0, taken: nil as Int?, hasEnded: false))

    /// The number of calls to `/silent` and `/hesitant`.
    var held: Int { state.withLock { $0.held } }
    /// The number of messages sent of a flood, including the one that waits to be taken.
    var flowed: Int { state.withLock { $0.flowed } }

    /// The number of messages accepted before one was refused.
    var taken: Int? { state.withLock { $0.taken } }

    /// Delays the reply until the end of the test, because a server that shuts down waits for it.
    fileprivate func hold() async throws {
        state.withLock { $0.held += 1 }
        try await eventually { [state] in state.withLock { $0.hasEnded } }
    }

    fileprivate func didSend() { state.withLock { $0.flowed += 1 } }
    fileprivate func didPost(_ count: Int) { state.withLock { $0.taken = count } }
    func end() { state.withLock { $0.hasEnded = true } }
}

/// A transport to the sample service.
enum HTTPTransportKind: String, CaseIterable {
    case inProcess, urlSession, asyncHTTP

    /// - Parameters:
    ///   - calls: Records the calls to the service.
    ///   - body: Receives the transport and the address of the sample service.
    func use(
        _ calls: SampleCalls = SampleCalls(), _ body: @escaping @Sendable (any HTTPTransport, URL) async throws -> Void
    ) async throws {
        switch self {
        case .inProcess:
            let transport = InProcessTransport(services: [SampleService.parts(calls)], logger: .quiet)
            defer { calls.end() }
            try await body(transport, InProcessTransport.address.appending(path: "sample"))
        case .urlSession: try await overNetwork(URLSessionHTTP(), calls, body)
        case .asyncHTTP: try await overNetwork(AsyncHTTP(), calls, body)
        }
    }

    private func overNetwork(
        _ transport: some HTTPTransport, _ calls: SampleCalls,
        _ body: @escaping @Sendable (any HTTPTransport, URL) async throws -> Void
    ) async throws {
        try await ServerUnderTest.run([SampleService.parts(calls)], isAlone: false) { server in
            defer { calls.end() }
            try await body(transport, URL(string: "http://127.0.0.1:\(server.port)/sample/")!)
        }
    }
}

enum SocketTransportKind: String, CaseIterable {
    case inProcess, nio

    /// As ``HTTPTransportKind/use(_:_:)``.
    func use(
        _ calls: SampleCalls = SampleCalls(), _ body: @escaping @Sendable (any SocketTransport, URL) async throws -> Void
    ) async throws {
        switch self {
        case .inProcess:
            let transport = InProcessTransport(services: [SampleService.parts(calls)], logger: .quiet)
            defer { calls.end() }
            try await body(transport, InProcessTransport.address.appending(path: "sample"))
        case .nio:
            try await ServerUnderTest.run([SampleService.parts(calls)], isAlone: false) { server in
                defer { calls.end() }
                try await body(NIOSocket(), URL(string: "http://127.0.0.1:\(server.port)/sample/")!)
            }
        }
    }
}

extension SocketTransport {
    /// Opens the sample service's echoing socket.
    func echo(_ base: URL, token: String = "good", maximumMessageSize: Int = 1_000_000) async throws -> any SocketConnection {
        let request = try HTTPRequest(.get, "/socket", below: base, headers: [.authorization: "Bearer \(token)"])
        return try await connect(request, maximumMessageSize: maximumMessageSize)
    }
}
