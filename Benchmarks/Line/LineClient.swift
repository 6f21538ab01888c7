public import Foundation
import HTTPTypes
import NIOTransport
import NetworkingKit
import Pager2077Wire
import WireKit

/// A client of a pager service, or of ``EchoServer``, on the transports of clients on Linux.
public struct LineClient: Sendable {
    /// A user with the credentials of the phone.
    public struct User: Sendable {
        fileprivate let registered: Registered
    }

    /// The error of an unexpected answer by the service.
    public struct Refused: Error {
        public var status: Int
    }

    private let address: URL
    private let http = AsyncHTTP()

    public init(_ address: URL) { self.address = address }

    public func register(_ name: String) async throws -> User {
        User(registered: try await call(PagerEndpoints.register, Registration(deviceToken: name), nil))
    }

    /// Makes two users friends: each sends a request to the other.
    public func befriend(_ a: User, _ b: User) async throws {
        for (from, to) in [(a, b), (b, a)] {
            let request = FriendRequestCreation(toHexCode: to.registered.hexCode.rawValue)
            let _: FriendRequest = try await call(PagerEndpoints.requestFriend, request, from)
        }
    }

    /// Sends a message, and returns once the message is on the service's disk.
    public func send(_ text: String, from sender: User, to recipient: User) async throws {
        let message = MessageCreation(recipientId: recipient.registered.userId, text: text, clientId: UUID().uuidString)
        let _: MessageReceipt = try await call(PagerEndpoints.sendMessage, message, sender)
    }

    /// True if `/health` answers 200.
    public func isHealthy() async throws -> Bool {
        try await http.send(HTTPRequest(.get, "/health", below: address)).head.status == .ok
    }

    /// Opens the live socket and reads `hello`.
    public func openLive(_ user: User) async throws -> TextSocket {
        let socket = try await open(PagerEndpoints.livePath, [.authorization: "Bearer \(user.registered.token)"])
        _ = try await socket.receive()
        return socket
    }

    public func openEcho() async throws -> TextSocket { try await open(EchoServer.path, [:]) }

    private func open(_ path: String, _ headers: HTTPFields) async throws -> TextSocket {
        TextSocket(try await NIOSocket().connect(HTTPRequest(.get, path, below: address, headers: headers)))
    }

    private func call<Body: Encodable, Reply: Decodable>(
        _ endpoint: Endpoint<Body, Reply>, _ body: Body, _ user: User?
    ) async throws -> Reply {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let user { headers[.authorization] = "Bearer \(user.registered.token)" }
        let reply = try await http.send(
            HTTPRequest(.post, endpoint.path([:]), below: address, headers: headers), body: .data(WireJSON.encode(body)))
        guard reply.head.status.kind == .successful else { throw Refused(status: reply.head.status.code) }
        return try WireJSON.decode(Success<Reply>.self, from: reply.body).data
    }
}

/// An open WebSocket for texts only, which closes when it is released.
public struct TextSocket: Sendable {
    /// The error of reading after the peer closed the connection or sent a binary message.
    public struct Ended: Error {}

    private let connection: any SocketConnection

    init(_ connection: any SocketConnection) { self.connection = connection }

    public func send(_ text: String) async throws { try await connection.send(.text(text)) }

    public func receive() async throws -> String {
        guard case .text(let text) = try await connection.receive() else { throw Ended() }
        return text
    }
}
