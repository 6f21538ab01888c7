import AudioKit
import Foundation
import WireKit

/// The transcription of unfinished recordings, for one conversation.
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

    /// Starts to transcribe the recording so far, and cancels the transcription of an earlier part.
    func listen(_ samples: Data) {
        // The task ends by itself, or by the next call, `close` or `deinit`.
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

    /// Returns the words of a whole recording: the words of its beginning, if nothing was said afterwards.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func text(of samples: Data) async throws -> String {
        if let early = replace(nil) {
            if samples.prefix(early.samples.count) == early.samples,
                !SpeechGate.hasSpeech(Data(samples.dropFirst(early.samples.count)), sampleRate: SpeechServer.sampleRate)
            {
                let words = await withTaskCancellationHandler {
                    // After any failure, the whole recording is transcribed.
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
