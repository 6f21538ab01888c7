package import Foundation
package import HTTPTypes
package import WireKit

/// A service within the app, for its demonstration: answers calls by a script. Nothing leaves the phone.
package final class ScriptedService: HTTPTransport, SocketTransport {
    /// A call of the app.
    package struct Call: Sendable {
        /// The values of the path's parameters.
        package let parameters: [String: String]
        package let body: Data

        /// Decodes the body of a call.
        package func body<Body: Decodable>(of _: Endpoint<Body, some Sendable>) throws -> Body { try WireJSON.decode(from: body) }
    }

    package struct Reply: Sendable {
        fileprivate var status = 200
        fileprivate var type = "application/json"
        fileprivate var body: Data

        package static func json(_ value: some Encodable, status: Int = 200) throws -> Reply {
            Reply(status: status, body: try WireJSON.encode(value))
        }
        /// - Parameter blocks: Server-sent events, each with the empty line that ends it.
        package static func events(_ blocks: Data) -> Reply { Reply(type: "text/event-stream", body: blocks) }
    }

    package typealias Answer = @Sendable (Call) async throws -> Reply

    /// The answer to the calls of one endpoint.
    package struct Route: Sendable {
        fileprivate let method: String
        fileprivate let path: [Substring]
        fileprivate let answer: Answer

        package init<Body, Value>(_ endpoint: Endpoint<Body, Value>, _ answer: @escaping Answer) {
            (method, path) = (endpoint.method.rawValue, Self.segments(endpoint.path))
            self.answer = answer
        }

        fileprivate static func segments(_ path: some StringProtocol) -> [Substring] {
            Substring(path).split(separator: "/", omittingEmptySubsequences: true)
        }

        /// Returns the values of the parameters; nil for the path of another endpoint.
        fileprivate func parameters(in segments: [Substring]) -> [String: String]? {
            guard segments.count == path.count else { return nil }
            var values: [String: String] = [:]
            for (pattern, segment) in zip(path, segments) {
                if pattern.hasPrefix(":") {
                    values[String(pattern.dropFirst())] = segment.removingPercentEncoding ?? String(segment)
                } else if pattern != segment {
                    return nil
                }
            }
            return values
        }
    }

    /// The service's end of a socket.
    package struct Peer: Sendable {
        /// The texts that the app writes. Read by one task.
        package let texts: AsyncStream<String>
        /// Writes a text to the app.
        package let write: @Sendable (String) -> Void
    }

    /// The address of the service, whose name no server resolves.
    package static let address = URL(string: "https://demonstration.invalid")!

    private let routes: [Route]
    private let refusal: Reply
    private let serve: @Sendable (Peer) async -> Void

    /// - Parameters:
    ///   - refusal: The reply to a call without a route.
    ///   - serve: Runs for each socket, until it is closed.
    package init(_ routes: [Route], refusal: Reply, serve: @escaping @Sendable (Peer) async -> Void = { _ in }) {
        (self.routes, self.refusal, self.serve) = (routes, refusal, serve)
    }

    package var remote: RemoteService { RemoteService(address: Self.address, http: self, sockets: self) }

    package func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        let segments = Route.segments((request.path ?? "/").prefix { $0 != "?" })
        let data: Data =
            switch body {
            case .none: Data()
            case .data(let data): data
            case .file(let url): try Data(contentsOf: url)
            }
        var reply = refusal
        for route in routes where route.method == request.method.rawValue {
            guard let parameters = route.parameters(in: segments) else { continue }
            reply = try await route.answer(Call(parameters: parameters, body: data))
            break
        }
        let unread = Locked<Data?>(reply.body)
        return HTTPStream(
            head: HTTPResponse(status: .init(code: reply.status), headerFields: [.contentType: reply.type]),
            body: HTTPBytes {
                {
                    unread.withLock { unread in
                        defer { unread = nil }
                        return unread
                    }
                }
            })
    }

    package func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
        ScriptedSocket(serve)
    }
}

/// The app's end of a socket to a scripted service. Releasing it ends the service's work.
private final class ScriptedSocket: SocketConnection {
    private let (incoming, toApp) = AsyncStream.makeStream(of: SocketMessage.self)
    private let (outgoing, toService) = AsyncStream.makeStream(of: String.self)
    private let work: Task<Void, Never>

    init(_ serve: @escaping @Sendable (ScriptedService.Peer) async -> Void) {
        let peer = ScriptedService.Peer(texts: outgoing, write: { [toApp] in toApp.yield(.text($0)) })
        work = Task { await serve(peer) }
    }

    deinit { close(.goingAway) }

    func receive() async throws -> SocketMessage? {
        var iterator = incoming.makeAsyncIterator()
        let message = await iterator.next()
        try Task.checkCancellation()
        return message
    }

    func send(_ message: SocketMessage) async throws {
        if case .text(let text) = message { toService.yield(text) }
    }

    func ping() async throws {}

    func close(_ end: SocketEnd) {
        work.cancel()
        toService.finish()
        toApp.finish()
    }

    /// Nil, because the service never closes a socket.
    var end: SocketEnd? { nil }
}
