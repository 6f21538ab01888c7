package import Foundation
import ServerKit
package import WireKit

/// One response of a Realtime stand-in, for the script that writes it.
package struct RealtimeExchange: Sendable {
    /// The learner's part.
    package enum Input: Sendable, Hashable {
        case audio(Data)
        case text(String)
        /// The output of a function that the model called.
        case output(String)
        /// None: the greeting.
        case nothing
    }

    /// From 0, over all connections of the stand-in.
    package let number: Int
    package let input: Input
    package let responseID: String
    /// The item of the learner's recording.
    package let itemID: String?
    let generation: StandInGeneration
    let connection: WebSocketConnection
    let addCall: @Sendable (String) -> Void
    /// The response is over: the client may request the next one.
    let end: @Sendable () -> Void

    /// Sends an event.
    package func send(_ type: String, _ members: [String: JSONValue] = [:]) async throws {
        var event = members
        event["type"] = .string(type)
        event["event_id"] = .string("event_\(UInt32.random(in: 0 ... .max))")
        try await raw(String(decoding: try WireJSON.encode(JSONValue.object(event)), as: UTF8.self))
    }

    /// Sends any text.
    package func raw(_ text: String) async throws { try await connection.send(text) }

    private func ofResponse(_ beta: String, _ general: String, _ members: [String: JSONValue], id: String? = nil) async throws {
        var members = members
        members["response_id"] = .string(id ?? responseID)
        members["item_id"] = .string("item_of_\(responseID)")
        try await send(generation == .beta ? beta : general, members)
    }

    package func created() async throws {
        try await send("response.created", ["response": .object(["id": .string(responseID), "status": .string("in_progress")])])
    }

    /// - Parameter id: Another response than this one.
    package func audio(_ samples: Data, id: String? = nil) async throws {
        try await ofResponse(
            "response.audio.delta", "response.output_audio.delta", ["delta": .string(samples.base64EncodedString())], id: id)
    }

    package func text(_ delta: String, id: String? = nil) async throws {
        try await ofResponse(
            "response.audio_transcript.delta", "response.output_audio_transcript.delta", ["delta": .string(delta)], id: id)
    }

    package func transcript(_ text: String, item: String? = nil) async throws {
        try await send(
            "conversation.item.input_audio_transcription.completed",
            ["item_id": .string(item ?? itemID ?? "item_unknown"), "content_index": .integer(0), "transcript": .string(text)])
    }

    package func transcriptFailed() async throws {
        try await send(
            "conversation.item.input_audio_transcription.failed",
            ["item_id": .string(itemID ?? "item_unknown"), "error": .object(["message": .string("Input transcription failed")])])
    }

    package func call(_ name: String, _ arguments: String, id: String) async throws {
        addCall(id)
        let item: [String: JSONValue] = [
            "type": .string("function_call"), "call_id": .string(id), "name": .string(name), "arguments": .string(arguments),
        ]
        try await send("response.output_item.done", ["response_id": .string(responseID), "item": .object(item)])
    }

    package func done(_ status: String = "completed", id: String? = nil) async throws {
        var response: [String: JSONValue] = ["id": .string(id ?? responseID), "status": .string(status), "output": .array([])]
        if status == "failed" {
            response["status_details"] = .object(["error": .object(["message": .string("The model is overloaded")])])
        }
        if id == nil { end() }
        try await send("response.done", ["response": .object(response)])
    }

    package func error(_ code: String, _ message: String) async throws {
        try await send(
            "error", ["error": .object(["type": .string("server_error"), "code": .string(code), "message": .string(message)])])
    }

    /// Closes the connection.
    package func hangUp(_ code: UInt16 = 1011) { connection.close(WebSocketCloseCode(rawValue: code)) }

    /// A whole answer: text and tone in pieces, the transcript after the first of them.
    package func answer(_ text: String, transcript: String?) async throws {
        let samples = StandInTutor.voice(text)
        var isFirst = true
        for word in text.split(separator: " ") {
            try await self.text((isFirst ? "" : " ") + word)
            isFirst = false
        }
        for start in stride(from: 0, to: samples.count, by: 9_600) {
            try await audio(samples.dropFirst(start).prefix(9_600))
            if start == 0, let transcript { try await self.transcript(transcript) }
        }
        try await done()
    }
}
