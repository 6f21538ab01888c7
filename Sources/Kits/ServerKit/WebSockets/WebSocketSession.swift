/// A service's handling of one WebSocket, as callbacks. Each callback is a task that ends, so the thousands of idle sockets hold no task.
///
/// ```
///   opened ──▶ received ──▶ received ──▶ … ──▶ closed
///     └─ WebSocketConnection.start: concurrent work ─────┘
/// ```
///
/// An error thrown by `opened`, `received` or started work closes the connection with 1011. All are cancelled when the connection ends.
package protocol WebSocketSession: Sendable {
    /// Called first. Messages wait until it returns.
    func opened(_ connection: WebSocketConnection) async throws
    /// Called for each message in turn. The peer is not read while a message is processed and the queue is full.
    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async throws
    /// Called last and once, after all other work has ended; also for a connection that ended before `opened`.
    func closed() async
}

/// A session that is a single task and iterates over its messages.
struct HandlerSession: WebSocketSession {
    let handler: @Sendable (WebSocketConnection) async throws -> Void

    func opened(_ connection: WebSocketConnection) async throws {
        try await handler(connection)
        connection.close(.normal)
    }

    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) {}
    func closed() {}
}
