import AudioKit
import Foundation
import NetworkingKit
import WireKit

/// The transcription of a server with OpenAI's interface, such as one for whisper.cpp.
struct TranscriptionServer: Sendable {
    static let path = "/audio/transcriptions"

    let server: OutsideServer
    let model: String

    /// The words of a recording, trimmed; empty for silence, and for the noise of a room.
    ///
    /// - Parameter samples: In `SpeechFormat`.
    /// - Throws: ``EngineError``; `CancellationError`.
    func text(of samples: Data) async throws -> String {
        guard SpeechGate.hasSpeech(samples, sampleRate: SpeechServer.sampleRate) else { return "" }
        var form = FormWriter()
        form.add("model", model)
        let (language, value) = Self.language(of: model)
        form.add(language + (language == "languages" ? "[]" : ""), value)
        form.add("response_format", "json")
        let file = WAVFile(sampleRate: SpeechServer.sampleRate, samples: samples)
        form.add("file", file: file.data, named: "audio.wav", type: "audio/wav")
        do {
            let reply = try await server.askingTwice {
                try await server.send(Self.path, form.body, contentType: form.contentType)
            }
            let json = try? WireJSON.decode(JSONValue.self, from: reply.body)
            guard let text = json?["text"]?.words else {
                if let message = server.message(in: reply.body) {
                    throw EngineError(.failed, "\(server.subject) reports: \(message)")
                }
                throw EngineError(.failed, "\(server.subject) at \(server.name) answered with something unreadable.")
            }
            return NonSpeech.removed(from: text)
        } catch let failure as OutsideFailure {
            throw failure.error
        }
    }

    /// Checks that the server has the path, with a form that lacks the recording: it costs the server nothing.
    ///
    /// - Throws: ``EngineError`` `refused` for a server without the path; `CancellationError`.
    func probe() async throws {
        var form = FormWriter()
        form.add("model", model)
        try await server.probe(Self.path, form.body, contentType: form.contentType)
    }

    /// The field for the language of the speech, and its value. OpenAI's models of 2026 take a list.
    static func language(of model: String) -> (field: String, value: String) {
        let takesList = model.contains("gpt-transcribe") || model.contains("gpt-live-transcribe")
        return (takesList ? "languages" : "language", "en")
    }
}
