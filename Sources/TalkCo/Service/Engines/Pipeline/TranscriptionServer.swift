import AudioKit
import Foundation
import NetworkingKit
import WireKit

/// The transcription of a server with OpenAI's interface, such as one for whisper.cpp.
struct TranscriptionServer: Sendable {
    let server: OutsideServer
    let model: String

    /// The words of a recording, trimmed; empty for silence.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func text(of samples: Data) async throws -> String {
        var form = FormWriter()
        form.add("model", model)
        form.add("language", "en")
        form.add("response_format", "json")
        form.add("file", file: WAVFile(sampleRate: 24_000, samples: samples).data, named: "audio.wav", type: "audio/wav")
        do {
            let reply = try await server.send("/audio/transcriptions", form.body, contentType: form.contentType)
            guard let text = (try? WireJSON.decode(JSONValue.self, from: reply.body))?["text"]?.text else {
                throw EngineError(.failed, "\(server.subject) at \(server.name) answered with something unreadable.")
            }
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            // Whisper's word for silence.
            return trimmed == "[BLANK_AUDIO]" ? "" : trimmed
        } catch let failure as OutsideFailure {
            throw failure.error
        }
    }
}
