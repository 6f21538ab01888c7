import Foundation
import WireKit

extension ClaudeDriver {
    package mutating func receive(_ line: AgentLine, at time: Duration) -> [AgentAction] {
        switch line {
        case .dropped(let dropped):
            // Without an answer the agent would wait for ever.
            let request = dropped.reason == .tooLong ? AgentMessage.controlRequestID(in: dropped.beginning) : nil
            return (request.map { [refuse($0, "The request is longer than 10 MiB")] } ?? []) + endTool(dropped) + [
                .event(AgentEvent(.dropped(dropped)))
            ]
        case .text(let text, let isLarge):
            let actions = receive(text).map { action in
                isLarge ? action.flaggedLarge : action
            }
            let hasEvent = actions.contains { if case .event = $0 { true } else { false } }
            return hasEvent ? actions : actions + [.event(AgentEvent(.activity, isLarge: isLarge))]
        }
    }

    private mutating func receive(_ line: String) -> [AgentAction] {
        switch AgentMessage(line) {
        case .notJSON: return [.event(AgentEvent(.dropped(AgentDroppedLine(reason: .notJSON, line: line))))]
        case .other: return [.event(AgentEvent(.unknown(line)))]
        case .tooDeep(let type, let id):
            // Without an answer the agent would wait for ever.
            let refusal = type == "control_request" ? id.map { [refuse($0, "The request is nested too deep")] } : nil
            return (refusal ?? []) + [.event(AgentEvent(.unknown(line)))]
        case .object(let message, let text): return receive(message, text)
        }
    }

    /// - Parameter text: The JSON text of the message.
    private mutating func receive(_ message: JSONValue, _ text: String) -> [AgentAction] {
        switch message["type"]?.string {
        case "system": system(message)
        case "assistant": assistant(message)
        case "user": message["isReplay"]?.bool == true ? repeated(message) : toolResults(message)
        case "command_lifecycle": lifecycle(message)
        case "stream_event": streamed(message)
        case "result": result(message)
        case "control_request": controlRequest(message, text)
        case "control_cancel_request":
            withdraw { $0.prompt.id == message["request_id"]?.string }.map { .event($0) }
        case "control_response": controlResponse(message)
        case "conversation_reset":
            update { $0.conversationID = message["new_conversation_id"]?.string ?? $0.conversationID } + [notice(.cleared)]
        case "rate_limit_event": usageLimit(message["rate_limit_info"])
        case "tool_progress", "keep_alive", "auth_status", "tool_use_summary": []
        default: [.event(AgentEvent(.unknown(text)))]
        }
    }

    // MARK: The conversation

    private mutating func system(_ message: JSONValue) -> [AgentAction] {
        switch message["subtype"]?.string {
        case "init":
            // Programs that do not know `initialize` answer their start with the first turn.
            return update(isStart: !isReady) { ready in
                ready.conversationID = message["session_id"]?.string ?? ready.conversationID
                ready.model = message["model"]?.string ?? ready.model
                ready.permissionMode = message["permissionMode"]?.string ?? ready.permissionMode
                ready.tools = message["tools"]?.array?.compactMap(\.string) ?? ready.tools
            }
        case "background_tasks_changed", "task_started", "task_updated", "task_notification": return backgroundTask(message)
        case let subtype:
            var start: [AgentAction] = []
            if subtype == "api_retry" {
                // Earlier versions do not name the texts that they give up.
                streams[""]?.doubt()
                // The agent echoes a prompt only with the model's first answer.
                if let first = told.first, first.isStarted { start = take(first.id, isNamed: true) }
            }
            // A status has the permission mode if the mode changed.
            return start + update { $0.permissionMode = message["permissionMode"]?.string ?? $0.permissionMode }
                + (subtype.flatMap { Self.notice($0, message) }.map { [.event(AgentEvent(.notice($0)))] } ?? [])
        }
    }

