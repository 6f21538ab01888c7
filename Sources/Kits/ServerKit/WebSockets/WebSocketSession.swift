/// What a service does with one WebSocket, call by call. Each call is a task that ends, so that a socket on which nothing happens holds none:
/// there are thousands of those.
///
/// ```
///   opened ──▶ received ──▶ received ──▶ … ──▶ closed
///     └─ WebSocketConnection.start: work beside reading ─┘
/// ```
///
/// What `opened`, `received` or started work throws ends the connection with 1011. They are cancelled when it ends.
public protocol WebSocketSession: Sendable {
    /// The first call. Messages wait until it has returned.
    func opened(_ connection: WebSocketConnection) async throws
    /// One message. The next one waits until it has returned, and a peer that goes on sending is not read meanwhile.
    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async throws
    /// The last call, once: nothing else of it runs any more. Comes for a connection that ended before `opened` too.
    func closed() async
}

/// A session that is one task from its opening to its end, and asks for its messages itself.
struct HandlerSession: WebSocketSession {
    let handler: @Sendable (WebSocketConnection) async throws -> Void

    func opened(_ connection: WebSocketConnection) async throws {
        try await handler(connection)
        connection.close(.normal)
    }

    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) {}
    func closed() {}
}
