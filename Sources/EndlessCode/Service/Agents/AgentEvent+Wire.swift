import AgentKit
import EndlessCodeWire
import WireKit

extension AgentEvent {
    /// The message of the conversation that the event is; nil for events that are none.
    ///
    /// - Parameters:
    ///   - id: The id of a message whose event has none.
    func message(id: String, at time: Timestamp) -> Message? {
        let content: Message.Content? =
            switch self.content {
            case .text(let text): .chat(Chat(id: text.id, role: .assistant, content: text.text, timestamp: time))
            case .toolUse(let use):
                .toolUse(ToolUse(id: id, toolName: use.name, toolInput: use.input, toolUseId: use.id, timestamp: time))
            case .toolResult(let result):
                .toolResult(
                    ToolResult(id: id, toolUseId: result.toolUseID, output: result.output, isError: result.isError, timestamp: time)
                )
            case .result(let result):
                .result(
                    TurnResult(
                        id: id, isError: result.isError, reason: result.reason, text: result.text, costUSD: result.costUSD,
                        inputTokens: result.inputTokens, outputTokens: result.outputTokens,
                        durationMs: result.duration.milliseconds,
                        timestamp: time))
            case .unknown(let json): .unknown(rawJSON: json)
            default: nil
            }
        return content.map { Message($0, parentToolUseId: parentToolUseID) }
    }
}

extension AgentQuestion {
    var wire: Question {
        Question(question, options: options.map { QuestionOption($0.label, description: $0.description) }, multiSelect: multiSelect)
    }
}

extension AgentPermission {
    var wire: Question {
        Question(
            title ?? "Use \(toolName)?",
            options: [.allow, .deny] + (offersSession ? [.allowForThisSession] : []))
    }
}

extension PromptAnswer {
    /// The answer to a permission, as the agent takes it. Text without a label refuses.
    var permission: AgentAnswer {
        if selectedOptions.contains(QuestionOption.allowForThisSession.label) { return .allowForSession }
        return allows ? .allow : .deny(reason: customInput)
    }

    var answerToQuestion: AgentQuestionAnswer { AgentQuestionAnswer(labels: selectedOptions, text: customInput) }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : Int(clamping: scaled + attoseconds / 1_000_000_000_000_000)
    }
}

extension AgentDroppedLine.Reason {
    var words: String {
        switch self {
        case .tooLong: "is longer than 10 MiB"
        case .notJSON: "is not JSON"
        case .unfinished: "has no end"
        }
    }
}

extension AgentExit {
    /// True if the exit counts as a crash: it is reported, and the agent is restarted.
    var hasCrashed: Bool { reason == .crash || reason == .startTimedOut }
}