    private mutating func assistant(_ message: JSONValue) -> [AgentAction] {
        let parent = message["parent_tool_use_id"]?.string
        let start = parent == nil ? beginTurn() : []
        let id = message["message"]?["id"]?.string
        // The result repeats the text of an error.
        if parent == nil, message["error"]?.string != nil, message["message"]?["model"]?.string == "<synthetic>" { return start }
        return start
            + (message["message"]?["content"]?.array ?? []).compactMap { block -> AgentAction? in
                switch block["type"]?.string {
                case "text":
                    let textID = streams[parent ?? ""]?.close(of: id) ?? makeID()
                    guard let text = block["text"]?.string, !text.isEmpty else { return nil }
                    return .event(AgentEvent(.text(AgentText(id: textID, text: text)), parentToolUseID: parent))
                case "tool_use":
                    guard let useID = block["id"]?.string, let name = block["name"]?.string else { return nil }
                    let use = AgentToolUse(id: useID, name: name, input: block["input"] ?? .object([:]))
                    return .event(AgentEvent(.toolUse(use), parentToolUseID: parent))
                default: return nil
                }
            }
    }

    private mutating func streamed(_ message: JSONValue) -> [AgentAction] {
        let start = message["parent_tool_use_id"]?.string == nil ? beginTurn() : []
        return start + piece(message)
    }

    private mutating func piece(_ message: JSONValue) -> [AgentAction] {
        let parent = message["parent_tool_use_id"]?.string
        guard let event = message["event"] else { return [] }
        let key = parent ?? ""
        let index = event["index"]?.integer ?? 0
        if streams[key] == nil, !key.isEmpty, streams.count >= Self.maximumStreamCount {
            // Sub-agents end without a message.
            streams = streams.filter { $0.key.isEmpty || !$0.value.isIdle }
            guard streams.count < Self.maximumStreamCount else { return [] }
        }
        switch event["type"]?.string {
        case "message_start":
            streams[key, default: StreamedTexts()].begin(event["message"]?["id"]?.string)
            return []
        case "content_block_start" where event["content_block"]?["type"]?.string == "text":
            streams[key, default: StreamedTexts()].open(index, id: makeID())
            return piece(event["content_block"]?["text"]?.string, index, key)
        case "content_block_delta" where event["delta"]?["type"]?.string == "text_delta":
            return piece(event["delta"]?["text"]?.string, index, key)
        case "message_stop":
            // The response was cut short: its texts from this index on will never have a final form.
            guard let abandoned = message["abandoned_blocks"] else { return [] }
            let ids = streams[key]?.abandon(
                abandoned["api_message_id"]?.string, from: abandoned["from_block_index"]?.integer ?? 0)
            return (ids ?? []).map { .event(AgentEvent(.textAbandoned($0), parentToolUseID: parent)) }
        default: return []
        }
    }

    private mutating func piece(_ piece: String?, _ index: Int, _ key: String) -> [AgentAction] {
        guard let piece, !piece.isEmpty else { return [] }
        guard let partial = streams[key, default: StreamedTexts()].append(piece, to: index, id: makeID()) else { return [] }
        return [.event(AgentEvent(.partialText(partial), parentToolUseID: key.isEmpty ? nil : key))]
    }

    private func toolResults(_ message: JSONValue) -> [AgentAction] {
        let parent = message["parent_tool_use_id"]?.string
        return (message["message"]?["content"]?.array ?? []).compactMap { block -> AgentAction? in
            guard block["type"]?.string == "tool_result", let id = block["tool_use_id"]?.string else { return nil }
            let result = AgentToolResult(
                toolUseID: id, output: Self.text(of: block["content"]), isError: block["is_error"]?.bool ?? false)
            return .event(AgentEvent(.toolResult(result), parentToolUseID: parent))
        }
    }

