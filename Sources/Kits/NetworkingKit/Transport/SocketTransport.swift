public import Foundation
public import HTTPTypes

/// Opens WebSockets (RFC 6455).
public protocol SocketTransport: Sendable {
    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - request: A GET with scheme (`http` or `https`), authority, path and what headers it takes; those of the handshake are added.
    ///   - maximumMessageSize: The most bytes that a message from the peer may have.
    /// - Throws: ``TransportError``, `refused` with the reply when the service answered otherwise; `CancellationError`.
    func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection
}

extension SocketTransport {
    public func connect(_ request: HTTPRequest) async throws -> any SocketConnection {
        try await connect(request, maximumMessageSize: 1_048_576)
    }
}

/// One message of a WebSocket.
public enum SocketMessage: Hashable, Sendable {
    case text(String)
    case data(Data)
}

/// An open WebSocket. Closed when it is let go of.
public protocol SocketConnection: AnyObject, Sendable {
    /// Waits for the next message. To be called by one task at a time: what is not asked for waits with the peer.
    ///
    /// - Returns: nil when the peer has closed; then ``end`` says why.
    /// - Throws: ``TransportError`` when the connection broke; `CancellationError`.
    func receive() async throws -> SocketMessage?
    /// Writes one message; waits while the peer does not read.
    ///
    /// - Throws: ``TransportError`` when the connection has ended; `CancellationError`.
    func send(_ message: SocketMessage) async throws
    /// Asks for a sign of life and waits for it.
    ///
    /// - Throws: ``TransportError``; `CancellationError`.
    func ping() async throws
    /// Says goodbye and ends the connection. Does not wait for the peer.
    func close(_ end: SocketEnd)
    /// What the peer said when it closed; nil before, or when it broke.
    var end: SocketEnd? { get }
}

/// Why a WebSocket ends (RFC 6455, section 7.4).
public struct SocketEnd: Hashable, Sendable {
    public var code: UInt16
    public var reason: String

    public init(_ code: UInt16, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    public static let normal = SocketEnd(1000)
    public static let goingAway = SocketEnd(1001)
}
