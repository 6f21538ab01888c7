public import Foundation
import WireKit

/// An event of the streams of `start`, `chat` and `chat/text`. `Docs/Protocols/TalkCo.md`, section 3.
public enum TalkEvent: Hashable, Sendable {
    /// The learner's words; empty for silence.
    case transcript(String)
    /// PCM, 16 bits little-endian, 24 kHz, mono, whole samples.
    case audio(Data)
    /// Extension, for clients that accept it: the whole answer, as soon as it is written. More `audio` and the `response` follow, unless
    /// the turn fails.
    case text(String)
    /// The whole answer of the tutor.
    case response(String)
    /// Extension, for clients that accept it: sentences that the learner may read aloud next.
    case choices([String])
    case timing(step: String, seconds: Double)
    /// Extension: the reason why there is no response, as the raw value of a ``Failure`` or another text, and in words for users. The same
    /// turn may be sent again.
    case failure(String, detail: String? = nil)
    /// Extension: another tutor answers this turn, in the events that follow. `detail` is the reason in words for users.
    case substitution(detail: String)
    case done

    /// The reason of a turn without a response.
    public enum Failure: String, Sendable {
        /// The answer could not be stored: the disk of the service is full.
        case storageFull = "storage_full"
        /// A model or a server behind the service failed.
        case engine
    }

    /// The value of the field `event`.
    public var name: String {
        switch self {
        case .transcript: "transcript"
        case .audio: "audio"
        case .text: "text"
        case .response: "response"
        case .choices: "choices"
        case .timing: "timing"
        case .failure: "failure"
        case .substitution: "substitution"
        case .done: "done"
        }
    }

    /// Returns the value of the field `data`: JSON without line breaks.
    public func data() throws -> Data {
        switch self {
        case .transcript(let text), .text(let text), .response(let text): try WireJSON.encode(TextData(text: text))
        case .audio(let samples): try WireJSON.encode(AudioData(audio: samples))
        case .choices(let options): try WireJSON.encode(ChoicesData(choices: options))
        case .timing(let step, let seconds): try WireJSON.encode(TimingData(step: step, seconds: seconds))
        case .failure(let code, let detail): try WireJSON.encode(FailureData(code: code, detail: detail))
        case .substitution(let detail): try WireJSON.encode(SubstitutionData(detail: detail))
        case .done: try WireJSON.encode(NoData())
        }
    }

    /// Returns the event as it is sent: its two fields, and the blank line that ends the event.
    public func block() throws -> Data {
        Data("event: \(name)\ndata: ".utf8) + (try data()) + Data("\n\n".utf8)
    }

    /// Decodes an event.
    ///
    /// - Returns: nil for an event of an unknown name.
    /// - Throws: `WireJSONError` or `DecodingError` when `data` does not have the form that the name requires.
    public init?(name: String, data: Data) throws {
        switch name {
        case "transcript": self = .transcript(try WireJSON.decode(TextData.self, from: data).text)
        case "text": self = .text(try WireJSON.decode(TextData.self, from: data).text)
        case "response": self = .response(try WireJSON.decode(TextData.self, from: data).text)
        case "audio": self = .audio(try WireJSON.decode(AudioData.self, from: data).audio)
        case "choices": self = .choices(try WireJSON.decode(ChoicesData.self, from: data).choices)
        case "timing":
            let timing = try WireJSON.decode(TimingData.self, from: data)
            self = .timing(step: timing.step, seconds: timing.seconds)
        case "failure":
            let failure = try WireJSON.decode(FailureData.self, from: data)
            self = .failure(failure.code, detail: failure.detail)
        case "substitution": self = .substitution(detail: try WireJSON.decode(SubstitutionData.self, from: data).detail)
        case "done": self = .done
        default: return nil
        }
    }
}

private struct TextData: Codable { var text: String }
/// `Data` is base64 in JSON.
private struct AudioData: Codable { var audio: Data }
private struct ChoicesData: Codable { var choices: [String] }
private struct FailureData: Codable {
    var code: String
    var detail: String?
}
private struct SubstitutionData: Codable { var detail: String }
private struct NoData: Codable {}
private struct TimingData: Codable {
    var step: String
    var seconds: Double

    enum CodingKeys: String, CodingKey {
        case step
        case seconds = "duration_s"
    }
}
