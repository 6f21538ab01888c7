package import Foundation
package import HTTPTypes
package import NetworkingKit
import WireKit

/// A transport that wraps another one and injects failures.
package final class TestNetwork: HTTPTransport, SocketTransport {
    package struct State: Sendable {
        /// True to fail every call and connection.
        package var isDown = false
        /// Discards replies to paths that contain this text, after the service has processed the request.
        package var losesReplies: String?
        /// Replaces the service's reply.
        package var answer: Answer?
        /// True to delay calls until it is false again.
        package var hangs = false
        /// True to open connections but deliver no messages until it is false again.
        package var isMute = false
        /// Refuses connections with this reply.
        package var refusal: Answer?
        /// Wraps each opened connection.
        package var wrap: @Sendable (any SocketConnection) -> any SocketConnection = { $0 }
        fileprivate var requests: [HTTPRequest] = []
        fileprivate var bodies: [Data] = []
        fileprivate var opened: [HTTPRequest] = []
        fileprivate var open: [any SocketConnection] = []
        fileprivate var written: [String] = []
        fileprivate var read: [String] = []
        /// The tasks that wait for a change of the state.
        fileprivate var waiting: [AsyncStream<Never>.Continuation] = []
    }

    package struct Answer: Sendable {
        package var status: Int
        package var body: String
        /// Restricts the reply to paths that contain this text.
        package var path: String?
        /// Restricts the reply to calls whose body contains this text.
        package var content: String?

        package init(_ status: Int, _ body: String, path: String? = nil) {
            (self.status, self.body, self.path) = (status, body, path)
        }
    }

    private let transport: Locked<any HTTPTransport & SocketTransport>
    private let state = Locked(State())

    private let folder: TemporaryFolder?

    /// - Parameter folder: The folder of the service behind the network. Phones may outlive what else keeps it.
    package init(_ transport: any HTTPTransport & SocketTransport, keeping folder: TemporaryFolder? = nil) {
        self.transport = Locked(transport)
        self.folder = folder
    }

    /// Replaces the service at the same address by another one.
    package func lead(to other: TestNetwork) {
        let new = other.transport.withLock { $0 }
        transport.withLock { $0 = new }
    }

    package func set(_ change: @Sendable (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for each in waiting { each.finish() }
    }

    /// Waits until the condition is false or the task is cancelled.
    private func wait(while condition: @Sendable (State) -> Bool) async {
        while !Task.isCancelled {
            let (changes, next) = AsyncStream.makeStream(of: Never.self)
            let waits = state.withLock { state in
                guard condition(state) else { return false }
                state.waiting.append(next)
                return true
            }
            guard waits else { return }
            for await _ in changes {}
        }
    }

    // MARK: Recorded calls

    /// The calls so far, as `GET /path`.
    package var calls: [String] { requests.map { "\($0.method.rawValue) \($0.path ?? "")" } }
    package var requests: [HTTPRequest] { state.withLock { $0.requests } }
    /// The bodies of the calls.
    package var bodies: [Data] { state.withLock { $0.bodies } }
    /// The requests for connections.
    package var opened: [HTTPRequest] { state.withLock { $0.opened } }
    /// The text messages written to connections.
    package var written: [String] { state.withLock { $0.written } }
    /// The text messages read from connections.
    package var read: [String] { state.withLock { $0.read } }

    // MARK: Cuts

    /// Closes all connections and fails everything until ``mend()``.
    package func cut() {
        set { $0.isDown = true }
        cutLines()
    }

    /// Closes all connections.
    package func cutLines() {
        let open = state.withLock { state in
            defer { state.open = [] }
            return state.open
        }
        for socket in open { socket.close(.goingAway) }
    }

    package func mend() { set { $0.isDown = false } }

    private static let down = TransportError(.network, "the test has cut the network")

    // MARK: Transports

    package func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        let path = request.path ?? ""
        let data = if case .data(let data) = body { data } else { Data() }
        let now = state.withLock { state in
            state.requests.append(request)
            state.bodies.append(data)
            return state
        }
        let text = String(decoding: data, as: UTF8.self)
        if now.isDown { throw Self.down }
        if let answer = now.answer, path.contains(answer.path ?? "/"), answer.content.map(text.contains) ?? true {
            return HTTPStream(
                head: HTTPResponse(status: .init(code: answer.status)),
                body: HTTPBytes {
                    var pieces = [Data(answer.body.utf8)]
                    return { pieces.popLast() }
                })
        }
        await wait { $0.hangs }
        try Task.checkCancellation()
        let reply = try await transport.withLock({ $0 }).stream(request, body: body)
        if let lost = now.losesReplies, path.contains(lost) { throw TransportError(.ended, "the reply is lost") }
        return reply
    }

    package func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
        let now = state.withLock { state in
            state.opened.append(request)
            return state
        }
        if now.isDown { throw Self.down }
        if let refusal = now.refusal {
            let reply = HTTPReply(head: HTTPResponse(status: .init(code: refusal.status)), body: Data(refusal.body.utf8))
            throw TransportError(.refused, "refused by the test", reply: reply)
        }
        let socket = try await transport.withLock({ $0 }).connect(request, maximumMessageSize: maximumMessageSize)
        let watched = now.wrap(
            WatchedSocket(socket) { [self] in
                await wait { $0.isMute }
            } wrote: { [state] text in
                state.withLock { $0.written.append(text) }
            } read: { [state] text in
                state.withLock { $0.read.append(text) }
            })
        state.withLock { $0.open.append(watched) }
        return watched
    }
}

/// A connection that records its texts and can pause before reading.
private final class WatchedSocket: SocketConnection {
    private let socket: any SocketConnection
    private let mute: @Sendable () async -> Void
    private let wrote: @Sendable (String) -> Void
    private let read: @Sendable (String) -> Void

    init(
        _ socket: any SocketConnection, mute: @escaping @Sendable () async -> Void, wrote: @escaping @Sendable (String) -> Void,
        read: @escaping @Sendable (String) -> Void
    ) {
        (self.socket, self.mute, self.wrote, self.read) = (socket, mute, wrote, read)
    }

    func receive() async throws -> SocketMessage? {
        let message = try await socket.receive()
        await mute()
        if case .text(let text) = message { read(text) }
        return message
    }
    func send(_ message: SocketMessage) async throws {
        if case .text(let text) = message { wrote(text) }
        try await socket.send(message)
    }
    func ping() async throws { try await socket.ping() }
    func close(_ end: SocketEnd) { socket.close(end) }
    var end: SocketEnd? { socket.end }
}
