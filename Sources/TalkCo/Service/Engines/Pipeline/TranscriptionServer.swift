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
        let boundary = "form-\(UUID().uuidString)"
        var form = Data()
        for (name, value) in [("model", model), ("language", "en"), ("response_format", "json")] {
            form += Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        form += Data(
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"audio.wav\"\r\nContent-Type: audio/wav\r\n\r\n"
                .utf8)
        form += WAVFile(sampleRate: 24_000, samples: samples).data
        form += Data("\r\n--\(boundary)--\r\n".utf8)
        do {
            let reply = try await server.send(
                "/audio/transcriptions", form, contentType: "multipart/form-data; boundary=\(boundary)")
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
