/// One connection of a line, from open to close.
///
/// The system chooses the transport, a WebSocket (``MessageSocket``) or a stream between two peers, and the type of the messages.
package protocol LineConnection<Incoming, Outgoing>: AnyObject, Sendable {
    associatedtype Incoming: Sendable
    associatedtype Outgoing: Sendable

    /// Waits for the next message. Called by one task at a time. Unread messages wait with the peer.
    ///
    /// - Returns: nil when the peer has closed.
    /// - Throws: ``LineFailure`` for an end defined by the protocol; ``TransportError`` for a lost connection; `CancellationError`.
    func receive() async throws -> Incoming?
    /// Writes one message; waits while the peer does not read.
    ///
    /// - Throws: ``TransportError`` when the connection has ended; `CancellationError`.
    func send(_ message: Outgoing) async throws
    /// Sends a ping and waits for the pong.
    ///
    /// - Throws: ``TransportError``; `CancellationError`.
    func ping() async throws
    /// Closes the connection. Does not wait for the peer.
    func close()
    /// Ends a connection whose peer did not answer a ping.
    func abort()
    /// The peer's reason for closing, for the log.
    var endDescription: String { get }
}

/// A WebSocket as the connection of a line. Reads and writes the messages of a system, each a text; skips binary frames.
package final class MessageSocket<Incoming: Sendable, Outgoing: Sendable>: LineConnection {
    private let socket: any SocketConnection
    private let decode: @Sendable (String) -> Incoming?
    private let encode: @Sendable (Outgoing) throws -> String

    /// - Parameter decode: Returns nil to skip a message.
    package init(
        _ socket: any SocketConnection, decode: @escaping @Sendable (String) -> Incoming?,
        encode: @escaping @Sendable (Outgoing) throws -> String
    ) {
        self.socket = socket
        self.decode = decode
        self.encode = encode
    }

    package func receive() async throws -> Incoming? {
        while let message = try await socket.receive() {
            if case .text(let text) = message, let message = decode(text) { return message }
        }
        return nil
    }

    package func send(_ message: Outgoing) async throws { try await socket.send(.text(encode(message))) }
    package func ping() async throws { try await socket.ping() }
    package func close() { socket.close(.normal) }
    package func abort() { socket.close(.goingAway) }
    package var endDescription: String { socket.end?.description ?? "" }
}

extension SocketEnd: CustomStringConvertible {
    public var description: String { reason.isEmpty ? "\(code)" : "\(code) \(reason)" }
}
