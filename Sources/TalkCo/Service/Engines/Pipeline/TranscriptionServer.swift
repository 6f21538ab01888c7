import AudioKit
import Foundation
import HTTPTypes
import NetworkingKit
import WireKit

/// The transcription of a server with OpenAI's interface, such as one for whisper.cpp.
struct TranscriptionServer: Transcription {
    static let path = "/audio/transcriptions"

    let server: OutsideServer
    let model: String

    /// Returns the words of a recording, trimmed; empty for silence, and for the noise of a room.
    ///
    /// - Parameter samples: In `SpeechFormat`.
    /// - Throws: ``EngineError``; `CancellationError`.
    func text(of samples: Data) async throws -> String {
        guard Double(samples.count) >= Self.minimumLength * Self.bytesPerSecond,
            SpeechGate.hasSpeech(samples, sampleRate: SpeechServer.sampleRate)
        else { return "" }
        var form = FormWriter()
        form.add("model", model)
        let (language, value) = Self.language(of: model)
        form.add(language + (language == "languages" ? "[]" : ""), value)
        form.add("response_format", "json")
        let file = WAVFile(sampleRate: SpeechServer.sampleRate, samples: Self.padded(samples))
        form.add("file", file: file.data, named: "audio.wav", type: "audio/wav")
        do {
            let reply = try await server.askingTwice {
                try await server.send(Self.path, form.body, contentType: form.contentType)
            }
            guard let text = Self.transcript(in: reply) else {
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

    /// Minimum duration of a recording, in seconds. A shorter one has no word, and OpenAI's server refuses it.
    private static let minimumLength = 0.1
    /// The duration to which short recordings are padded, in seconds: below one second, whisper.cpp recognizes nothing.
    private static let paddedLength = 1.2
    private static let bytesPerSecond = Double(SpeechServer.sampleRate * PCM16.sampleSize)

    /// Returns a recording, to which silence is appended if it is short.
    private static func padded(_ samples: Data) -> Data {
        let missing = Int(paddedLength * bytesPerSecond) - samples.count
        return missing > 0 ? samples.prefix(samples.count - samples.count % PCM16.sampleSize) + Data(count: missing) : samples
    }

    /// Returns the transcript in a reply: `{"text":"…"}`, or plain text from servers that do not know `response_format`.
    ///
    /// - Returns: nil for anything else.
    private static func transcript(in reply: HTTPReply) -> String? {
        if let json = try? WireJSON.decode(JSONValue.self, from: reply.body), json.text != nil || json.members != nil {
            return json.text ?? (json["text"] == .null ? "" : json["text"]?.words)
        }
        let type = reply.head.headerFields[.contentType]?.lowercased() ?? ""
        guard type.hasPrefix("text/"), !type.hasPrefix("text/html"), let text = String(validating: reply.body, as: UTF8.self),
            text.drop(while: \.isWhitespace).first.map({ !"<{".contains($0) }) ?? true
        else { return nil }
        // Subtitles have numbers and times between the sentences.
        guard text.contains("-->") else { return text }
        let lines = text.split(whereSeparator: \.isNewline).filter { line in
            !line.contains("-->") && !line.hasPrefix("WEBVTT") && line.contains { !$0.isNumber && !$0.isWhitespace }
        }
        return lines.joined(separator: " ")
    }

    /// Checks that the server can be reached and has the path, by a form without a recording, which costs the server nothing.
    ///
    /// - Throws: ``EngineError`` `refused` for a server without the path; `CancellationError`.
    func check() async throws {
        async let isThere: Void = server.probe()
        async let hasPath: Void = probe()
        _ = try await (isThere, hasPath)
    }

    private func probe() async throws {
        var form = FormWriter()
        form.add("model", model)
        try await server.probe(Self.path, form.body, contentType: form.contentType)
    }

    /// Returns the field for the language of the speech, and its value. OpenAI's models of 2026 take a list.
    static func language(of model: String) -> (field: String, value: String) {
        let takesList = model.contains("gpt-transcribe") || model.contains("gpt-live-transcribe")
        return (takesList ? "languages" : "language", "en")
    }
}
