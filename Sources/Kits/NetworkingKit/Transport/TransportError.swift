/// Why a call or a connection failed: which hop, and what it said.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The address is none that can be called.
        case address
        /// Nobody answers there: no network, no such name, refused.
        case network
        /// The other side is not who it should be, or speaks no TLS.
        case tls
        case timedOut
        /// The connection broke while something was on its way.
        case ended
        /// More came than is taken.
        case tooLarge
        /// The service answered, but not with a WebSocket; see ``TransportError/reply``.
        case refused
        /// What came is not the protocol that was asked for.
        case malformed
    }

    public var code: Code
    /// For the log.
    public var detail: String
    /// What the service answered instead of opening a WebSocket.
    public var reply: HTTPReply?

    public init(_ code: Code, _ detail: String, reply: HTTPReply? = nil) {
        self.code = code
        self.detail = detail
        self.reply = reply
    }

    public var description: String { "\(code.rawValue): \(detail)" }
}

/// Runs `body` and gives up on it after `limit`.
///
/// - Throws: ``TransportError`` `timedOut`; what `body` throws.
public func withTimeout<Value: Sendable>(
    _ limit: Duration, clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await clock.sleep(for: limit)
            throw TransportError(.timedOut, "no answer within \(limit)")
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}
