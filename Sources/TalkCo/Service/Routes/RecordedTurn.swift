import AudioKit
import Foundation
import HummingbirdCore
import ServerKit
import TalkCoWire
import WireKit

/// The body of `POST /sessions/{id}/chat`: a form with a recording.
struct RecordedTurn: Sendable {
    /// Samples of 24 kHz.
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
        guard file.channelCount == 1 else {
            throw TalkError(.badRequest, "The audio file has \(file.channelCount) channels; expected one")
        }
        guard acceptedRates.contains(file.sampleRate) else {
            throw TalkError(.badRequest, "The audio file has \(file.sampleRate) samples per second; expected 24000")
        }
        guard !file.samples.isEmpty else { throw TalkError(.badRequest, "Empty audio file") }
        return file.sampleRate == sampleRate ? file.samples : file.mono(sampleRate: sampleRate)
    }

    private static let sampleRate = 24_000
    private static let acceptedRates = [16_000, 24_000, 44_100, 48_000]
}
