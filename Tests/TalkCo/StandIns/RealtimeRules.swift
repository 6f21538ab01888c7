import Foundation
import WireKit

/// The generation of the Realtime protocol that a stand-in speaks.
package enum StandInGeneration: String, Sendable, CaseIterable {
    case beta, general
}

/// An error of the Realtime server about a client's event.
struct RealtimeRefusal: Error {
    var code: String
    var message: String
    var param: String?
}

/// The rules by which a Realtime server checks the events of its clients. Stricter than the real one where the real one ignores mistakes.
struct RealtimeRules {
    /// 100 ms.
    static let minimumCommit = 4_800

    let generation: StandInGeneration
    private(set) var buffer = Data()
    private(set) var session: JSONValue?
    /// The calls whose output has not come.
    var openCalls: Set<String> = []

    enum Effect {
        case sessionUpdated
        case committed(Data)
        case itemCreated(JSONValue)
        case respond
        case cancel(String?)
        case nothing
    }

    init(_ generation: StandInGeneration) { self.generation = generation }

    mutating func receive(_ event: JSONValue) throws(RealtimeRefusal) -> Effect {
        guard let type = event["type"]?.string else { throw missing("type") }
        switch type {
        case "session.update":
            try only(["type", "event_id", "session"], event, "")
            guard let session = event["session"], session.objectMembers != nil else { throw missing("session") }
            try check(session: session)
            self.session = session
            return .sessionUpdated
        case "input_audio_buffer.append":
            try only(["type", "event_id", "audio"], event, "")
            guard let audio = event["audio"]?.string.flatMap({ Data(base64Encoded: $0) }) else { throw missing("audio") }
            guard audio.count <= 15_728_640 else {
                throw RealtimeRefusal(code: "invalid_value", message: "audio is too long", param: "audio")
            }
            buffer += audio
            return .nothing
        case "input_audio_buffer.clear":
            buffer = Data()
            return .nothing
        case "input_audio_buffer.commit":
            try only(["type", "event_id"], event, "")
            guard buffer.count >= Self.minimumCommit else {
                throw RealtimeRefusal(
                    code: "input_audio_buffer_commit_empty",
                    message: "Error committing input audio buffer: buffer too small. Expected at least 100ms of audio.")
            }
            defer { buffer = Data() }
            return .committed(buffer)
        case "conversation.item.create":
            try only(["type", "event_id", "item", "previous_item_id"], event, "")
            guard let item = event["item"] else { throw missing("item") }
            try check(item: item)
            return .itemCreated(item)
        case "response.create":
            try only(["type", "event_id", "response"], event, "")
            return .respond
        case "response.cancel":
            try only(["type", "event_id", "response_id"], event, "")
            return .cancel(event["response_id"]?.string)
        default:
            throw RealtimeRefusal(code: "invalid_value", message: "Invalid value: '\(type)'.", param: "type")
        }
    }

    private func check(session: JSONValue) throws(RealtimeRefusal) {
        let shared: Set<String> = ["instructions", "tools", "tool_choice"]
        switch generation {
        case .beta:
            try only(
                shared.union([
                    "modalities", "voice", "input_audio_format", "output_audio_format", "input_audio_transcription",
                    "turn_detection",
                    "temperature", "max_response_output_tokens",
                ]), session, "session.")
            for key in ["input_audio_format", "output_audio_format"] {
                try require(session[key] == .string("pcm16"), "session.\(key)")
            }
            try require(session["voice"]?.string?.isEmpty == false, "session.voice")
            try require(session["turn_detection"] == .null, "session.turn_detection")
            try require(session["input_audio_transcription"]?["model"]?.string != nil, "session.input_audio_transcription.model")
        case .general:
            try require(session["type"] == .string("realtime"), "session.type")
            try only(shared.union(["type", "output_modalities", "audio", "max_output_tokens", "model"]), session, "session.")
            try require(session["output_modalities"] == .array([.string("audio")]), "session.output_modalities")
            for side in ["input", "output"] {
                let format = session["audio"]?[side]?["format"]
                try require(
                    format?["type"] == .string("audio/pcm") && format?["rate"] == .integer(24_000), "session.audio.\(side).format")
            }
            try require(session["audio"]?["input"]?["turn_detection"] == .null, "session.audio.input.turn_detection")
            try require(
                session["audio"]?["input"]?["transcription"]?["model"]?.string != nil, "session.audio.input.transcription.model")
            try require(session["audio"]?["output"]?["voice"]?.string?.isEmpty == false, "session.audio.output.voice")
        }
        try require(session["instructions"]?.string?.isEmpty == false, "session.instructions")
        for tool in session["tools"]?.array ?? [] {
            try require(tool["type"] == .string("function") && tool["name"]?.string != nil, "session.tools[0].name")
            try require(tool["parameters"]?["type"] == .string("object"), "session.tools[0].parameters")
        }
    }

    private mutating func check(item: JSONValue) throws(RealtimeRefusal) {
        switch item["type"]?.string {
        case "message":
            let assistant = generation == .beta ? "text" : "output_text"
            guard let expected = ["user": "input_text", "assistant": assistant][item["role"]?.string ?? ""] else {
                throw missing("item.role")
            }
            let contents = item["content"]?.array ?? []
            try require(!contents.isEmpty, "item.content")
            for content in contents {
                try require(content["type"] == .string(expected), "item.content[0].type")
                try require(content["text"]?.string?.isEmpty == false, "item.content[0].text")
            }
        case "function_call_output":
            guard let call = item["call_id"]?.string, openCalls.remove(call) != nil else { throw missing("item.call_id") }
            try require(item["output"]?.string != nil, "item.output")
        default: throw missing("item.type")
        }
    }

    private func only(_ keys: Set<String>, _ value: JSONValue, _ path: String) throws(RealtimeRefusal) {
        guard let unknown = (value.objectMembers ?? [:]).keys.sorted().first(where: { !keys.contains($0) }) else { return }
        throw RealtimeRefusal(code: "unknown_parameter", message: "Unknown parameter: '\(path)\(unknown)'.", param: path + unknown)
    }

    private func require(_ isTrue: Bool, _ param: String) throws(RealtimeRefusal) { if !isTrue { throw missing(param) } }

    private func missing(_ param: String) -> RealtimeRefusal {
        RealtimeRefusal(code: "missing_required_parameter", message: "Missing or wrong parameter: '\(param)'.", param: param)
    }
}
