import Foundation
import WireKit

extension ACPDriver {
    public mutating func receive(_ line: AgentLine, at time: Duration) -> [AgentAction] {
        switch line {
        case .dropped(let dropped): return [.event(AgentEvent(.dropped(dropped)))]
        case .text(let text, let isLarge):
            let actions = receive(text, at: time).map { action in
                isLarge ? action.flaggedLarge : action
            }
            let hasEvent = actions.contains { if case .event = $0 { true } else { false } }
            return hasEvent ? actions : actions + [.event(AgentEvent(.activity, isLarge: isLarge))]
        }
    }

    private mutating func receive(_ line: String, at time: Duration) -> [AgentAction] {
        switch AgentMessage(line) {
        case .notJSON: return [.event(AgentEvent(.dropped(AgentDroppedLine(reason: .notJSON, line: line))))]
        case .other, .tooDeep: return [.event(AgentEvent(.unknown(line)))]
        case .object(let message, let text):
            let id = (try? JSONObjectText(text))?.text(of: "id").flatMap { $0 == "null" ? nil : $0 }
            if let method = message["method"]?.string {
                return id.map { requested($0, method, message, text) } ?? notified(method, message, text)
            }
            guard let number = message["id"]?.integer, let request = requests.removeValue(forKey: number) else {
                return [.event(AgentEvent(.unknown(text)))]
            }
            return responded(to: request, message, at: time)
        }
    }

    // MARK: Responses

    private mutating func responded(to request: Request, _ message: JSONValue, at time: Duration) -> [AgentAction] {
        let error = message["error"]
        switch request {
        case .initialize:
            let version = message["result"]?["protocolVersion"]?.integer
            guard version == Self.protocolVersion else {
                return [.fail(error.map(Self.words) ?? "The agent speaks another version of the protocol: \(version ?? 0)")]
            }
            return openSession(message["result"]?["agentCapabilities"])
        case .open, .load:
            if let error { return [.fail(Self.words(error))] }
            let result = message["result"]
            sessionID = request == .load ? sessionID : result?["sessionId"]?.string
            guard let sessionID else { return [.fail("The agent opened no session")] }
            ready.conversationID = sessionID
            ready.permissionMode = result?["modes"]?["currentModeId"]?.string
            ready.model = result?["models"]?["currentModelId"]?.string
            guard let mode = launch?.permissionMode, mode != ready.permissionMode else { return becomeReady(at: time) }
            return [self.request(.mode, "session/set_mode", ["sessionId": .string(sessionID), "modeId": .string(mode)])]
        case .mode:
            if let error { return [.fail(Self.words(error))] }
            ready.permissionMode = launch?.permissionMode
            return becomeReady(at: time)
        case .prompt(let startedAt):
            return endTurn(message, after: time - startedAt, at: time)
        }
    }

    private mutating func openSession(_ capabilities: JSONValue?) -> [AgentAction] {
        guard let launch else { return [] }
        let parameters: [String: JSONValue] = ["cwd": .string(launch.folder), "mcpServers": .array([])]
        guard case .resume(let id) = launch.conversation, capabilities?["loadSession"]?.bool == true else {
            // An agent that cannot load starts anew; the id of `ready` shows it.
            return [request(.open, "session/new", parameters)]
        }
        sessionID = id
        return [request(.load, "session/load", parameters.merging(["sessionId": .string(id)]) { $1 })]
    }

    private mutating func becomeReady(at time: Duration) -> [AgentAction] {
        isReady = true
        return [.event(AgentEvent(.ready(ready)))] + promptNext(at: time)
    }

    private mutating func promptNext(at time: Duration) -> [AgentAction] {
        guard !queue.isEmpty else { return [] }
        let (text, id) = queue.removeFirst()
        return [prompt(text, id, at: time)]
    }

    private mutating func endTurn(_ message: JSONValue, after duration: Duration, at time: Duration) -> [AgentAction] {
        var events = takePrompt() + finishText()
        for id in calls.keys.sorted() { events += show(id) }
        calls = [:]
        events += open.keys.sorted().map { AgentEvent(.promptWithdrawn($0)) }
        open = [:]
        let reason = message["result"]?["stopReason"]?.string
        var result = AgentResult(isError: true, reason: "error", duration: duration)
        if let error = message["error"] {
            result.text = Self.words(error)
        } else if let reason {
            result.isError = reason != "end_turn" && reason != "cancelled"
            result.reason = reason == "cancelled" ? AgentResult.interrupted : reason
            result.text = result.isError ? reason : nil
        }
        let usage = message["result"]?["usage"]
        (result.inputTokens, result.outputTokens) = (usage?["inputTokens"]?.integer, usage?["outputTokens"]?.integer)
        (hasFinishedTurn, isInTurn) = (true, false)
        return (events + [AgentEvent(.result(result))]).map { .event($0) } + promptNext(at: time)
    }

