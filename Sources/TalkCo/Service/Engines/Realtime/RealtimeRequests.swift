import Foundation
import TalkCoWire
import WireKit

/// A generation of the Realtime protocol.
///
/// OpenAI closed the beta in May 2026: with the header `OpenAI-Beta: realtime=v1` its servers send the error `beta_api_shape_disabled` and
/// close with 4000. Compatible servers may know only one of the two.
enum RealtimeGeneration: Hashable, Sendable, CaseIterable {
    /// Flat session: `modalities`, `input_audio_format`, `output_audio_format`, `input_audio_transcription`, `turn_detection`, `voice`.
    case beta
    /// General availability: `session.type` is required, audio is below `session.audio.input` and `.output`, `modalities` is
    /// `output_modalities`.
    case general

    /// Creates the generation that the session in the server's first event shows; nil if it shows none.
    init?(_ session: JSONValue?) {
        guard let session, case .object(let members) = session else { return nil }
        if session["type"]?.text == "realtime" || members["output_modalities"] != nil || session["audio"]?["input"] != nil {
            self = .general
        } else if members["modalities"] != nil || members["input_audio_format"] != nil {
            self = .beta
        } else {
            return nil
        }
    }

    var other: RealtimeGeneration { self == .beta ? .general : .beta }
}

/// The events that are sent to a Realtime server. Every event has an `event_id`, which an error about the event repeats.
enum RealtimeRequests {
    /// Maximum size of the audio in one event, in bytes: a second.
    static let audioChunkSize = 48_000

    static func sessionUpdate(
        _ generation: RealtimeGeneration, instructions: String, voice: String, transcriptionModel: String, id: String
    ) throws -> String {
        let (language, value) = TranscriptionServer.language(of: transcriptionModel)
        let languages: JSONValue = language == "languages" ? .array([.string(value)]) : .string(value)
        let transcription: JSONValue = .object(["model": .string(transcriptionModel), language: languages])
        var session: [String: JSONValue] = [
            "instructions": .string(instructions), "tools": .array([searchNews]), "tool_choice": .string("auto"),
        ]
        switch generation {
        case .beta:
            session["modalities"] = .array([.string("text"), .string("audio")])
            session["voice"] = .string(voice)
            session["input_audio_format"] = .string("pcm16")
            session["output_audio_format"] = .string("pcm16")
            session["input_audio_transcription"] = transcription
            session["turn_detection"] = .null
        case .general:
            let format: JSONValue = .object(["type": .string("audio/pcm"), "rate": .integer(24_000)])
            session["type"] = .string("realtime")
            session["output_modalities"] = .array([.string("audio")])
            session["audio"] = .object([
                "input": .object(["format": format, "transcription": transcription, "turn_detection": .null]),
                "output": .object(["format": format, "voice": .string(voice)]),
            ])
        }
        return try encode("session.update", id, ["session": .object(session)])
    }

    private static let searchNews: JSONValue = .object([
        "type": .string("function"), "name": .string(NewsSearch.name),
        "description": .string(
            "Searches today's news. Use it when the learner asks about, or mentions, something that happened recently."),
        "parameters": .object([
            "type": .string("object"),
            "properties": .object([
                "query": .object(["type": .string("string"), "description": .string("Search words, in English")])
            ]),
            "required": .array([.string("query")]),
        ]),
    ])

    static func append(_ audio: Data, id: String) throws -> String {
        try encode("input_audio_buffer.append", id, ["audio": .string(audio.base64EncodedString())])
    }

    static func commit(id: String) throws -> String { try encode("input_audio_buffer.commit", id) }
    static func clear(id: String) throws -> String { try encode("input_audio_buffer.clear", id) }
    static func createResponse(id: String) throws -> String { try encode("response.create", id) }

    static func cancel(_ response: String?, id: String) throws -> String {
        try encode("response.cancel", id, response.map { ["response_id": .string($0)] } ?? [:])
    }

    static func learnerText(_ text: String, id: String) throws -> String {
        try encode("conversation.item.create", id, ["item": message("user", "input_text", text)])
    }

    /// Returns the event for an answer of the tutor in an earlier connection.
    static func tutorText(_ text: String, _ generation: RealtimeGeneration, id: String) throws -> String {
        let content = generation == .beta ? "text" : "output_text"
        return try encode("conversation.item.create", id, ["item": message("assistant", content, text)])
    }

    static func callOutput(_ output: String, of call: RealtimeCall, id: String) throws -> String {
        let item: [String: JSONValue] = [
            "type": .string("function_call_output"), "call_id": .string(call.id), "output": .string(output),
        ]
        return try encode("conversation.item.create", id, ["item": .object(item)])
    }

    private static func message(_ role: String, _ content: String, _ text: String) -> JSONValue {
        .object([
            "type": .string("message"), "role": .string(role),
            "content": .array([.object(["type": .string(content), "text": .string(text)])]),
        ])
    }

    private static func encode(_ type: String, _ id: String, _ members: [String: JSONValue] = [:]) throws -> String {
        var event = members
        event["type"] = .string(type)
        event["event_id"] = .string(id)
        return String(decoding: try WireJSON.encode(JSONValue.object(event)), as: UTF8.self)
    }
}
