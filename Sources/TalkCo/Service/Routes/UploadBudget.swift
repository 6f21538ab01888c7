import HummingbirdCore
import NIOCore
import TalkCoWire
import WireKit

/// The memory for all recordings that are being received. Only bytes that have arrived count, not announced ones.
final class UploadBudget: Sendable {
    /// Maximum time without a byte of a recording.
    static let idleTimeout = Duration.seconds(20)

    private let shares: Shares
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - limit: The maximum memory, in bytes; at least one recording.
    ///   - share: The maximum memory for one network, in bytes.
    init(
        limit: Int = 16 * TalkCoEndpoints.maximumRecordingSize, share: Int = 4 * TalkCoEndpoints.maximumRecordingSize,
        clock: any Clock<Duration>
    ) {
        shares = Shares(of: limit, perNetwork: share, "Too many recordings are being received")
        self.clock = clock
    }

    /// Runs `body` with the request, and counts the body of the request as it arrives.
    ///
    /// - Throws: ``TalkError`` when the memory is used up, and for a body that stops arriving; the errors of `body`.
    func receiving<Value: Sendable>(
        _ request: Request, from network: CallerNetwork, _ body: @escaping @Sendable (Request) async throws -> Value
    ) async throws -> Value {
        let upload = Upload(shares, network)
        defer { upload.end() }
        do {
            return try await Silence.limited(to: Self.idleTimeout, by: clock, of: "The client") { didHear in
                var request = request
                let counted = request.body.map { chunk in
                    didHear()
                    try upload.take(chunk.readableBytes)
                    return chunk
                }
                request.body = RequestBody(asyncSequence: counted)
                return try await body(request)
            }
        } catch let error as EngineError where error.code == .timedOut {
            throw TalkError(.requestTimeout, "The recording stopped arriving")
        }
    }
}

/// A count of the received bytes of one upload.
private final class Upload: Sendable {
    private let shares: Shares
    private let network: CallerNetwork
    private let size = Locked(0)

    init(_ shares: Shares, _ network: CallerNetwork) { (self.shares, self.network) = (shares, network) }

    func take(_ count: Int) throws {
        try shares.take(count, for: network)
        size.withLock { $0 += count }
    }

    func end() { shares.release(size.withLock { $0 }, for: network) }
}
