import Foundation
import WireKit

/// Claude Code's messages outside the conversation.
extension ClaudeDriver {
    // MARK: Notices

    func notice(_ kind: AgentNotice.Kind, _ text: String? = nil) -> AgentAction {
        .event(AgentEvent(.notice(AgentNotice(kind, text))))
    }

    /// Returns the notice of a system message; nil if there is nothing to show.
    static func notice(_ subtype: String, _ message: JSONValue) -> AgentNotice? {
        let text = message["content"]?.string ?? message["text"]?.string
        switch subtype {
        case "api_retry":
            let status = message["error_status"]?.integer
            let error = message["error"]?.string ?? "unknown"
            return AgentNotice(
                .retry(
                    AgentRetry(
                        attempt: max(1, message["attempt"]?.integer ?? 1), maximumAttempts: message["max_retries"]?.integer,
                        delay: .milliseconds(min(max(0, message["retry_delay_ms"]?.integer ?? 0), 86_400_000)),
                        // Without a status, no server has answered.
                        reason: status == nil && error == "unknown" ? "connection" : error, status: status)))
        case "status" where message["status"]?.string == "compacting": return AgentNotice(.compacting)
        case "status" where message["compact_result"]?.string == "failed":
            return AgentNotice(.warning, message["compact_error"]?.string ?? "The conversation could not be compacted.")
        case "compact_boundary": return AgentNotice(.compacted)
        case "session_writes_lost":
            return AgentNotice(.warning, "The agent could not save its conversation: its disk is full.")
        case "notification" where message["priority"]?.string == "low": return nil
        case "informational", "notification", "local_command", "local_command_output":
            let isWarning = ["warning", "suggestion", "error"].contains(message["level"]?.string ?? "")
            return text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : AgentNotice(isWarning ? .warning : .information, $0) }
        default:
            // The agent switches to another model, with or without a text.
            guard subtype.hasPrefix("model_") else { return nil }
            return AgentNotice(
                .warning, text ?? message["fallback_model"]?.string.map { "The agent goes on with the model \($0)." } ?? subtype)
        }
    }

    mutating func usageLimit(_ info: JSONValue?) -> [AgentAction] {
        let status = info?["status"]?.string ?? ""
        guard ["rejected", "allowed_warning"].contains(status) else {
            toldLimit = nil
            return []
        }
        let resetsAt = info?["resetsAt"]?.double
        // The agent reports its growing use with each request; the limit is reported once.
        let words = "\(status) \(info?["rateLimitType"]?.string ?? "") \(resetsAt ?? 0)"
        guard words != toldLimit else { return [] }
        toldLimit = words
        let date = resetsAt.flatMap { (0...1e11).contains($0) ? Date(timeIntervalSince1970: $0) : nil }
        return [notice(.usageLimit(isReached: status == "rejected", resetsAt: date))]
    }

    // MARK: Sub-agents in the background

    /// The types of background tasks that work on the user's request. Commands, such as servers, may run for ever.
    private static let agentTaskTypes: Set<String> = ["local_agent", "local_workflow", "in_process_teammate"]

    private static func isAgent(_ task: JSONValue) -> Bool {
        task["task_type"]?.string.map(agentTaskTypes.contains) == true && task["ambient"]?.bool != true
    }

    mutating func backgroundTask(_ message: JSONValue) -> [AgentAction] {
        let id = message["task_id"]?.string
        if let tasks = message["tasks"]?.array {
            backgroundAgents = Set(tasks.prefix(Self.maximumStreamCount).filter(Self.isAgent).compactMap { $0["task_id"]?.string })
        } else if message["subtype"]?.string == "task_started" {
            if let id, Self.isAgent(message), message["is_backgrounded"]?.bool == true,
                backgroundAgents.count < Self.maximumStreamCount
            {
                backgroundAgents.insert(id)
            }
        } else if let id,
            ["completed", "failed", "killed", "stopped"].contains(
                message["status"]?.string ?? message["patch"]?["status"]?.string ?? "")
        {
            backgroundAgents.remove(id)
        }
        // An interrupt between turns ends the sub-agents, without a result.
        guard wasInterrupted, !isInTurn else { return [] }
        wasInterrupted = false
        return [.event(AgentEvent(.result(AgentResult(isError: false, reason: AgentResult.interrupted, duration: .zero))))]
    }
}
