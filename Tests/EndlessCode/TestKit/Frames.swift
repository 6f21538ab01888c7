package import EndlessCodeClient
package import EndlessCodeWire
package import WireKit

extension AgentClient {
    /// Injects events as the next ones of a session's log.
    package func inject(_ messages: Message.Content..., in session: Session.ID) throws {
        for content in messages {
            let seq = nextSeq(session)
            try received(.output(Output(sessionId: session, seq: seq, message: Message(content), timestamp: .now)))
        }
    }

    package func inject(_ activity: Session.Activity, in session: Session.ID) throws {
        let seq = nextSeq(session)
        try received(.sessionState(SessionStateChange(sessionId: session, seq: seq, state: .active, activity: activity)))
    }

    /// Injects a permission request.
    ///
    /// - Parameter change: Changes it before.
    package func injectQuestion(
        _ id: PromptRequest.ID, _ options: [QuestionOption], in session: Session.ID,
        _ change: (inout PromptRequest) -> Void = { _ in }
    ) throws {
        var request = PromptRequest(
            sessionId: session, seq: nextSeq(session), promptId: id, question: Question("Run ls?", options: options), timeout: 1800,
            kind: .permission, toolName: "Run", toolInput: .object(["command": .string("ls")]))
        change(&request)
        try received(.promptRequest(request))
    }

    package func injectAnswer(
        _ labels: [String], allows: Bool?, to id: PromptRequest.ID, in session: Session.ID
    ) throws {
        try received(
            .promptResolved(
                PromptResolved(
                    sessionId: session, seq: nextSeq(session), promptId: id, outcome: .answered, selectedOptions: labels,
                    allows: allows)))
    }

    private func nextSeq(_ session: Session.ID) -> Int64 { (sessions[session]?.lastSeq ?? 0) + 1 }
}

extension ToolUse {
    package init(
        _ id: String, _ name: String, _ input: JSONValue = .object([:]), kind: String? = nil, content: [ToolContent]? = nil
    ) {
        self.init(id: id, toolName: name, toolInput: input, toolUseId: id, kind: kind, content: content, timestamp: .now)
    }
}

extension ToolResult {
    package init(_ id: String, _ output: String) {
        self.init(id: id, toolUseId: id, output: output, isError: false, timestamp: .now)
    }
}

extension TurnResult {
    package init(_ reason: String) {
        self.init(
            id: "result \(reason) \(Timestamp.now)", isError: reason == "crashed", reason: reason, durationMs: 1, timestamp: .now)
    }
}

extension Notice {
    package init(
        _ kind: String, _ text: String? = nil, reason: String? = nil, attempt: Int? = nil, after delay: Duration = .seconds(30)
    ) {
        self.init(
            id: "\(kind) \(attempt ?? 0)", kind: kind, text: text, reason: reason, attempt: attempt,
            maxAttempts: attempt.map { _ in 10 },
            nextAttemptAt: attempt.map { _ in Timestamp.now + delay }, timestamp: .now)
    }
}