    private static func words(_ error: JSONValue) -> String {
        let words = error["message"]?.string ?? "The agent reported an error"
        // The protocol's code for a missing login.
        return error["code"]?.integer == -32000 ? "\(words). Log in to the agent on the computer." : words
    }

    // MARK: Requests of the agent

    private mutating func requested(_ id: String, _ method: String, _ message: JSONValue, _ text: String) -> [AgentAction] {
        guard method == "session/request_permission", let call = message["params"]?["toolCall"],
            let callID = call["toolCallId"]?.string
        else {
            // fs/ and terminal/ were not offered. Without an answer the agent would wait for ever.
            return [refuse(id, code: -32601, "Method not found: \(method)")]
        }
        guard open.count < Self.maximumPromptCount else {
            return [refuse(id, code: -32603, "Too many requests wait for an answer")]
        }
        var options: [String: String] = [:]
        for option in message["params"]?["options"]?.array ?? [] {
            guard let kind = option["kind"]?.string, let optionID = option["optionId"]?.string else { continue }
            options[kind] = options[kind] ?? optionID
        }
        merge(call, into: callID)
        let events = takePrompt() + finishText() + show(callID)
        let input = Self.input(of: call, text) ?? described(callID)
        let openBytes = open.values.reduce(0) { $0 + $1.inputLength }
        guard open.isEmpty || openBytes + input.1.utf8.count <= ClaudeDriver.maximumOpenBytes else {
            return events.map { .event($0) } + [refuse(id, code: -32603, "The requests that wait for an answer are too long")]
        }
        let prompt = AgentPrompt(
            id: makeID(), toolUseID: callID,
            kind: .permission(
                AgentPermission(
                    toolName: calls[callID]?.name ?? "tool", input: input.0, inputText: input.1, title: call["title"]?.string,
                    offersSession: options["allow_always"] != nil)))
        open[prompt.id] = OpenPrompt(prompt: prompt, inputLength: input.1.utf8.count, requestID: id, options: options)
        return (events + [AgentEvent(.prompt(prompt))]).map { .event($0) }
    }

    /// What the agent has said of a call before the request for it, and with it: the request may have the call's id only.
    private func described(_ callID: String) -> (JSONValue, String) {
        let call = calls[callID]
        var outline = call?.outline.object ?? [:]
        outline["content"] = call?.content
        let input = call?.input ?? .object(outline)
        return (input, input.text)
    }

    /// The input of a message; nil for one that says nothing, as agents send with a request whose call has an input.
    private static func input(of message: JSONValue) -> JSONValue? {
        switch message["rawInput"] {
        case nil, .null, .object([:]), .array([]), .string(""): nil
        case let input: input
        }
    }

    /// The input of a request, with its exact text.
    private static func input(of call: JSONValue, _ text: String) -> (JSONValue, String)? {
        guard let input = input(of: call) else { return nil }
        var path: String? = text
        for key in ["params", "toolCall", "rawInput"] { path = path.flatMap { (try? JSONObjectText($0))?.text(of: key) } }
        return (input, path ?? input.text)
    }

    private mutating func notified(_ method: String, _ message: JSONValue, _ text: String) -> [AgentAction] {
        if method == "$/cancel_request", let requestID = message["params"]?["requestId"]?.text,
            let id = open.first(where: { $0.value.requestID == requestID })?.key
        {
            open[id] = nil
            return [.event(AgentEvent(.promptWithdrawn(id)))]
        }
        guard method == "session/update", let update = message["params"]?["update"] else {
            return [.event(AgentEvent(.unknown(text)))]
        }
        // A loaded session replays its history, which the host has.
        guard isReady else { return [] }
        return updated(update, text).map { .event($0) }
    }

    // MARK: Updates

