import EndlessCodeWire
import Foundation
import TestKit
import Testing
import WireKit

/// Every wire message: any input that decodes survives re-encoding, and no input traps.
@Suite(.seeded) struct FuzzTests {
    private static let time = #""timestamp":"2026-11-20T23:25:51.861Z""#

    private static let clientFrames = [
        #"{"type":"user_message","sessionId":"s","content":"Grüße 😀","messageId":"6f1c1d0a-0000-4000-8000-000000000001",\#(time)}"#,
        #"{"type":"prompt_response","sessionId":"s","promptId":"q","selectedOptions":["A","B"],"customInput":"x"}"#,
        #"{"type":"session_control","action":"start","projectId":"p","requestId":"r"}"#,
        #"{"type":"session_control","action":"interrupt","sessionId":"s"}"#, #"{"type":"presence","active":true}"#,
    ]

    private static let messages = [
        #"{"messageType":"chat","chat":{"id":"c","role":"assistant","content":"a","partial":true,"offset":3,\#(time)}}"#,
        #"{"messageType":"tool_use","large":true,"toolUse":{"id":"t","tool_name":"Bash","tool_input":{"a":[1,2.5,null,"x"]},"tool_use_id":"u",\#(time)}}"#,
        #"{"messageType":"tool_result","toolResult":{"id":"t","tool_use_id":"u","output":"x","is_error":false,\#(time)},"parentToolUseId":"v"}"#,
        #"{"messageType":"ask_user","askUser":{"id":"q","tool_use_id":"u","question":"Which?","options":[{"label":"A","description":"d"}],"multiSelect":true,\#(time)}}"#,
        #"{"messageType":"result","result":{"id":"r","isError":true,"reason":"crashed","text":"t","costUSD":0.25,"inputTokens":1,"durationMs":9,\#(time)}}"#,
        #"{"messageType":"unknown","rawJSON":"{}"}"#, #"{"messageType":"new","a":1}"#,
    ]

    private static let serverFrames =
        messages.map { #"{"type":"cli_output","sessionId":"s","seq":7,"message":\#($0),\#(time)}"# } + [
            #"{"type":"sync","connectionId":"x","sessions":[{"id":"s","projectId":"p","state":"paused","createdAt":"2026-11-20T23:25:51Z","lastActiveAt":"2026-11-20T23:25:51Z","messageCount":1,"lastSeq":2,"activity":"idle"}],"recentMessages":[{"sessionId":"s","seq":1,"messageType":"unknown"}],"prompts":[]}"#,
            #"{"type":"session_state","sessionId":"s","seq":3,"state":"crashed","error":"e","activity":"working"}"#,
            #"{"type":"prompt_request","sessionId":"s","seq":4,"promptId":"q","question":{"question":"Use?","options":[{"label":"Allow"}],"multiSelect":false},"timeout":1800,"expiresAt":"2026-11-20T23:25:51Z","kind":"permission","toolName":"Bash","toolInput":{"command":"ls"},"toolUseId":"u"}"#,
            #"{"type":"prompt_resolved","sessionId":"s","seq":5,"promptId":"q","outcome":"answered","selectedOptions":["Allow"],"by":"b"}"#,
            #"{"type":"error","code":"CLI_CRASHED","message":"m","sessionId":"s"}"#,
            #"{"type":"user_message_update","sessionId":"s","seq":8,"message":{"messageType":"chat","chat":{"id":"c","role":"user","content":"a","delivery":"queued",\#(time)}},\#(time)}"#,
            #"{"type":"gap","sessionId":"s","from":1,"to":9}"#,
            #"{"type":"new","sessionId":"s","seq":9}"#,
        ]

    @Test func framesOfPhonesAreStableAfterReencoding() async throws {
        try await fuzz(Self.clientFrames.map { Data($0.utf8) }, count: Effort.count(1200, soak: 300_000)) { input in
            guard let frame = try? ClientFrame(text: String(decoding: input, as: UTF8.self)) else { return }
            try #require(try ClientFrame(text: frame.text) == frame)
        }
    }

    /// The first decoding may normalize a message; the second must not change it further.
    @Test func framesOfTheServerAreStableAfterReencoding() async throws {
        try await fuzz(Self.serverFrames.map { Data($0.utf8) }, count: Effort.count(1500, soak: 300_000)) { input in
            guard let first = try? ServerFrame(text: String(decoding: input, as: UTF8.self)) else { return }
            let tidy = try ServerFrame(text: first.text)
            try #require(try ServerFrame(text: tidy.text) == tidy)
        }
    }

    @Test func replies() async throws {
        let time = #""2026-11-20T23:25:51.861Z""#
        try await expectSame([Project].self, [#"[{"id":"p","name":"n","path":"/a","sessionCount":1,"lastUsed":\#(time)}]"#])
        try await expectSame(
            HistoryPage.self, [#"{"sessionId":"s","messages":[{"seq":1,"messageType":"unknown"}],"totalCount":1,"hasMore":false}"#])
        try await expectSame(
            FolderPage.self,
            [
                #"{"entries":[{"name":"a","path":"a","kind":"file","size":1,"modified":\#(time),"git":"M"}],"totalCount":1,"hasMore":false}"#
            ])
        try await expectSame(FileContent.self, [#"{"path":"a","size":1,"encoding":"utf8","content":"a","truncated":false}"#])
        try await expectSame(ErrorReply.self, [#"{"error":{"code":"NOT_FOUND","message":"m"}}"#])
        try await expectSame(SessionCreation.self, [#"{"projectId":"p","requestId":"r"}"#])
    }

    @Test func refusedFieldsAreNamed() async throws {
        try await fuzz(Self.clientFrames.map { Data($0.utf8) }, count: Effort.count(800, soak: 100_000)) { input in
            do throws(FieldError) {
                _ = try ClientFrame(text: String(decoding: input, as: UTF8.self))
            } catch {
                try #require(error.description.utf8.count < 400)
            }
        }
    }
}
