public import EndlessCodeWire
public import Foundation
import HTTPTypes
import NIOTransport
import NetworkingKit
public import WireKit

/// A phone of an EndlessCode host, on the transports of clients on Linux.
public struct AgentPhone: Sendable {
    private let calls: HostCalls
    private let token: String

    public init(_ address: URL, token: String) {
        calls = HostCalls(service: RemoteService(address: address, http: AsyncHTTP(), sockets: NIOSocket()))
        self.token = token
    }

    public func projects() async throws -> [Project] { try await calls.call(EndlessCodeEndpoints.projects, token: token) }

    public func startSession(in project: Project.ID) async throws -> Session.ID {
        let creation = SessionCreation(projectId: project)
        return try await calls.call(EndlessCodeEndpoints.createSession, body: creation, token: token).id
    }

    /// Opens the socket and reads `sync`.
    public func open() async throws -> AgentSocket {
        let request = try calls.service.request(.get, EndlessCodeSocket.path, token: token)
        let socket = AgentSocket(try await calls.service.sockets.connect(request))
        _ = try await socket.receive()
        return socket
    }
}

private struct HostCalls: ServiceCalls {
    /// The error of an unexpected answer by the host.
    struct Refused: Error {
        var status: Int
    }

    static let timeout: Duration = .seconds(60)
    let service: RemoteService
    var clock: any Clock<Duration> { ContinuousClock() }

    func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value {
        guard reply.head.status.kind == .successful else { throw Refused(status: reply.head.status.code) }
        return try WireJSON.decode(from: reply.body)
    }

    func failure(_ error: TransportError) -> any Error { error }
}

/// An open socket, which closes when it is released.
public struct AgentSocket: Sendable {
    /// The error of reading after the host closed the connection.
    public struct Ended: Error {}

    private let connection: any SocketConnection

    init(_ connection: any SocketConnection) { self.connection = connection }

    public func prompt(_ text: String, to session: Session.ID) async throws {
        let message = UserMessage(
            sessionId: session, content: text, timestamp: .now, messageId: UserMessage.ID(UUID().uuidString.lowercased()))
        try await connection.send(.text(ClientFrame.userMessage(message).text))
    }

    /// Returns the delays of the next `count` lines of ``StampingAgent``.
    public func delays(_ count: Int) async throws -> [Duration] {
        var delays: [Duration] = []
        while delays.count < count {
            if let stamp = Stamp(in: try await receive()) { delays.append(stamp.age) }
        }
        return delays
    }

    func receive() async throws -> String {
        guard case .text(let text) = try await connection.receive() else { throw Ended() }
        return text
    }
}