    /// Ends the tool use whose result was dropped as too long, such as a picture, which the agent sends twice in one line.
    private func endTool(_ dropped: AgentDroppedLine) -> [AgentAction] {
        guard dropped.reason == .tooLong, let id = AgentMessage.toolUseID(in: dropped.beginning) else { return [] }
        let result = AgentToolResult(toolUseID: id, output: "[A result of more than 10 MiB, which is not shown]", isError: false)
        return [.event(AgentEvent(.toolResult(result)))]
    }

    /// Returns the text of a tool result, which is a string or an array of blocks.
    static func text(of content: JSONValue?) -> String {
        if let text = content?.string { return text }
        let parts = (content?.array ?? []).map { $0["text"]?.string ?? "[\($0["type"]?.string ?? "content")]" }
        return parts.joined(separator: "\n")
    }

    // MARK: Prompts

    /// Records output of the agent itself. The first output of a turn takes up the prompt that was sent first, unless the agent has
    /// reported that prompt as queued: then the agent names the prompt.
    private mutating func beginTurn() -> [AgentAction] {
        guard !isTurnOpen else { return [] }
        (isTurnOpen, isTurnQueued) = (true, false)
        guard let first = told.first, !first.isQueued || first.isStarted else { return [] }
        return take(first.id, isNamed: first.isStarted)
    }

    private mutating func take(_ id: UUID, isNamed: Bool) -> [AgentAction] {
        guard let index = told.firstIndex(where: { $0.id == id }) else { return [] }
        let prompt = told.remove(at: index)
        // The agent echoes a prompt that the conversation already has, and does not queue it.
        let startsTurn = !prompt.isRepeat || prompt.isQueued || !isNamed
        if startsTurn { isTurnOpen = true }
        return [.event(AgentEvent(.promptTaken(AgentReceipt(id: id, startsTurn: startsTurn, isNamed: isNamed))))]
    }

    private mutating func repeated(_ message: JSONValue) -> [AgentAction] {
        message["uuid"]?.string.flatMap(UUID.init).map { take($0, isNamed: true) } ?? []
    }

    private mutating func lifecycle(_ message: JSONValue) -> [AgentAction] {
        guard let id = message["command_uuid"]?.string.flatMap(UUID.init), let state = message["state"]?.string else { return [] }
        let index = told.firstIndex { $0.id == id }
        switch state {
        case "queued", "started":
            if let index { (told[index].isQueued, told[index].isStarted) = (true, state == "started") }
            if commands[id] != nil || commands.count < Self.maximumPromptCount { commands[id] = state == "started" }
        case "completed":
            commands[id] = nil
            return take(id, isNamed: true)
        case "cancelled", "discarded", "refused":
            commands[id] = nil
            guard let index else { return [] }
            told.remove(at: index)
            return [.event(AgentEvent(.promptDropped(id)))]
        default: break
        }
        return []
    }

    /// Removes the prompts that a result answers; if it names none, all prompts that have left the queue.
    private mutating func endCommands(_ result: JSONValue) {
        if let names = result["user_message_uuids"]?.array {
            for name in names { name.string.flatMap(UUID.init).map { commands[$0] = nil } }
        } else {
            commands = commands.filter { !$0.value }
        }
    }

    // MARK: The end of a turn

