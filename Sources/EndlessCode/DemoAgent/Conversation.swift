import EndlessCodeAgents
import Foundation
import WireKit

/// The conversation of one run: reads messages, and plays one script after another.
actor Conversation {
    let project: Project
    let options: Options
    private let output: Output
    private var transcript: Transcript
    private(set) var permissionMode: String
    /// Prompts that wait for the end of the turn.
    private var queue: [Prompt] = []
    private var turn: Task<Void, Never>?
    /// Requests to the host that wait for their answer.
    private var requests: [String: CheckedContinuation<JSONValue, any Error>] = [:]
    private var messageCount = 0
    private var resultCount = 0

    init(_ options: Options, _ output: Output) throws {
        (self.options, self.output) = (options, output)
        transcript = try Transcript(options)
        permissionMode = options.permissionMode
        project = Project(folder: options.folder)
    }

    var session: String { options.session.uuidString.lowercased() }
    /// Prompts of earlier runs, without the current one.
    var earlierPrompts: [String] { transcript.earlierPrompts }

    /// Runs until the input ends. The turn that still runs is then interrupted, and its last message is kept.
    func run(_ lines: AsyncStream<String>) async {
        for await line in lines {
            guard let message = try? WireJSON.decode(JSONValue.self, from: Data(line.utf8)) else { continue }
            receive(message)
        }
        queue = []
        interrupt()
        await turn?.value
    }

    // MARK: Messages of the host

    private func receive(_ message: JSONValue) {
        switch message["type"]?.string {
        case "user":
            let content = message["message"]?["content"]
            let text = content?.string ?? (content?.array ?? []).compactMap { $0["text"]?.string }.joined(separator: "\n")
            let prompt = Prompt(text: text, id: message["uuid"]?.string ?? UUID().uuidString.lowercased())
            // A prompt that the conversation already has is not played again.
            if transcript.promptIDs.contains(prompt.id) { return sendRepeat(of: prompt) }
            queue.append(prompt)
            sendLifecycle(of: prompt, "queued")
            playNext()
        case "control_request": control(message)
        case "control_response":
            guard let id = message["response"]?["request_id"]?.string, let waiting = requests.removeValue(forKey: id) else {
                return
            }
            if message["response"]?["subtype"]?.string == "success", let response = message["response"]?["response"] {
                waiting.resume(returning: response)
            } else {
                waiting.resume(
                    returning: .object(["behavior": .string("deny"), "message": .string("The host refused the request.")]))
            }
        default: break
        }
    }

    private func control(_ message: JSONValue) {
        guard let id = message["request_id"]?.string else { return }
        var response: [String: JSONValue] = [:]
        switch message["request"]?["subtype"]?.string {
        case "initialize":
            response = ["commands": .array([]), "output_style": .string("default"), "models": .array([])]
        case "interrupt":
            response = ["still_queued": .array([])]
        case "set_permission_mode":
            guard let mode = message["request"]?["mode"]?.string, ["default", "acceptEdits", "plan", "dontAsk"].contains(mode)
            else {
                return refuse(id, "unknown permission mode")
            }
            setMode(mode)
        case "set_model": break
        case let subtype: return refuse(id, "demo-agent does not know \(subtype ?? "this request")")
        }
        send([
            "type": .string("control_response"),
            "response": .object(["subtype": .string("success"), "request_id": .string(id), "response": .object(response)]),
        ])
        if message["request"]?["subtype"]?.string == "interrupt" { interrupt() }
    }

    private func refuse(_ id: String, _ reason: String) {
        send([
            "type": .string("control_response"),
            "response": .object(["subtype": .string("error"), "request_id": .string(id), "error": .string(reason)]),
        ])
    }

    private func interrupt() {
        turn?.cancel()
        for (id, waiting) in requests {
            send(["type": .string("control_cancel_request"), "request_id": .string(id)])
            waiting.resume(throwing: CancellationError())
        }
        requests = [:]
    }

    // MARK: Turns

    private func playNext() {
        guard turn == nil, !queue.isEmpty else { return }
        let prompt = queue.removeFirst()
        turn = Task { await play(prompt) }
    }

    private func play(_ prompt: Prompt) async {
        let start = ContinuousClock.now
        sendLifecycle(of: prompt, "started")
        transcript.add("user", prompt.message, id: prompt.id)
        sendRepeat(of: prompt)
        sendInit()
        var ending = Ending()
        do {
            ending.text = try await Script(self, prompt.text).play()
        } catch is CancellationError {
            let words = JSONValue.object(["type": .string("text"), "text": .string("[Request interrupted by user]")])
            sendMessage("user", .object(["role": .string("user"), "content": .array([words])]), parent: nil)
            ending = Ending(isError: true, subtype: "error_during_execution", reason: "aborted_streaming", text: nil)
        } catch {
            ending = Ending(isError: true, subtype: "success", reason: "api_error", text: "\(error)")
        }
        sendResult(ending, after: .now - start)
        turn = nil
        playNext()
    }

    private func sendRepeat(of prompt: Prompt) {
        guard options.repeatsPrompts else { return }
        send([
            "type": .string("user"), "message": prompt.message, "parent_tool_use_id": .null, "uuid": .string(prompt.id),
            "isReplay": .bool(true),
        ])
    }

    private func sendLifecycle(of prompt: Prompt, _ state: String) {
        send(["type": .string("command_lifecycle"), "command_uuid": .string(prompt.id), "state": .string(state)])
    }

    private struct Prompt {
        var text: String
        /// The host's id of the prompt, which the transcript keeps.
        var id: String

        var message: JSONValue { .object(["role": .string("user"), "content": .string(text)]) }
    }

    private struct Ending {
        var isError = false
        var subtype = "success"
        var reason = "completed"
        var text: String? = ""
    }

    private func sendInit() {
        send([
            "type": .string("system"), "subtype": .string("init"), "cwd": .string(project.folder.path),
            "tools": .array(["AskUserQuestion", "Edit", "ExitPlanMode", "LS", "Read", "Task", "Write"].map { .string($0) }),
            "mcp_servers": .array([]), "model": .string("demo (a script, no model)"), "permissionMode": .string(permissionMode),
            "slash_commands": .array([]), "claude_code_version": .string("demo"),
        ])
    }

    private func sendResult(_ ending: Ending, after duration: Duration) {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        var result: [String: JSONValue] = [
            "type": .string("result"), "subtype": .string(ending.subtype), "is_error": .bool(ending.isError),
            "terminal_reason": .string(ending.reason), "duration_ms": .integer(milliseconds), "duration_api_ms": .integer(0),
            "num_turns": .integer(1), "total_cost_usd": .integer(0), "permission_denials": .array([]), "modelUsage": .object([:]),
            "usage": .object(["input_tokens": .integer(0), "output_tokens": .integer(0)]),
            "queued_turn_count": .integer(Int64(queue.count)), "result_index": .integer(Int64(resultCount)),
        ]
        if let text = ending.text { result["result"] = .string(text) }
        resultCount += 1
        send(result)
    }

    // MARK: Support for scripts

    func nextMessageID() -> String {
        messageCount += 1
        return "msg_demo_\(session.prefix(8))_\(UUID().uuidString.prefix(8).lowercased())_\(messageCount)"
    }

    func send(_ message: [String: JSONValue]) {
        var message = message
        message["session_id"] = .string(session)
        message["uuid"] = message["uuid"] ?? .string(UUID().uuidString.lowercased())
        output.write(message)
    }

    /// Sends and records a complete message.
    func sendMessage(_ type: String, _ message: JSONValue, parent: String?, isAborted: Bool = false) {
        let id = UUID().uuidString.lowercased()
        var line: [String: JSONValue] = [
            "type": .string(type), "message": message, "parent_tool_use_id": parent.map(JSONValue.string) ?? .null,
            "uuid": .string(id),
            "timestamp": .string(Transcript.now),
        ]
        if isAborted { line["aborted"] = .bool(true) }
        send(line)
        if parent == nil { transcript.add(type, message, id: id) }
    }

    /// Sends a request to the host and waits for the answer.
    ///
    /// - Throws: `CancellationError` when the turn is interrupted.
    func ask(_ request: [String: JSONValue]) async throws -> JSONValue {
        try Task.checkCancellation()
        let id = UUID().uuidString.lowercased()
        return try await withCheckedThrowingContinuation { continuation in
            requests[id] = continuation
            send(["type": .string("control_request"), "request_id": .string(id), "request": .object(request)])
        }
    }

    func setMode(_ mode: String) {
        permissionMode = mode
        send(["type": .string("system"), "subtype": .string("status"), "status": .null, "permissionMode": .string(mode)])
    }
}
