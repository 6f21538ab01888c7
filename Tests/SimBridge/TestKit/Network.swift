package import Foundation
package import HTTPTypes
package import NetworkingKit
package import ServerKit
import WireKit

/// The way to the relay: as good as in process, or as bad as a test wants.
package final class Network: HTTPTransport, SocketTransport {
    package struct State {
        package var isDown = false
        /// Replies of this path are lost, although the relay did what was asked.
        package var losesReplies: String?
        /// Answers in the relay's place, where a path contains this.
        package var answer: (path: String, status: Int, body: String)?
        /// The relay does not answer, for now.
        package var hangs = false
        /// Lines are opened, but nothing comes on them, for now.
        package var isMute = false
        /// No line is opened: this is answered in its place.
        package var refusal: Int?
        package var calls: [HTTPRequest] = []
        package var bodies: [Data] = []
        package var opened: [HTTPRequest] = []
        package var open: [any SocketConnection] = []
        package var written: [String] = []
    }
    package let transport: InProcessTransport
    private let state = Locked(State())

    init(_ transport: InProcessTransport) { self.transport = transport }

    package var calls: [HTTPRequest] { state.withLock { $0.calls } }
    package var bodies: [Data] { state.withLock { $0.bodies } }
    package var opened: [HTTPRequest] { state.withLock { $0.opened } }
    package var written: [String] { state.withLock { $0.written } }
    package func set(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Cuts every open line, and lets nothing through until it is mended.
    package func cut() {
        state.withLock { $0.isDown = true }
        cutLines()
    }
    /// Cuts every open line.
    package func cutLines() {
        let open = state.withLock { state in
            defer { state.open = [] }
            return state.open
        }
        for socket in open { socket.close(.goingAway) }
    }
    package func mend() { state.withLock { $0.isDown = false } }

    private static let down = TransportError(.network, "the test has cut the line")

    package func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        let path = request.path ?? ""
        let now = state.withLock { state in
            state.calls.append(request)
            if case .data(let data) = body { state.bodies.append(data) } else { state.bodies.append(Data()) }
            return state
        }
        if now.isDown { throw Self.down }
        if let answer = now.answer, path.contains(answer.path) {
            return HTTPStream(
                head: HTTPResponse(status: .init(code: answer.status)),
                body: HTTPBytes {
                    var pieces = [Data(answer.body.utf8)]
                    return { pieces.popLast() }
                })
        }
        while state.withLock({ $0.hangs }) { try await Task.sleep(for: .milliseconds(5)) }
        let reply = try await transport.stream(request, body: body)
        if let lost = now.losesReplies, path.contains(lost) { throw TransportError(.ended, "the reply is lost") }
        return reply
    }

    package func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
        state.withLock { $0.opened.append(request) }
        if state.withLock({ $0.isDown }) { throw Self.down }
        if let refusal = state.withLock({ $0.refusal }) {
            let reply = HTTPReply(head: HTTPResponse(status: .init(code: refusal)), body: Data(#"{"detail":"no"}"#.utf8))
            throw TransportError(.refused, "refused by the test", reply: reply)
        }
        let socket = try await transport.connect(request, maximumMessageSize: maximumMessageSize)
        let watched = WatchedSocket(socket) { [state] in
            state.withLock { $0.isMute }
        } note: { [state] text in
            state.withLock { $0.written.append(text) }
        }
        state.withLock { $0.open.append(watched) }
        return watched
    }
}

/// Tells what is written on it.
private final class WatchedSocket: SocketConnection {
    private let socket: any SocketConnection
    private let isMute: @Sendable () -> Bool
    private let note: @Sendable (String) -> Void

    init(_ socket: any SocketConnection, isMute: @escaping @Sendable () -> Bool, note: @escaping @Sendable (String) -> Void) {
        (self.socket, self.isMute, self.note) = (socket, isMute, note)
    }

    func receive() async throws -> SocketMessage? {
        while isMute() { try await Task.sleep(for: .milliseconds(5)) }
        return try await socket.receive()
    }
    func send(_ message: SocketMessage) async throws {
        if case .text(let text) = message { note(text) }
        try await socket.send(message)
    }
    func ping() async throws { try await socket.ping() }
    func close(_ end: SocketEnd) { socket.close(end) }
    var end: SocketEnd? { socket.end }
}
