import Foundation
import LocalLLMWire
import Testing

/// The exact JSON of every message. A change here is visible to peers.
@Suite struct GoldenJSONTests {
    private static let id = RequestID("6f1c1d0a-0000-4000-8000-000000000001")!
    private static let idText = #""request_id":"6f1c1d0a-0000-4000-8000-000000000001""#

    /// Checks that `message` encodes to exactly `json` and decodes from it.
    private func expect(_ message: Message, is json: String, line: Int = #line) throws {
        let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        #expect(String(decoding: message.line, as: UTF8.self) == json, sourceLocation: location)
        #expect(try Message(line: Data(json.utf8)) == message, sourceLocation: location)
    }

    @Test func serverInfo() throws {
        try expect(
            .serverInfo(ServerInfo(hostName: "Ada's Mac", model: "m:1b", status: .ready)),
            is: #"{"payload":{"host_name":"Ada's Mac","model":"m:1b","status":"ready"},"type":"server_info"}"#)
        try expect(
            .serverInfo(
                ServerInfo(
                    hostName: "h", model: "m", status: .busy, features: [.messages, .models, .progress, .resume],
                    models: ["m", "n/o:2b"])),
            is:
                #"{"payload":{"features":["messages","models","progress","resume"],"host_name":"h","model":"m","models":["m","n/o:2b"],"status":"busy"},"type":"server_info"}"#
        )
    }

    @Test func admission() throws {
        try expect(
            .invitation(Invitation("7YyB1kLmNpQ2rS")!), is: #"{"payload":{"invite":"7YyB1kLmNpQ2rS"},"type":"invitation"}"#)
        try expect(
            .approval(ApprovalDecision(phone: "0a1b", isApproved: true)),
            is: #"{"payload":{"approved":true,"phone":"0a1b"},"type":"approval"}"#)
        try expect(
            .serverInfo(ServerInfo(hostName: "h", model: "m", status: .ready, waiting: ["0a1b"])),
            is: #"{"payload":{"host_name":"h","model":"m","status":"ready","waiting":["0a1b"]},"type":"server_info"}"#)
        for line in [
            #"{"payload":{"invite":"a b c d e f"},"type":"invitation"}"#, #"{"payload":{"phone":"0a1b"},"type":"approval"}"#,
            #"{"payload":{"approved":1,"phone":"0a1b"},"type":"approval"}"#,
        ] { #expect(throws: MessageError.self) { try Message(line: Data(line.utf8)) } }
    }

    @Test func chatStart() throws {
        try expect(
            .chatStart(Self.id, ChatStart(prompt: "Grüße 😀")),
            is: #"{"payload":{"prompt":"Grüße 😀"},\#(Self.idText),"type":"chat_start"}"#)
        try expect(
            .chatStart(
                Self.id,
                ChatStart(
                    prompt: "p", messages: [ChatTurn(.user, "a"), ChatTurn(.assistant, "b")], model: "m", accept: [.resume],
                    after: 3)),
            is:
                #"{"payload":{"accept":["resume"],"after":3,"messages":[{"content":"a","role":"user"},{"content":"b","role":"assistant"}],"model":"m","prompt":"p"},\#(Self.idText),"type":"chat_start"}"#
        )
    }

    @Test func answers() throws {
        try expect(
            .chatChunk(Self.id, ChatChunk("a\n\"")), is: #"{"payload":{"text":"a\n\""},\#(Self.idText),"type":"chat_chunk"}"#)
        try expect(
            .chatChunk(Self.id, ChatChunk("a", seq: 7)),
            is: #"{"payload":{"seq":7,"text":"a"},\#(Self.idText),"type":"chat_chunk"}"#)
        try expect(
            .chatProgress(Self.id, ChatProgress(.loading, fraction: 0.5)),
            is: #"{"payload":{"fraction":0.5,"stage":"loading"},\#(Self.idText),"type":"chat_progress"}"#)
        try expect(
            .chatProgress(Self.id, ChatProgress(.thinking)),
            is: #"{"payload":{"stage":"thinking"},\#(Self.idText),"type":"chat_progress"}"#)
        for reason in ["stop", "length", "abort"] {
            try expect(
                .chatEnd(Self.id, FinishReason(rawValue: reason)!),
                is: #"{"payload":{"finish_reason":"\#(reason)"},\#(Self.idText),"type":"chat_end"}"#)
        }
    }

    @Test func endTellsHowManyTurnsWereLeftOut() throws {
        try expect(
            .chatEnd(Self.id, .stop, omitted: 6),
            is: #"{"payload":{"finish_reason":"stop","omitted":6},\#(Self.idText),"type":"chat_end"}"#)
        // It only informs: a wrong value spoils no answer.
        for omitted in ["-1", "0", "null", #""6""#, "0.5"] {
            let line = #"{"type":"chat_end","request_id":"x","payload":{"finish_reason":"stop","omitted":\#(omitted)}}"#
            #expect(try Message(line: Data(line.utf8)) == .chatEnd(RequestID("x")!, .stop))
        }
    }

    @Test func abortAndErrors() throws {
        try expect(.abort(Self.id), is: #"{\#(Self.idText),"type":"abort"}"#)
        try expect(
            .error(Self.id, ErrorReport(.modelBusy, "Wait.")),
            is: #"{"payload":{"code":"MODEL_BUSY","message":"Wait."},\#(Self.idText),"type":"error"}"#)
        try expect(
            .error(nil, ErrorReport(ErrorCode(rawValue: "NEW_CODE"), "m")),
            is: #"{"payload":{"code":"NEW_CODE","message":"m"},"type":"error"}"#)
    }

    @Test func codesAreSpelledAsInTheContract() {
        let codes: [ErrorCode] = [
            .invalidServerID, .connectFailed, .hostOffline, .hostDisconnected, .timeoutNoResponse, .ollamaNotFound,
            .ollamaModelNotAvailable, .modelBusy, .generationFailed, .generationAborted, .badMessage, .unsupportedVersion,
            .approvalPending, .approvalRefused, .contextExceeded,
        ]
        #expect(
            codes.map(\.rawValue) == [
                "INVALID_SERVER_ID", "CONNECT_FAILED", "HOST_OFFLINE", "HOST_DISCONNECTED", "TIMEOUT_NO_RESPONSE",
                "OLLAMA_NOT_FOUND", "OLLAMA_MODEL_NOT_AVAILABLE", "MODEL_BUSY", "GENERATION_FAILED", "GENERATION_ABORTED",
                "BAD_MESSAGE", "UNSUPPORTED_VERSION", "APPROVAL_PENDING", "APPROVAL_REFUSED", "CONTEXT_EXCEEDED",
            ])
    }
}
