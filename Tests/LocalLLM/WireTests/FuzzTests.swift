import Foundation
import LocalLLMWire
import TestKit
import Testing

@Suite(.seeded) struct FuzzTests {
    private static let lines = [
        #"{"type":"server_info","payload":{"host_name":"h","model":"m","status":"busy","features":["resume"],"models":["m"]}}"#,
        #"{"type":"chat_start","request_id":"r","version":1,"payload":{"prompt":"Grüße 😀","messages":[{"role":"user","content":"c"}],"model":"m","accept":["resume","progress"],"after":7}}"#,
        #"{"type":"chat_chunk","request_id":"r","payload":{"text":"t\n","seq":7}}"#,
        #"{"type":"chat_progress","request_id":"r","payload":{"stage":"loading","fraction":0.25}}"#,
        #"{"type":"chat_end","request_id":"r","payload":{"finish_reason":"stop","omitted":4}}"#,
        #"{"type":"abort","request_id":"r"}"#,
        #"{"type":"error","request_id":"r","payload":{"code":"MODEL_BUSY","message":"m"}}"#,
    ]

    /// No line traps, and a line that is read survives being written and read again.
    @Test func messagesSurviveReencoding() async throws {
        try await fuzz(Self.lines.map { Data($0.utf8) }, count: Effort.count(8000, soak: 300_000)) { input in
            guard let message = try? Message(line: input) else { return }
            try #require(!message.line.contains(0x0a))
            try #require(try Message(line: message.line) == message)
        }
    }

    @Test func serverIDsSurviveReencoding() async throws {
        let texts = ["localllm://9nqzVUBwhHJkpFyj9kPDfRmSxqNH6Lz9sSAWQVxJPJ8M", "11111111111111111111111111111111"]
        try await fuzz(texts.map { Data($0.utf8) }, count: Effort.count(2000, soak: 50_000)) { input in
            guard let id = ServerID(text: String(decoding: input, as: UTF8.self)) else { return }
            try #require(ServerID(text: id.link) == id)
        }
    }
}
