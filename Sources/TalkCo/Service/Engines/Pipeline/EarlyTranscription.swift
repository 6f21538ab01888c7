import AudioKit
import Foundation
import WireKit

/// Transcribes a recording while it is still made, for one conversation.
///
/// ```
///   speech ── pause ── (silence) ── released        the words of the pause count
///                │
///                └──── speech ────── released        they do not, and the whole is transcribed
/// ```
final class EarlyTranscription: Sendable {
    private struct Pass {
        var samples: Data
        var words: Task<String, any Error>
    }

    private let server: any Transcription
    private let pass = Locked<Pass?>(nil)

    init(_ server: any Transcription) { self.server = server }

    deinit { pass.withLock { $0 }?.words.cancel() }

    /// Begins with what was recorded so far, in place of an earlier part.
    func listen(_ samples: Data) {
        // Ends by itself, or by the next call, `close` or `deinit`.
        let next = Pass(samples: samples, words: Task { [server] in try await server.text(of: samples) })
        replace(next)?.words.cancel()
    }

    func close() { replace(nil)?.words.cancel() }

    private func replace(_ next: Pass?) -> Pass? {
        pass.withLock { pass in
            defer { pass = next }
            return pass
        }
    }

    /// The words of a whole recording: those of its beginning, if nothing was said afterwards.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func text(of samples: Data) async throws -> String {
        if let early = replace(nil) {
            if samples.prefix(early.samples.count) == early.samples,
                !SpeechGate.hasSpeech(Data(samples.dropFirst(early.samples.count)), sampleRate: SpeechServer.sampleRate)
            {
                let words = await withTaskCancellationHandler {
                    // Whatever has failed is tried again with the whole.
                    try? await early.words.value
                } onCancel: {
                    early.words.cancel()
                }
                try Task.checkCancellation()
                if let words, !words.isEmpty { return words }
            } else {
                early.words.cancel()
            }
        }
        return try await server.text(of: samples)
    }
}
