import HTTPTypes
import HummingbirdCore
import NIOConcurrencyHelpers
import TalkCoWire

/// The memory for recordings that are being received, of all clients together.
final class UploadBudget: Sendable {
    private let limit: Int
    private let used = NIOLockedValueBox(0)

    /// - Parameter limit: In bytes; at least one recording.
    init(limit: Int = 16 * TalkCoEndpoints.maximumRecordingSize) { self.limit = limit }

    /// Runs `body` with the memory for the request's body.
    ///
    /// - Throws: ``TalkError`` when it is used up; the errors of `body`.
    func receiving<Value>(_ request: Request, _ body: () async throws -> Value) async throws -> Value {
        let declared = request.headers[.contentLength].flatMap { Int($0) } ?? TalkCoEndpoints.maximumRecordingSize
        let size = min(max(declared, 0), TalkCoEndpoints.maximumRecordingSize)
        let isFree = used.withLockedValue { used in
            guard used + size <= limit else { return false }
            used += size
            return true
        }
        guard isFree else { throw TalkError(.unavailable, "Too many recordings are being received", retryAfter: .seconds(1)) }
        defer { used.withLockedValue { $0 -= size } }
        return try await body()
    }
}