    private mutating func result(_ message: JSONValue) -> [AgentAction] {
        let errors = message["errors"]?.array?.compactMap(\.string) ?? []
        if isResuming, !hasFinishedTurn, let error = errors.first(where: Self.isUnknownConversation) {
            resumptionError = error
            return []
        }
        let start = beginTurn()
        let texts = streams.removeValue(forKey: "").map { texts in
            var texts = texts
            return texts.finish().map { AgentEvent(.text($0)) }
        }
        let subtype = message["subtype"]?.string ?? "unknown"
        let ending = message["terminal_reason"]?.string
        var isError = message["is_error"]?.bool ?? (subtype != "success")
        var reason = subtype == "success" && isError ? ending ?? "error" : subtype
        var text = message["result"]?.string
        let isInterrupted = ending.map { $0.hasPrefix("aborted") } ?? (wasInterrupted && subtype == "error_during_execution")
        if isInterrupted {
            (isError, reason, text) = (false, AgentResult.interrupted, nil)
        } else if isError {
            text =
                errors.isEmpty
                ? text ?? (subtype == "success" ? message["api_error_status"]?.integer.map { "HTTP status \($0)" } : subtype)
                : errors.joined(separator: "\n")
        }
        let spent = usage.spent(message)
        let result = AgentResult(
            isError: isError, reason: reason, text: text, costUSD: spent.cost.flatMap { $0.isFinite ? $0 : nil },
            inputTokens: spent.input, outputTokens: spent.output,
            duration: .milliseconds(min(max(0, message["duration_ms"]?.integer ?? 0), 1_000_000_000_000)))
        hasFinishedTurn = true
        endCommands(message)
        (isTurnOpen, isTurnQueued) = (false, (message["queued_turn_count"]?.integer ?? 0) > 0)
        // An interrupt withdraws the prompts of the turn, but not those of sub-agents in the background.
        let withdrawn = wasInterrupted && isInterrupted ? withdraw { !$0.isSubagent } : []
        wasInterrupted = false
        return start + ((texts ?? []) + withdrawn + [AgentEvent(.result(result))]).map { .event($0) }
    }

    // MARK: Control

    private mutating func controlRequest(_ message: JSONValue, _ text: String) -> [AgentAction] {
        guard let id = message["request_id"]?.string, let request = message["request"] else {
            return [.event(AgentEvent(.unknown(text)))]
        }
        guard request["subtype"]?.string == "can_use_tool" else {
            // Without an answer the agent would wait for ever.
            return [refuse(id, "Not supported: \(request["subtype"]?.string ?? "a request without a subtype")")]
        }
        let requestText = (try? JSONObjectText(text))?.text(of: "request")
        return permission(id, request, inputText: requestText.flatMap { (try? JSONObjectText($0))?.text(of: "input") })
    }

    private mutating func permission(_ id: String, _ request: JSONValue, inputText: String?) -> [AgentAction] {
        // The agent sent the request again.
        guard open[id] == nil else { return [] }
        guard let tool = request["tool_name"]?.string else { return [refuse(id, "A permission request needs a tool_name")] }
        guard open.count < Self.maximumPromptCount else { return [refuse(id, "Too many requests wait for an answer")] }
        let input = request["input"] ?? .object([:])
        let inputText = request["input"] == nil ? "{}" : inputText ?? input.text
        let openBytes = open.values.reduce(0) { $0 + $1.inputText.utf8.count }
        guard open.isEmpty || openBytes + inputText.utf8.count <= Self.maximumOpenBytes else {
            return [refuse(id, "The requests that wait for an answer are too long")]
        }
        let suggestions = (request["permission_suggestions"]?.array ?? []).compactMap(Self.forSession)
        let kind: AgentPrompt.Kind
        if tool == "AskUserQuestion", let questions = Self.questions(input) {
            kind = .questions(questions)
        } else {
            kind = .permission(
                AgentPermission(
                    toolName: tool, input: input, inputText: inputText, title: request["title"]?.string,
                    offersSession: !suggestions.isEmpty))
        }
        let isSubagent = request["agent_id"]?.string != nil
        let start = isSubagent ? [] : beginTurn()
        let prompt = AgentPrompt(id: id, toolUseID: request["tool_use_id"]?.string, kind: kind)
        open[id] = OpenPrompt(prompt: prompt, inputText: inputText, suggestions: suggestions, isSubagent: isSubagent)
        return start + [.event(AgentEvent(.prompt(prompt)))]
    }

