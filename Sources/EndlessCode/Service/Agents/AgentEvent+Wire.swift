import EndlessCodeAgents
import EndlessCodeWire
import Foundation
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
                .toolUse(
                    ToolUse(
                        id: id, toolName: use.name, toolInput: use.input, toolUseId: use.id, kind: use.kind,
                        content: use.content.wire, timestamp: time))
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
            case .notice(let notice): .notice(notice.message(id: id, at: time))
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

extension [AgentToolContent] {
    var wire: [ToolContent]? {
        isEmpty
            ? nil
            : map { part in
                switch part {
                case .text(let text): .text(text)
                case .diff(let path, let old, let new): .diff(path: path, old: old, new: new)
                }
            }
    }
}

extension AgentNotice {
    func message(id: String, at time: Timestamp) -> Notice {
        var notice = Notice(id: id, kind: "", text: text, timestamp: time)
        switch kind {
        case .retry(let retry):
            (notice.kind, notice.reason, notice.status) = (Notice.Kind.retry, retry.reason, retry.status)
            (notice.attempt, notice.maxAttempts) = (retry.attempt, retry.maximumAttempts)
            notice.nextAttemptAt = time + retry.delay
        case .compacting: notice.kind = Notice.Kind.compacting
        case .compacted: notice.kind = Notice.Kind.compacted
        case .cleared: notice.kind = Notice.Kind.cleared
        case .forgotten: notice.kind = Notice.Kind.forgotten
        case .usageLimit(let isReached, let resetsAt):
            notice.kind = isReached ? Notice.Kind.limitReached : Notice.Kind.limitNear
            notice.nextAttemptAt = resetsAt.map { Timestamp($0) }
        case .information: notice.kind = Notice.Kind.information
        case .warning: notice.kind = Notice.Kind.warning
        }
        return notice
    }
}

extension AgentPermission {
    var wire: Question { Question(title ?? "Use \(toolName)?", options: answers.map(\.option)) }

    /// The options of the question, with the answers that the agent gets.
    ///
    /// The label `Allow` is kept for what allows one use, so that no phone grants more than it shows.
    private var answers: [(option: QuestionOption, answer: (_ reason: String?) -> AgentAnswer)] {
        guard !options.isEmpty else {
            return [(.allow, { _ in .allow }), (.deny, { .deny(reason: $0) })]
                + (offersSession ? [(.allowForThisSession, { _ in .allowForSession })] : [])
        }
        let once = options.first { $0.kind == .allowOnce }
        let refusal = options.first { $0.kind == .rejectOnce }
        func option(_ standard: QuestionOption, _ option: AgentPermissionOption?) -> QuestionOption {
            let name = option.flatMap { $0.name == standard.label ? nil : $0.name }
            return QuestionOption(standard.label, name: name, kind: option?.kind.rawValue ?? "reject_once")
        }
        var answers: [(option: QuestionOption, answer: (_ reason: String?) -> AgentAnswer)] =
            once.map { [(option(.allow, $0), { _ in .allow })] } ?? []
        // An agent that takes no refusal is told that the request was cancelled.
        answers.append((option(.deny, refusal), { .deny(reason: $0) }))
        var labels: Set = [QuestionOption.allow.label, QuestionOption.deny.label, QuestionOption.allowForThisSession.label]
        for further in options where further.id != once?.id && further.id != refusal?.id {
            var label = further.name
            while !labels.insert(label).inserted { label += " (\(further.id))" }
            answers.append(
                (
                    QuestionOption(label, name: label == further.name ? nil : further.name, kind: further.kind.rawValue),
                    { _ in .option(further.id) }
                ))
        }
        return answers
    }

    /// The answer of a phone, as the agent takes it. Text without a label refuses.
    func answer(_ answer: PromptAnswer) -> AgentAnswer {
        let chosen = answers.first { answer.selectedOptions.contains($0.option.label) }
        return chosen?.answer(answer.customInput) ?? .deny(reason: answer.customInput)
    }
}

extension PromptAnswer {
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

    /// The reason of a crash, for people: the last lines of the agent, and its end where they do not tell it.
    var words: String {
        let tail = errorTail.trimmingCharacters(in: .whitespacesAndNewlines)
        let ending: String? =
            switch (status, reason) {
            case (_, .startTimedOut): "The agent did not answer its start in time."
            case (.signal(9), _): "The agent was killed (signal 9). The computer may have run out of memory."
            case (.signal(let number), _): "The agent was ended by signal \(number)."
            case (.code(let code), _): tail.isEmpty ? "The agent ended with status \(code), without a reason." : nil
            }
        return [tail.isEmpty ? nil : tail, ending].compactMap(\.self).joined(separator: "\n")
    }
}
