import Foundation
import NetworkingKit
import WireKit

/// An event from a Realtime server. Any field may be missing.
///
/// Two generations of the protocol have the same fields under other names of events. Source: `Docs/Protocols/TalkCo.md`, section 6;
/// OpenAI's guide *Realtime API*, section *Beta to GA migration*.
///
/// | beta | general availability |
/// | --- | --- |
/// | `response.audio.delta` | `response.output_audio.delta` |
/// | `response.audio_transcript.delta`, `.done` | `response.output_audio_transcript.delta`, `.done` |
/// | `response.text.delta`, `.done` | `response.output_text.delta`, `.done` |
/// | `conversation.item.created` | `conversation.item.added`, `conversation.item.done` |
struct RealtimeEvent: Hashable, Sendable {
    /// The kinds of events that the service uses, the same for both generations.
    enum Kind: Hashable, Sendable {
        case sessionCreated, sessionUpdated
        case inputCommitted, transcriptCompleted, transcriptFailed
        case responseCreated, audioDelta, textDelta, textDone, itemDone, responseDone
        case error
        case other
    }

    let kind: Kind
    private let json: JSONValue

    init(_ json: JSONValue) {
        self.json = json
        kind =
            switch json["type"]?.text {
            case "session.created": .sessionCreated
            case "session.updated": .sessionUpdated
            case "input_audio_buffer.committed": .inputCommitted
            case "conversation.item.input_audio_transcription.completed": .transcriptCompleted
            case "conversation.item.input_audio_transcription.failed": .transcriptFailed
            case "response.created": .responseCreated
            case "response.audio.delta", "response.output_audio.delta": .audioDelta
            case "response.audio_transcript.delta", "response.output_audio_transcript.delta", "response.text.delta",
                "response.output_text.delta":
                .textDelta
            case "response.audio_transcript.done", "response.output_audio_transcript.done", "response.text.done",
                "response.output_text.done":
                .textDone
            case "response.output_item.done": .itemDone
            case "response.done": .responseDone
            case "error": .error
            default: .other
            }
    }

    /// - Returns: nil for a message that is not a JSON object with a type.
    init?(_ message: SocketMessage) {
        let bytes =
            switch message {
            case .text(let text): Data(text.utf8)
            // Some relays send JSON in binary messages.
            case .data(let data): data
            }
        guard let json = try? WireJSON.decode(JSONValue.self, from: bytes), json["type"]?.text != nil else { return nil }
        self.init(json)
    }

    /// The response that the event belongs to; nil if the server does not name it, or the event belongs to none.
    var responseID: String? { json["response_id"]?.text ?? json["response"]?["id"]?.text }
    /// The conversation item that the event belongs to; nil for none.
    var itemID: String? { json["item_id"]?.text }
    /// The samples, decoded from base64; nil if missing or malformed.
    var audio: Data? { json["delta"]?.text.flatMap { Data(base64Encoded: $0) } }
    var textDelta: String? { json["delta"]?.text }
    var transcript: String? { json["transcript"]?.text ?? json["text"]?.text }
    var session: JSONValue? { json["session"] }

    /// The function call in a finished item; nil for another item.
    var call: RealtimeCall? { json["item"].flatMap(RealtimeCall.init) }

    /// The status of a finished response: `completed`, `cancelled`, `failed` or `incomplete`. A missing status means `completed`.
    var status: String { json["response"]?["status"]?.text ?? "completed" }
    /// The calls in a finished response.
    var calls: [RealtimeCall] { (json["response"]?["output"]?.list ?? []).compactMap(RealtimeCall.init) }
    /// The text in a finished response.
    var output: String {
        let contents = (json["response"]?["output"]?.list ?? []).flatMap { $0["content"]?.list ?? [] }
        return contents.compactMap { $0["transcript"]?.text ?? $0["text"]?.text }.joined(separator: " ")
    }

    /// The client event that caused the error; nil if the server does not name it.
    var rejectedEventID: String? { json["error"]?["event_id"]?.text }
    var errorCode: String? { json["error"]?["code"]?.text }
    var errorMessage: String {
        json["error"]?["message"]?.text ?? json["response"]?["status_details"]?["error"]?["message"]?.text
            ?? "an error without a message"
    }
}

/// The model's call of a function.
struct RealtimeCall: Hashable, Sendable {
    var id: String
    var name: String
    /// JSON, as the model wrote it.
    var arguments: String

    init?(_ item: JSONValue) {
        guard item["type"]?.text == "function_call", let id = item["call_id"]?.text, let name = item["name"]?.text else {
            return nil
        }
        self.id = id
        self.name = name
        arguments = item["arguments"]?.text ?? "{}"
    }
}
