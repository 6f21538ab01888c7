import Foundation
import WireKit

extension ACPDriver {
    package mutating func receive(_ line: AgentLine, at time: Duration) -> [AgentAction] {
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
        case .notJSON:
            // Programs write their logs to the standard output, too.
            guard line.drop(while: \.isWhitespace).first == "{" else { return [] }
            return [.event(AgentEvent(.dropped(AgentDroppedLine(reason: .notJSON, line: line))))]
        case .other: return []
        case .tooDeep: return [.event(AgentEvent(.unknown(line)))]
        case .object(let message, let text):
            let id = (try? JSONObjectText(text))?.text(of: "id").flatMap { $0 == "null" ? nil : $0 }
            if let method = message["method"]?.string {
                return id.map { requested($0, method, message, text) } ?? notified(method, message, text)
            }
            // A log line, or a response to no open request.
            guard let number = message["id"]?.integer, let request = requests.removeValue(forKey: number) else { return [] }
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
        case .resume, .load:
            if error != nil {
                // Loads the session if possible, or else opens a new one.
                return request == .resume && canLoad ? [resume(.load)] : [newSession()]
            }
            return opened(message["result"], at: time)
        case .open:
            if let error { return [.fail(Self.words(error))] }
            sessionID = message["result"]?["sessionId"]?.string
            return opened(message["result"], at: time)
        case .mode:
            if let error { return [.fail(Self.words(error))] }
            ready.permissionMode = launch?.permissionMode
            return becomeReady(at: time)
        case .prompt(let startedAt):
            return endTurn(message, after: time - startedAt, at: time)
        }
    }

    private mutating func openSession(_ capabilities: JSONValue?) -> [AgentAction] {
        guard case .resume(let id) = launch?.conversation else { return [newSession()] }
        sessionID = id
        canLoad = capabilities?["loadSession"]?.bool == true
        if capabilities?["sessionCapabilities"]?["resume"] != nil { return [resume(.resume)] }
        return [canLoad ? resume(.load) : newSession()]
    }

    private mutating func newSession() -> AgentAction {
        sessionID = nil
        return request(.open, "session/new", sessionParameters)
    }

    private mutating func resume(_ way: Request) -> AgentAction {
        let id: [String: JSONValue] = ["sessionId": .string(sessionID ?? "")]
        return request(way, way == .load ? "session/load" : "session/resume", sessionParameters.merging(id) { $1 })
    }

    private var sessionParameters: [String: JSONValue] {
        ["cwd": .string(launch?.folder ?? "/"), "mcpServers": .array([])]
    }

    private mutating func opened(_ result: JSONValue?, at time: Duration) -> [AgentAction] {
        guard let sessionID else { return [.fail("The agent opened no session")] }
        ready.conversationID = sessionID
        ready.permissionMode = result?["modes"]?["currentModeId"]?.string
        ready.model = result?["models"]?["currentModelId"]?.string
        guard let mode = launch?.permissionMode, mode != ready.permissionMode else { return becomeReady(at: time) }
        return [request(.mode, "session/set_mode", ["sessionId": .string(sessionID), "modeId": .string(mode)])]
    }

    private mutating func becomeReady(at time: Duration) -> [AgentAction] {
        isReady = true
        var events = [AgentEvent(.ready(ready))]
        if case .resume(let id) = launch?.conversation, id != sessionID {
            events.append(AgentEvent(.notice(AgentNotice(.forgotten))))
        }
        return events.map { .event($0) } + promptNext(at: time)
    }

    private mutating func promptNext(at time: Duration) -> [AgentAction] {
        guard !queue.isEmpty else { return [] }
        let (text, id) = queue.removeFirst()
        return [prompt(text, id, at: time)]
    }

    private mutating func endTurn(_ message: JSONValue, after duration: Duration, at time: Duration) -> [AgentAction] {
        let reason = message["result"]?["stopReason"]?.string
        var result = AgentResult(isError: true, reason: "error", duration: duration)
        if wasInterrupted || reason == "cancelled" {
            // Some agents report an interrupted turn as an error.
            (result.isError, result.reason) = (false, AgentResult.interrupted)
        } else if let error = message["error"] {
            result.text = Self.words(error)
        } else if let reason {
            result.isError = reason != "end_turn"
            result.reason = reason
            result.text = result.isError ? reason : nil
        }
        let usage = message["result"]?["usage"]
        (result.inputTokens, result.outputTokens) = (usage?["inputTokens"]?.integer, usage?["outputTokens"]?.integer)
        let start = takePrompt() + finishText()
        // A sub-agent may keep working in the background: requests for its announced calls stay open.
        let isInBackground = { [calls] (open: OpenPrompt) in
            reason == "end_turn" && result.reason == reason && open.prompt.toolUseID.flatMap { calls[$0] }?.hasEnded == false
                && !open.isAnnouncement
        }
        let cancelled = cancelRequests { !isInBackground($0) }
        let ended = endCalls(isError: result.isError || result.reason == AgentResult.interrupted)
        (hasFinishedTurn, isInTurn, wasInterrupted) = (true, false, false)
        return start.map { .event($0) } + cancelled + (ended + [AgentEvent(.result(result))]).map { .event($0) }
            + promptNext(at: time)
    }

    /// Ends the turn's calls whose end the agent did not report, and forgets the calls of the turn before.
    private mutating func endCalls(isError: Bool) -> [AgentEvent] {
        turnCount += 1
        calls = calls.filter { !$0.value.hasEnded || $0.value.endedAfter >= turnCount - 1 }
        let waiting = Set(open.values.compactMap(\.prompt.toolUseID))
        let running = calls.filter { !$0.value.hasEnded && !waiting.contains($0.key) }.keys.sorted()
        return running.map { id in
            end(id)
            return AgentEvent(.toolResult(AgentToolResult(toolUseID: id, output: "", isError: isError)))
        }
    }

    private static func words(_ error: JSONValue) -> String {
        var words = error["message"]?.string ?? "The agent reported an error"
        let data = error["data"]
        if let details = data?.string ?? data?["details"]?.string ?? data?["message"]?.string, details != words {
            words += ": \(details)"
        }
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
        let options = (message["params"]?["options"]?.array ?? []).prefix(Self.maximumOptionCount).compactMap { option in
            option["optionId"]?.string.flatMap { id in
                option["kind"]?.string.flatMap(AgentPermissionOption.Kind.init).map {
                    AgentPermissionOption(id: id, name: option["name"]?.string ?? id, kind: $0)
                }
            }
        }
        let announced = announcedCall(for: callID, call)
        var events = takePrompt() + finishText()
        if announced == nil || announced == callID {
            merge(call, into: callID)
            events += show(callID)
        }
        var asked = calls[announced ?? callID] ?? Call()
        asked.merge(call)
        let input = Self.input(of: call, text) ?? (asked.described, asked.described.text)
        let openBytes = open.values.reduce(0) { $0 + $1.inputLength }
        guard open.isEmpty || openBytes + input.1.utf8.count <= ClaudeDriver.maximumOpenBytes else {
            return events.map { .event($0) } + [refuse(id, code: -32603, "The requests that wait for an answer are too long")]
        }
        let prompt = AgentPrompt(
            id: makeID(), toolUseID: announced ?? callID,
            kind: .permission(
                AgentPermission(
                    toolName: asked.title ?? asked.kind ?? "tool", input: input.0, inputText: input.1, title: call["title"]?.string,
                    offersSession: false, options: options, kind: asked.kind, content: asked.content)))
        open[prompt.id] = OpenPrompt(
            prompt: prompt, inputLength: input.1.utf8.count, requestID: id, options: options, isAnnouncement: announced == nil)
        return (events + [AgentEvent(.prompt(prompt))]).map { .event($0) }
    }

    /// Returns the id of the announced call that a request belongs to, whatever id the request has; nil if none or several fit.
    private func announcedCall(for id: String, _ call: JSONValue) -> String? {
        if calls[id] != nil { return id }
        let running = calls.filter { !$0.value.hasEnded }
        let same = running.filter { $0.value.input != nil && $0.value.input == Self.input(of: call) }
        let named = same.isEmpty ? running.filter { $0.value.title != nil && $0.value.title == call["title"]?.string } : same
        let found = named.isEmpty ? running : named
        return found.count == 1 ? found.first?.key : nil
    }

    /// Returns the input of a message; nil for an empty input, as agents send it in a request for a call that already has one.
    fileprivate static func input(of message: JSONValue) -> JSONValue? {
        switch message["rawInput"] {
        case nil, .null, .object([:]), .array([]), .string(""): nil
        case let input: input
        }
    }

    /// Returns the input of a request with its exact JSON text; nil for an empty input.
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
            // A host may ignore extensions of the protocol.
            return method.hasPrefix("_") || method.hasPrefix("$/") ? [] : [.event(AgentEvent(.unknown(text)))]
        }
        // A loaded session replays its history, which the host already has.
        guard isReady else { return [] }
        return (replacedSession(message["params"]?["sessionId"]?.string) + updated(update, text)).map { .event($0) }
    }

    /// Switches to the session that the agent opened instead of resuming the requested one.
    private mutating func replacedSession(_ id: String?) -> [AgentEvent] {
        guard isFresh, let id, let sessionID, id != sessionID, case .resume(sessionID) = launch?.conversation else { return [] }
        self.sessionID = id
        ready.conversationID = id
        return [AgentEvent(.ready(ready)), AgentEvent(.notice(AgentNotice(.forgotten)))]
    }

    // MARK: Updates

    private mutating func updated(_ update: JSONValue, _ text: String) -> [AgentEvent] {
        switch update["sessionUpdate"]?.string {
        case "agent_message_chunk": return takePrompt() + chunk(update)
        case "tool_call", "tool_call_update":
            guard let id = update["toolCallId"]?.string else { return [AgentEvent(.unknown(text))] }
            let isDescribed = ["title", "kind", "rawInput", "content", "locations"].contains { update[$0] != nil }
            // An update of an unknown call that does not describe the call has nothing to show.
            guard calls[id] != nil || isDescribed else { return [] }
            let start = isInTurn ? takePrompt() + finishText() : []
            // A new call that reuses the id of an ended call.
            if update["sessionUpdate"]?.string == "tool_call", calls[id]?.hasEnded == true { calls[id] = nil }
            merge(update, into: id)
            return start + progress(id, update["status"]?.string)
        case "current_mode_update":
            guard let mode = update["currentModeId"]?.string, mode != ready.permissionMode else { return [] }
            ready.permissionMode = mode
            return [AgentEvent(.ready(ready))]
        case "agent_thought_chunk", "user_message_chunk": return takePrompt() + finishText()
        case "plan": return takePrompt() + finishText() + plan(update)
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
        // A text over the maximum length is split into several texts.
        if let text, text.message != message || text.length > AgentLineReader.largeLineLength { events = finishText() }
        var text = self.text ?? (makeID(), message, "", 0)
        events.append(AgentEvent(.partialText(AgentPartialText(id: text.id, offset: text.length, piece: piece))))
        text.value += piece
        text.length += piece.utf8.count
        self.text = text
        return events
    }

    /// Adds the members of an update, which has only the changed members, to its call.
    private mutating func merge(_ update: JSONValue, into id: String) {
        // Bounds the memory of a turn that never ends. Later updates of the removed calls begin new calls.
        if calls[id] == nil, calls.count >= 10_000 { calls.removeAll() }
        calls[id, default: Call()].merge(update)
    }

    /// Returns the tool use as an event if it is new or differs from the one shown last.
    private mutating func show(_ id: String) -> [AgentEvent] {
        guard let call = calls[id] else { return [] }
        let use = call.use(id)
        // A piece of output alone does not show the use again.
        if let shown = call.shown, !use.differs(from: shown) { return [] }
        calls[id]?.shown = use
        return [AgentEvent(.toolUse(use))]
    }

    private mutating func progress(_ id: String, _ status: String?) -> [AgentEvent] {
        let hasEnded = calls[id]?.hasEnded == true
        let events = hasEnded ? [] : show(id)
        guard status == "completed" || status == "failed", let call = calls[id] else { return events }
        end(id)
        // A repeated end, or an end after the end of the turn, may have the output.
        guard !hasEnded || !call.output.isEmpty else { return events }
        return events + [AgentEvent(.toolResult(AgentToolResult(toolUseID: id, output: call.output, isError: status == "failed")))]
    }

    private mutating func end(_ id: String) {
        calls[id]?.hasEnded = true
        calls[id]?.endedAfter = turnCount
    }

    /// Shows the agent's list of tasks, which each update replaces, as an ended tool call.
    private mutating func plan(_ update: JSONValue) -> [AgentEvent] {
        let tasks = (update["entries"]?.array ?? []).map { entry in
            JSONValue.object(["content": entry["content"] ?? .string(""), "status": entry["status"] ?? .string("pending")])
        }
        guard !tasks.isEmpty || planID != nil else { return [] }
        let id = planID ?? "plan-\(makeID())"
        let use = AgentEvent(
            .toolUse(AgentToolUse(id: id, name: "Plan", input: .object(["todos": .array(tasks)]), kind: AgentToolUse.plan)))
        defer { planID = id }
        return planID != nil ? [use] : [use, AgentEvent(.toolResult(AgentToolResult(toolUseID: id, output: "", isError: false)))]
    }
}

