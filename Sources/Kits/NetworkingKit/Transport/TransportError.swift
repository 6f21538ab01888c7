/// The failure of a call or a connection.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The address is not callable, or a file to send is not readable.
        case address
        /// No connection to the server: no network, an unknown host name, or a refused connection.
        case network
        /// The server is on the local network, which the user does not let the app use.
        case localNetworkDenied
        /// The peer's certificate is not trusted, or the peer does not speak TLS.
        case tls
        case timedOut
        /// The connection broke during the call.
        case ended
        /// The peer sent more than the limit.
        case tooLarge
        /// The service replied without opening a WebSocket; see ``TransportError/reply``.
        case refused
        /// The peer violated the protocol.
        case malformed
    }

    public var code: Code
    /// A description for the log.
    public var detail: String
    /// The service's reply if it did not open a WebSocket; otherwise nil.
    public var reply: HTTPReply?
    /// True if the system made no attempt, because it has no network path to the server.
    package var isOffline = false
    /// The fingerprints if the server's certificate is not the pinned one; otherwise nil.
    public var mismatch: CertificateMismatch?

    public init(_ code: Code, _ detail: String, reply: HTTPReply? = nil) {
        self.code = code
        self.detail = detail
        self.reply = reply
    }

    public var description: String { "\(code.rawValue): \(detail)" }
}

/// Runs `body` with a time limit.
///
/// - Parameter error: The error after the limit; nil for ``TransportError`` `timedOut`.
/// - Throws: `error`; the errors of `body`.
public func withTimeout<Value: Sendable>(
    _ limit: Duration, clock: any Clock<Duration>, orThrow error: (any Error)? = nil,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await clock.sleep(for: limit)
            throw error ?? TransportError(.timedOut, "no answer within \(limit)")
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}
