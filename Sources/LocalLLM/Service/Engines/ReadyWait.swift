import LocalLLMWire
import NetworkingKit

/// Repetition of calls to a model server that loads its model or has too many requests, with growing pauses and within limits.
struct ReadyWait: Sendable {
    /// Maximum time for a server to load a model, from a slow disk too.
    private static let loadingLimit = Duration.seconds(900)
    /// Maximum time for which a server may have too many requests.
    private static let busyLimit = Duration.seconds(60)
    private static let firstPause = Duration.milliseconds(250)
    private static let maximumPause = Duration.seconds(5)

    let clock: any Clock<Duration>

    /// Runs `body` again and again while it throws ``EngineError/Code/loading`` or ``EngineError/Code/busy``.
    ///
    /// - Parameters:
    ///   - canRepeat: Returns false once a part of the answer has arrived, after which the call must not be repeated.
    ///   - report: Called with the progress before each pause.
    /// - Throws: ``EngineError`` `failed` when a limit has passed; the errors of `body` and `report`; `CancellationError`.
    func run<Value>(
        canRepeat: () -> Bool = { true }, report: (ChatProgress) async throws -> Void, _ body: () async throws -> Value
    ) async throws -> Value {
        let elapsed = stopwatch(clock)
        var pause = Self.firstPause
        while true {
            do {
                return try await body()
            } catch let error as EngineError where (error.code == .loading || error.code == .busy) && canRepeat() {
                let isLoading = error.code == .loading
                guard elapsed() < (isLoading ? Self.loadingLimit : Self.busyLimit) else {
                    throw EngineError(.failed, error.detail, serverText: error.serverText)
                }
                // A server that is busy may begin to read the prompt at any time.
                try await report(ChatProgress(isLoading ? .loading : .reading))
                try await clock.sleep(for: pause)
                pause = min(pause * 2, Self.maximumPause)
            }
        }
    }
}
