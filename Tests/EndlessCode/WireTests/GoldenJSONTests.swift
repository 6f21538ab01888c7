import EndlessCodeWire
import Foundation
import Testing
import WireKit

/// The exact JSON of every message. A change here is visible to peers.
@Suite struct GoldenJSONTests {
    private static let time = Timestamp("2026-11-20T23:25:51.861Z")!
    private static let timeText = #""2026-11-20T23:25:51.861Z""#

    private func expect<Value: Codable & Equatable>(
        _ value: Value, is json: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(String(decoding: try WireJSON.encode(value), as: UTF8.self) == json, sourceLocation: sourceLocation)
        #expect(try WireJSON.decode(Value.self, from: Data(json.utf8)) == value, sourceLocation: sourceLocation)
    }

    // MARK: Calls

    @Test func projectsAndSessions() throws {
        try expect(
            Project(id: "p1", name: "app", path: "/home/ada/app", sessionCount: 2, lastUsed: Self.time),
            is: #"{"id":"p1","lastUsed":\#(Self.timeText),"name":"app","path":"/home/ada/app","sessionCount":2}"#)
        try expect(
            Project(id: "p1", name: "app", path: "/a", sessionCount: 0),
            is: #"{"id":"p1","name":"app","path":"/a","sessionCount":0}"#)
        try expect(
            Session(
                id: "s1", projectId: "p1", state: .active, createdAt: Self.time, lastActiveAt: Self.time, messageCount: 4,
                lastSeq: 9,
                activity: .waiting, permissionMode: "default"),
            is:
                #"{"activity":"waiting","createdAt":\#(Self.timeText),"id":"s1","lastActiveAt":\#(Self.timeText),"lastSeq":9,"messageCount":4,"permissionMode":"default","projectId":"p1","state":"active"}"#
        )
        try expect(SessionCreation(projectId: "p1"), is: #"{"projectId":"p1"}"#)
        try expect(SessionCreation(projectId: "p1", requestId: "r"), is: #"{"projectId":"p1","requestId":"r"}"#)
        #expect(Session.State.allCases.map(\.rawValue) == ["active", "paused", "terminated", "crashed"])
        #expect(Session.Activity.allCases.map(\.rawValue) == ["idle", "working", "waiting"])
    }

    @Test func filesAndNumbers() throws {
        try expect(
            FolderPage(
                entries: [
                    FileEntry(name: "Sources", path: "a/Sources", kind: .directory, size: 0, modified: Self.time),
                    FileEntry(name: "b.swift", path: "a/b.swift", kind: .file, size: 12, modified: Self.time, git: .untracked),
                ], totalCount: 102, hasMore: true),
            is:
                #"{"entries":[{"kind":"directory","modified":\#(Self.timeText),"name":"Sources","path":"a/Sources","size":0},{"git":"U","kind":"file","modified":\#(Self.timeText),"name":"b.swift","path":"a/b.swift","size":12}],"hasMore":true,"totalCount":102}"#
        )
        try expect(
            FileContent(path: "b.swift", size: 3, encoding: .utf8, content: "a\n😀"),
            is: #"{"content":"a\n😀","encoding":"utf8","path":"b.swift","size":3,"truncated":false}"#)
        try expect(
            FileContent(path: "k.txt", size: 3, encoding: .utf8, charset: "EUC-KR", content: "한\n"),
            is: #"{"charset":"EUC-KR","content":"한\n","encoding":"utf8","path":"k.txt","size":3,"truncated":false}"#)
        try expect(
            WorkTreeDiff(
                git: true,
                workTrees: [.init(path: "w/a", branch: "a", unstaged: "d"), .init(path: "w/b", branch: nil, problem: "no")]),
            is:
                #"{"git":true,"staged":"","truncated":false,"unstaged":"","workTrees":[{"branch":"a","path":"w/a","staged":"","truncated":false,"unstaged":"d"},{"path":"w/b","problem":"no","staged":"","truncated":false,"unstaged":""}]}"#
        )
        try expect(
            FileContent(path: "b.png", size: 3, encoding: .binary),
            is: #"{"encoding":"binary","path":"b.png","size":3,"truncated":false}"#)
        try expect(
            WorkTreeDiff(git: true, staged: "a", unstaged: "b", truncated: true),
            is: #"{"git":true,"staged":"a","truncated":true,"unstaged":"b"}"#)
        try expect(
            WorkTreeDiff(git: false, problem: "git failed"),
            is: #"{"git":false,"problem":"git failed","staged":"","truncated":false,"unstaged":""}"#)
        try expect(
            Stats(activeSessions: 1, totalSessions: 2, activeConnections: 3, pendingPrompts: 4),
            is: #"{"activeConnections":3,"activeSessions":1,"isRunning":true,"pendingPrompts":4,"totalSessions":2}"#)
        try expect(Health(), is: #"{"status":"ok"}"#)
        try expect(ErrorReply(.sessionLimit, "Five."), is: #"{"error":{"code":"SESSION_LIMIT","message":"Five."}}"#)
    }

    @Test func history() throws {
        let chat = Message(.chat(Chat(id: "c", role: .user, content: "hi", timestamp: Self.time)))
        try expect(
            HistoryPage(sessionId: "s1", messages: [LoggedMessage(seq: 3, chat)], totalCount: 7, hasMore: true),
            is:
                #"{"hasMore":true,"messages":[{"chat":{"content":"hi","id":"c","role":"user","timestamp":\#(Self.timeText)},"messageType":"chat","seq":3}],"sessionId":"s1","totalCount":7}"#
        )
    }

    @Test func pushes() throws {
        try expect(
            PushSettings(address: .apns(token: "ab"), content: PushContent.nothing, language: "ko"),
            is: #"{"address":{"apns":{"token":"ab"}},"content":"none","language":"ko"}"#)
        try expect(PushOffer(webPushKey: nil), is: #"{"ntfy":null,"webPushKey":null}"#)
        try expect(
            PushOffer(webPushKey: "k", ntfy: NtfyOffer(server: "https://n", topic: "t")),
            is: #"{"ntfy":{"server":"https://n","topic":"t"},"webPushKey":"k"}"#)
        try expect(PushReply(isOn: true), is: #"{"status":"on"}"#)
        try expect(PushReply(isOn: false), is: #"{"status":"off"}"#)
        #expect(PushContent.allCases.map(\.rawValue) == ["none", "full"])
        #expect(NoticeID.session("s1") == "session-s1")
        #expect(NoticeID.session(of: "session-s1") == "s1")
        for id in ["s1", "session-", "session-a b"] { #expect(NoticeID.session(of: id) == nil) }
    }

    // MARK: Messages of a conversation

    @Test func messages() throws {
        try expect(
            Message(.chat(Chat(id: "c", role: .user, content: "a", timestamp: Self.time, delivery: .queued))),
            is:
                #"{"chat":{"content":"a","delivery":"queued","id":"c","role":"user","timestamp":\#(Self.timeText)},"messageType":"chat"}"#
        )
        try expect(
            Message(.chat(Chat(id: "c", role: .assistant, content: "a", timestamp: Self.time)), isLarge: true),
            is:
                #"{"chat":{"content":"a","id":"c","role":"assistant","timestamp":\#(Self.timeText)},"large":true,"messageType":"chat"}"#
        )
        try expect(
            Message(.chat(Chat(id: "c", role: .assistant, content: "b", timestamp: Self.time, offset: 0))),
            is:
                #"{"chat":{"content":"b","id":"c","offset":0,"partial":true,"role":"assistant","timestamp":\#(Self.timeText)},"messageType":"chat"}"#
        )
        try expect(
            Message(
                .toolUse(
                    ToolUse(
                        id: "t", toolName: "Bash", toolInput: .object(["command": .string("ls"), "n": .number(0.5)]),
                        toolUseId: "u", timestamp: Self.time)), parentToolUseId: "v"),
            is:
                #"{"messageType":"tool_use","parentToolUseId":"v","toolUse":{"id":"t","timestamp":\#(Self.timeText),"tool_input":{"command":"ls","n":0.5},"tool_name":"Bash","tool_use_id":"u"}}"#
        )
        try expect(
            Message(.toolResult(ToolResult(id: "t", toolUseId: "u", output: "x", isError: true, timestamp: Self.time))),
            is:
                #"{"messageType":"tool_result","toolResult":{"id":"t","is_error":true,"output":"x","timestamp":\#(Self.timeText),"tool_use_id":"u"}}"#
        )
        try expect(
            Message(.askUser(AskUser(id: "q", toolUseId: "u", question: Question("Which?", options: ["A"]), timestamp: Self.time))),
            is:
                #"{"askUser":{"id":"q","multiSelect":false,"options":[{"label":"A"}],"question":"Which?","timestamp":\#(Self.timeText),"tool_use_id":"u"},"messageType":"ask_user"}"#
        )
        try expect(
            Message(
                .result(
                    TurnResult(
                        id: "r", isError: false, reason: "success", costUSD: 0.25, inputTokens: 10, outputTokens: 20,
                        durationMs: 1500,
                        timestamp: Self.time))),
            is:
                #"{"messageType":"result","result":{"costUSD":0.25,"durationMs":1500,"id":"r","inputTokens":10,"isError":false,"outputTokens":20,"reason":"success","timestamp":\#(Self.timeText)}}"#
        )
        try expect(
            Message(
                .toolUse(
                    ToolUse(
                        id: "t", toolName: "Edit a", toolInput: .object([:]), toolUseId: "u", kind: "edit",
                        content: [.text("x"), .diff(path: "a", old: nil, new: "y"), .diff(path: "b", old: "o", new: "n")],
                        timestamp: Self.time))),
            is:
                #"{"messageType":"tool_use","toolUse":{"content":[{"text":"x","type":"text"},{"newText":"y","path":"a","type":"diff"},{"newText":"n","oldText":"o","path":"b","type":"diff"}],"id":"t","kind":"edit","timestamp":\#(Self.timeText),"tool_input":{},"tool_name":"Edit a","tool_use_id":"u"}}"#
        )
        try expect(
            Message(
                .notice(
                    Notice(
                        id: "n", kind: "retry", reason: "overloaded", status: 529, attempt: 2, maxAttempts: 10,
                        nextAttemptAt: Self.time, timestamp: Self.time))),
            is:
                #"{"messageType":"notice","notice":{"attempt":2,"id":"n","kind":"retry","maxAttempts":10,"nextAttemptAt":\#(Self.timeText),"reason":"overloaded","status":529,"timestamp":\#(Self.timeText)}}"#
        )
        try expect(
            Message(.notice(Notice(id: "n", kind: "warning", text: "w", timestamp: Self.time))),
            is: #"{"messageType":"notice","notice":{"id":"n","kind":"warning","text":"w","timestamp":\#(Self.timeText)}}"#)
        let later: ToolContent = try WireJSON.decode(from: Data(#"{"type":"terminal","terminalId":"x"}"#.utf8))
        #expect(later == .text("[terminal]"))
        try expect(Message(.unknown(rawJSON: #"{"a":1}"#)), is: #"{"messageType":"unknown","rawJSON":"{\"a\":1}"}"#)
    }

    // MARK: Frames

    private func expect(_ frame: ClientFrame, is json: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(frame.text == json, sourceLocation: sourceLocation)
        #expect(try ClientFrame(text: json) == frame, sourceLocation: sourceLocation)
    }

    private func expect(_ frame: ServerFrame, is json: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(frame.text == json, sourceLocation: sourceLocation)
        #expect(try ServerFrame(text: json) == frame, sourceLocation: sourceLocation)
    }

    @Test func framesOfAPhone() throws {
        let uuid = "6f1c1d0a-0000-4000-8000-000000000001"
        try expect(
            .userMessage(UserMessage(sessionId: "s1", content: "Grüße 😀", timestamp: Self.time, messageId: UserMessage.ID(uuid))),
            is:
                #"{"content":"Grüße 😀","messageId":"\#(uuid)","sessionId":"s1","timestamp":\#(Self.timeText),"type":"user_message"}"#
        )
        try expect(
            .promptResponse(PromptAnswer(sessionId: "s1", promptId: "q", selectedOptions: ["Deny"], customInput: "no")),
            is: #"{"customInput":"no","promptId":"q","selectedOptions":["Deny"],"sessionId":"s1","type":"prompt_response"}"#)
        try expect(
            .sessionControl(SessionControl(.start, projectId: "p1", requestId: "r")),
            is: #"{"action":"start","projectId":"p1","requestId":"r","type":"session_control"}"#)
        for action in [SessionControl.Action.pause, .resume, .terminate, .interrupt] {
            try expect(
                .sessionControl(SessionControl(action, sessionId: "s1")),
                is: #"{"action":"\#(action.rawValue)","sessionId":"s1","type":"session_control"}"#)
        }
        try expect(.presence(isActive: true), is: #"{"active":true,"type":"presence"}"#)
    }

    @Test func framesOfTheServer() throws {
        let chat = Message(.chat(Chat(id: "c", role: .user, content: "hi", timestamp: Self.time)))
        let chatText = #""chat":{"content":"hi","id":"c","role":"user","timestamp":\#(Self.timeText)}"#
        try expect(
            .sync(
                Sync(connectionId: "x", sessions: [], recentMessages: [LoggedMessage(sessionId: "s1", seq: 2, chat)], prompts: [])),
            is:
                #"{"connectionId":"x","prompts":[],"recentMessages":[{\#(chatText),"messageType":"chat","seq":2,"sessionId":"s1"}],"sessions":[],"type":"sync"}"#
        )
        try expect(
            .output(Output(sessionId: "s1", seq: 2, message: chat, timestamp: Self.time)),
            is:
                #"{"message":{\#(chatText),"messageType":"chat"},"seq":2,"sessionId":"s1","timestamp":\#(Self.timeText),"type":"cli_output"}"#
        )
        try expect(
            .promptUpdate(
                Output(
                    sessionId: "s1", seq: 3,
                    message: Message(
                        .chat(Chat(id: "c", role: .user, content: "hi", timestamp: Self.time, delivery: .undelivered))),
                    timestamp: Self.time)),
            is:
                #"{"message":{"chat":{"content":"hi","delivery":"undelivered","id":"c","role":"user","timestamp":\#(Self.timeText)},"messageType":"chat"},"seq":3,"sessionId":"s1","timestamp":\#(Self.timeText),"type":"user_message_update"}"#
        )
        try expect(
            .sessionState(SessionStateChange(sessionId: "s1", seq: 3, state: .crashed, error: "killed", activity: .idle)),
            is: #"{"activity":"idle","error":"killed","seq":3,"sessionId":"s1","state":"crashed","type":"session_state"}"#)
        try expect(
            .error(SocketError(.promptClosed, "Closed.", sessionId: "s1")),
            is: #"{"code":"PROMPT_CLOSED","message":"Closed.","sessionId":"s1","type":"error"}"#)
        try expect(
            .gap(Gap(sessionId: "s1", from: 1, to: 9)), is: #"{"from":1,"sessionId":"s1","to":9,"type":"gap"}"#)
        try expect(
            .promptAccepted(PromptAccepted(sessionId: "s1", messageId: "m", position: 4)),
            is: #"{"messageId":"m","position":4,"sessionId":"s1","type":"user_message_accepted"}"#)
    }

    @Test func prompts() throws {
        try expect(
            .promptRequest(
                PromptRequest(
                    sessionId: "s1", seq: 4, promptId: "q",
                    question: Question("Use Bash?", options: [.allow, .deny, .allowForThisSession]), timeout: 1800,
                    expiresAt: Self.time, kind: .permission, toolName: "Bash", toolInput: .object(["command": .string("ls")]),
                    toolUseId: "u")),
            is:
                #"{"expiresAt":\#(Self.timeText),"kind":"permission","promptId":"q","question":{"multiSelect":false,"options":[{"label":"Allow"},{"label":"Deny"},{"label":"Allow for this session"}],"question":"Use Bash?"},"seq":4,"sessionId":"s1","timeout":1800,"toolInput":{"command":"ls"},"toolName":"Bash","toolUseId":"u","type":"prompt_request"}"#
        )
        try expect(
            .promptRequest(
                PromptRequest(
                    sessionId: "s1", seq: 4, promptId: "q",
                    question: Question("Which?", options: [QuestionOption("A", description: "d")], multiSelect: true), timeout: 60)),
            is:
                #"{"promptId":"q","question":{"multiSelect":true,"options":[{"description":"d","label":"A"}],"question":"Which?"},"seq":4,"sessionId":"s1","timeout":60,"type":"prompt_request"}"#
        )
        try expect(
            .promptRequest(
                PromptRequest(
                    sessionId: "s1", seq: 4, promptId: "q",
                    question: Question(
                        "Run ls?",
                        options: [QuestionOption("Allow", name: "Allow once", kind: "allow_once")]), timeout: 60, kind: .permission,
                    toolName: "Run", toolKind: "execute", toolContent: [.text("x")])),
            is:
                #"{"kind":"permission","promptId":"q","question":{"multiSelect":false,"options":[{"kind":"allow_once","label":"Allow","name":"Allow once"}],"question":"Run ls?"},"seq":4,"sessionId":"s1","timeout":60,"toolContent":[{"text":"x","type":"text"}],"toolKind":"execute","toolName":"Run","type":"prompt_request"}"#
        )
        try expect(
            .promptResolved(
                PromptResolved(
                    sessionId: "s1", seq: 5, promptId: "q", outcome: .answered, selectedOptions: ["Never"], allows: false)),
            is:
                #"{"allows":false,"outcome":"answered","promptId":"q","selectedOptions":["Never"],"seq":5,"sessionId":"s1","type":"prompt_resolved"}"#
        )
        try expect(
            .promptResolved(
                PromptResolved(
                    sessionId: "s1", seq: 5, promptId: "q", outcome: .answered, selectedOptions: ["Allow"], by: "Ada's iPhone")),
            is:
                #"{"by":"Ada's iPhone","outcome":"answered","promptId":"q","selectedOptions":["Allow"],"seq":5,"sessionId":"s1","type":"prompt_resolved"}"#
        )
        for outcome in ["expired", "withdrawn"] {
            try expect(
                .promptResolved(
                    PromptResolved(sessionId: "s1", seq: 5, promptId: "q", outcome: try #require(.init(rawValue: outcome)))),
                is: #"{"outcome":"\#(outcome)","promptId":"q","seq":5,"sessionId":"s1","type":"prompt_resolved"}"#)
        }
    }

    // MARK: Words

    @Test func codesAreSpelledAsInTheContractAndHaveTheirStatus() {
        let codes: [(ErrorCode, String, Int)] = [
            (.invalidMessage, "INVALID_MESSAGE", 400), (.authFailed, "AUTH_FAILED", 401), (.tokenExpired, "token_expired", 401),
            (.pathForbidden, "PATH_FORBIDDEN", 403), (.projectNotFound, "PROJECT_NOT_FOUND", 404),
            (.sessionNotFound, "SESSION_NOT_FOUND", 404), (.fileNotFound, "FILE_NOT_FOUND", 404), (.notFound, "NOT_FOUND", 404),
            (.sessionLimit, "SESSION_LIMIT", 409), (.fileTooLarge, "FILE_TOO_LARGE", 413), (.agentNotFound, "CLI_NOT_FOUND", 503),
            (.internalError, "INTERNAL_ERROR", 500), (.sessionNotActive, "SESSION_NOT_ACTIVE", 409),
            (.promptClosed, "PROMPT_CLOSED", 409), (.queueFull, "QUEUE_FULL", 409), (.agentCrashed, "CLI_CRASHED", 500),
            (.agentSilent, "CLI_TIMEOUT", 500),
            (.parseError, "PARSE_ERROR", 500), (.storageFull, "STORAGE_FULL", 507), (ErrorCode(rawValue: "NEW"), "NEW", 500),
        ]
        for (code, text, status) in codes { #expect(code.rawValue == text && code.httpStatus == status) }
        #expect([CloseCode.tooLarge, CloseCode.tokenExpired, CloseCode.tooSlow] == [1009, 4001, 4008])
    }

    @Test func pathsAreThoseOfTheContract() {
        #expect(EndlessCodeEndpoints.health.path == "/health")
        #expect(EndlessCodeEndpoints.message.path(["id": "s1", "seq": "7"]) == "/api/v1/sessions/s1/messages/7")
        #expect(EndlessCodeEndpoints.file.path(["id": "p1"]) == "/api/v1/projects/p1/file")
        #expect(EndlessCodeEndpoints.terminateSession.method == .delete)
        #expect(EndlessCodeSocket.path == "/ws")
    }
}