    private mutating func updated(_ update: JSONValue, _ text: String) -> [AgentEvent] {
        switch update["sessionUpdate"]?.string {
        case "agent_message_chunk": return takePrompt() + chunk(update)
        case "tool_call", "tool_call_update":
            guard let id = update["toolCallId"]?.string else { return [AgentEvent(.unknown(text))] }
            let isKnown = calls[id] != nil
            merge(update, into: id)
            return takePrompt() + finishText() + progress(id, update, isKnown: isKnown)
        case "current_mode_update":
            guard let mode = update["currentModeId"]?.string, mode != ready.permissionMode else { return [] }
            ready.permissionMode = mode
            return [AgentEvent(.ready(ready))]
        case "agent_thought_chunk", "user_message_chunk", "plan":
            return takePrompt() + finishText()
        case "available_commands_update", "config_option_update", "session_info_update", "usage_update": return []
        default: return [AgentEvent(.unknown(text))]
        }
    }

    private mutating func chunk(_ update: JSONValue) -> [AgentEvent] {
        let content = update["content"]
        let piece = content?["text"]?.string ?? "[\(content?["uri"]?.string ?? content?["type"]?.string ?? "content")]"
        guard !piece.isEmpty else { return [] }
        let message = update["messageId"]?.string
        var events: [AgentEvent] = []
        // A text that would grow without end is cut into several.
        if let text, text.message != message || text.length > AgentLineReader.largeLineLength { events = finishText() }
        var text = self.text ?? (makeID(), message, "", 0)
        events.append(AgentEvent(.partialText(AgentPartialText(id: text.id, offset: text.length, piece: piece))))
        text.value += piece
        text.length += piece.utf8.count
        self.text = text
        return events
    }

    /// Adds the members of an update, which has the changed ones only.
    private mutating func merge(_ update: JSONValue, into id: String) {
        // A turn that never ends. Later updates of the calls before it begin new ones.
        if calls[id] == nil, calls.count >= 10_000 { calls.removeAll() }
        var call = calls[id] ?? Call(name: "tool", outline: .object([:]))
        if let title = update["title"]?.string ?? update["kind"]?.string, !title.isEmpty { call.name = title }
        call.input = Self.input(of: update) ?? call.input
        if let content = update["content"]?.array, !content.isEmpty { call.content = .array(content) }
        var outline = call.outline.object ?? [:]
        for key in ["title", "kind", "locations"] { outline[key] = update[key] ?? outline[key] }
        call.outline = .object(outline)
        if let output = Self.output(of: update) { call.output = output }
        calls[id] = call
    }

    /// The tool use, once.
    private mutating func show(_ id: String) -> [AgentEvent] {
        guard let call = calls[id], !call.isShown else { return [] }
        calls[id]?.isShown = true
        return [AgentEvent(.toolUse(AgentToolUse(id: id, name: call.name, input: call.input ?? call.outline)))]
    }

    private mutating func progress(_ id: String, _ update: JSONValue, isKnown: Bool) -> [AgentEvent] {
        let status = update["status"]?.string
        // The input often follows in the second message.
        let isAnnounced = !isKnown && update["rawInput"] == nil && (status ?? "pending") == "pending"
        let events = isAnnounced ? [] : show(id)
        guard status == "completed" || status == "failed", let call = calls.removeValue(forKey: id) else { return events }
        return events + [AgentEvent(.toolResult(AgentToolResult(toolUseID: id, output: call.output, isError: status == "failed")))]
    }

    /// The content of a tool call as text; nil if an update has none.
    private static func output(of update: JSONValue) -> String? {
        if let content = update["content"]?.array, !content.isEmpty {
            return content.map { item in
                switch item["type"]?.string {
                case "content": item["content"]?["text"]?.string ?? "[\(item["content"]?["type"]?.string ?? "content")]"
                case "diff": diff(item)
                default: "[\(item["type"]?.string ?? "content")]"
                }
            }.joined(separator: "\n")
        }
        guard let raw = update["rawOutput"] else { return nil }
        return raw.string ?? raw.text
    }

    /// A change of a file: removed and added lines without context.
    private static func diff(_ item: JSONValue) -> String {
        let path = item["path"]?.string ?? ""
        let old = item["oldText"]?.string.map { $0.split(separator: "\n", omittingEmptySubsequences: false).map { "-\($0)" } } ?? []
        let new = (item["newText"]?.string ?? "").split(separator: "\n", omittingEmptySubsequences: false).map { "+\($0)" }
        return ([path] + old + new).joined(separator: "\n")
    }
}
