public import Foundation
public import HTTPTypes

/// A transport for WebSockets (RFC 6455).
public protocol SocketTransport: Sendable {
    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - request: A GET request with scheme (`http` or `https`), authority, path and additional headers; the handshake's headers are
    ///     added.
    ///   - maximumMessageSize: Maximum size of a message from the peer, in bytes.
    /// - Throws: ``TransportError``, `refused` with the reply when the service does not open a WebSocket; `CancellationError`.
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

/// An open WebSocket. Releasing it closes it.
public protocol SocketConnection: AnyObject, Sendable {
    /// Waits for the next message. Call it from one task at a time. Messages are not read from the network before they are requested.
    ///
    /// - Returns: nil when the peer has closed; ``end`` then has the reason.
    /// - Throws: ``TransportError`` when the connection failed; `CancellationError`.
    func receive() async throws -> SocketMessage?
    /// Writes one message. Waits while the peer does not read.
    ///
    /// - Throws: ``TransportError`` when the connection has ended; `CancellationError`.
    func send(_ message: SocketMessage) async throws
    /// Sends a ping and waits for the pong.
    ///
    /// - Throws: ``TransportError``; `CancellationError`.
    func ping() async throws
    /// Sends a close frame and closes the connection without waiting for the peer.
    func close(_ end: SocketEnd)
    /// The peer's close code and reason; nil while the connection is open and after a failure.
    var end: SocketEnd? { get }
}

/// The code and reason of a close frame (RFC 6455, section 7.4).
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