    /// Returns a suggestion as a grant that ends with the agent; nil for suggestions that remove rules or disable all prompts.
    private static func forSession(_ suggestion: JSONValue) -> JSONValue? {
        guard var members = suggestion.object else { return nil }
        switch members["type"]?.string {
        case "addRules" where members["behavior"]?.string == "allow": break
        case "addDirectories": break
        case "setMode" where members["mode"]?.string == "acceptEdits": break
        default: return nil
        }
        members["destination"] = .string("session")
        return .object(members)
    }

    /// Parses questions; nil if the input has another shape, which is then shown as a permission.
    private static func questions(_ input: JSONValue) -> [AgentQuestion]? {
        guard let items = input["questions"]?.array, !items.isEmpty else { return nil }
        let questions = items.compactMap { item -> AgentQuestion? in
            guard let question = item["question"]?.string else { return nil }
            let options = (item["options"]?.array ?? []).compactMap { option -> AgentQuestion.Option? in
                guard let label = option["label"]?.string ?? option.string else { return nil }
                return AgentQuestion.Option(label: label, description: option["description"]?.string)
            }
            return AgentQuestion(
                question: question, header: item["header"]?.string, options: options,
                multiSelect: item["multiSelect"]?.bool ?? false)
        }
        return questions.count == items.count ? questions : nil
    }

    private mutating func controlResponse(_ message: JSONValue) -> [AgentAction] {
        guard let response = message["response"], isInitialize(response["request_id"]?.string) else { return [] }
        // An error makes the agent ready, too: a program that does not know the request still takes prompts.
        var actions = isReady ? [] : update(isStart: true) { _ in }
        for pending in response["response"]?["pending_permission_requests"]?.array ?? [] {
            guard let id = pending["request_id"]?.string else { continue }
            actions += permission(id, pending["request"] ?? pending, inputText: nil)
        }
        return actions
    }
}

/// Cost and tokens of an agent that reports totals of its whole run.
struct ClaudeUsage: Sendable {
    private var totalCost = 0.0
    private var totalInput = 0
    private var totalOutput = 0

    /// Returns the cost in US dollars and the tokens of the turn that a result ends, and updates the totals.
    mutating func spent(_ result: JSONValue) -> (cost: Double?, input: Int?, output: Int?) {
        let total = Self.sum(result["modelUsage"])
        let totalCost = result["total_cost_usd"]?.double ?? total?.cost
        let before = (self.totalCost, totalInput, totalOutput)
        self.totalCost = totalCost ?? before.0
        (totalInput, totalOutput) = (total?.input ?? before.1, total?.output ?? before.2)
        if let turn = Self.sum(result["model_usage_since_last_result"]) { return (turn.cost, turn.input, turn.output) }
        guard let total else {
            let usage = result["usage"]
            return (
                totalCost.map { Self.difference($0, before.0) }, usage?["input_tokens"]?.integer, usage?["output_tokens"]?.integer
            )
        }
        return (
            totalCost.map { Self.difference($0, before.0) }, Self.difference(total.input, before.1),
            Self.difference(total.output, before.2)
        )
    }

    /// Returns the increase of a total. A total smaller than before begins a new count.
    private static func difference<Number: Comparable & SignedNumeric>(_ total: Number, _ before: Number) -> Number {
        total >= before ? total - before : total
    }

    private static func sum(_ models: JSONValue?) -> (cost: Double, input: Int, output: Int)? {
        guard let models = models?.object else { return nil }
        var sum = (cost: 0.0, input: 0, output: 0)
        // The agent's counts are clamped, so that no sum overflows.
        func count(_ model: JSONValue, _ key: String) -> Int { min(max(0, model[key]?.integer ?? 0), 1_000_000_000_000) }
        for model in models.values.prefix(100) {
            sum.cost += model["costUSD"]?.double ?? 0
            sum.input +=
                count(model, "inputTokens") + count(model, "cacheReadInputTokens") + count(model, "cacheCreationInputTokens")
            sum.output += count(model, "outputTokens")
        }
        return sum
    }
}
