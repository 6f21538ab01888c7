import AudioKit
import Foundation
import HummingbirdCore
import ServerKit
import TalkCoWire
import WireKit

/// The body of `POST /sessions/{id}/chat`: a form with a recording.
struct RecordedTurn: Sendable {
    /// Mono samples of 24 kHz.
    var samples: Data
    var turnID: Turn.ID?

    /// - Throws: ``FieldErrors`` without the part `audio`; ``TalkError`` for a recording that cannot be used; `FormError`, `BodyError`.
    init(bodyOf request: Request) async throws {
        let form = try await MultipartForm(bodyOf: request, limit: TalkCoEndpoints.maximumRecordingSize)
        guard let audio = form?["audio"] else {
            throw FieldErrors(issues: [FieldIssue(field: "audio", kind: .missing, message: "Field required")])
        }
        if let id = form?["turn_id"] {
            guard let text = id.text, Turn.idLength.contains(text.unicodeScalars.count), !text.utf8.contains(0) else {
                let length = Turn.idLength
                throw FieldErrors(issues: [
                    FieldIssue(
                        field: "turn_id", kind: .wrongLength(allowed: length),
                        message: "turn_id must have \(length.lowerBound) to \(length.upperBound) characters")
                ])
            }
            turnID = Turn.ID(text)
        }
        samples = try Self.samples(of: audio.content)
    }

    private static func samples(of recording: Data) throws(TalkError) -> Data {
        guard !recording.isEmpty else { throw TalkError(.badRequest, "Empty audio file") }
        let file: WAVFile
        do {
            file = try WAVFile(parsing: recording)
        } catch {
            throw TalkError(.badRequest, "The audio file cannot be used: \(error)")
        }
        guard file.samples.count / PCM16.sampleSize / file.channelCount / file.sampleRate <= maximumSeconds else {
            throw TalkError(.badRequest, "The audio file is longer than \(maximumSeconds) seconds")
        }
        let samples = file.mono(sampleRate: sampleRate)
        guard !samples.isEmpty else { throw TalkError(.badRequest, "Empty audio file") }
        return samples
    }

    private static let sampleRate = 24_000
    /// Maximum duration, in seconds: that of the largest recording in the app's format. Smaller samples could last far longer.
    private static let maximumSeconds = TalkCoEndpoints.maximumRecordingSize / (PCM16.sampleSize * sampleRate)
}