extension AgentToolUse {
    /// Returns true if the use differs from `shown` in more than its texts.
    fileprivate func differs(from shown: AgentToolUse) -> Bool {
        func diffs(_ use: AgentToolUse) -> [AgentToolContent] { use.content.filter { if case .diff = $0 { true } else { false } } }
        return name != shown.name || input != shown.input || kind != shown.kind || diffs(self) != diffs(shown)
            || shown.content.isEmpty && !content.isEmpty
    }
}

extension ACPDriver.Call {
    mutating func merge(_ update: JSONValue) {
        if let title = update["title"]?.string, !title.isEmpty { self.title = title }
        kind = update["kind"]?.string ?? kind
        input = ACPDriver.input(of: update) ?? input
        if let locations = update["locations"], locations.array?.isEmpty != true { self.locations = locations }
        // Once the call has ended its content is its output. Changes of files remain a part of the call.
        let status = update["status"]?.string
        let hasEnded = status == "completed" || status == "failed"
        let parts = (update["content"]?.array ?? []).compactMap(Self.content)
        if !parts.isEmpty { rawContent = update["content"] }
        let diffs = parts.filter { if case .diff = $0 { true } else { false } }
        if hasEnded {
            if !diffs.isEmpty { content = diffs }
        } else if !parts.isEmpty {
            content = parts
        }
        // The content of an announcement is part of the call, not output.
        if hasEnded || shown != nil, let output = Self.output(of: update) { self.output = output }
    }

    private static func content(_ item: JSONValue) -> AgentToolContent? {
        switch item["type"]?.string {
        case "content": item["content"]?["text"]?.string.map { .text($0) }
        case "diff": .diff(path: item["path"]?.string ?? "", old: item["oldText"]?.string, new: item["newText"]?.string ?? "")
        default: nil
        }
    }

    /// Returns the content of an update as text; nil if it has none.
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
        let texts = raw.array?.compactMap { $0["text"]?.string }
        return raw.string ?? texts.flatMap { $0.isEmpty ? nil : $0.joined(separator: "\n") } ?? raw.text
    }

    /// Returns a change of a file as removed and added lines without context.
    private static func diff(_ item: JSONValue) -> String {
        let path = item["path"]?.string ?? ""
        let old = item["oldText"]?.string.map { $0.split(separator: "\n", omittingEmptySubsequences: false).map { "-\($0)" } } ?? []
        let new = (item["newText"]?.string ?? "").split(separator: "\n", omittingEmptySubsequences: false).map { "+\($0)" }
        return ([path] + old + new).joined(separator: "\n")
    }
}
