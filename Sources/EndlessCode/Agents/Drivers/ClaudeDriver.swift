import Foundation
import WireKit

/// Claude Code's `stream-json` in both directions, with permissions over its control protocol (version 2.1).
///
/// ```
///  host                                        agent
///   initialize ────────────────────────────────▶
///   ◀──────────────────────── control_response        ready
///   user ──────────────────────────────────────▶
///   ◀─────────────────────────────── user, isReplay      the prompt is taken up
///   ◀──── system/init, stream_event, assistant …      partial and complete texts, tool uses
///   ◀───────── control_request can_use_tool           prompt
///   control_response allow, deny ──────────────▶
///   ◀───────────────────── user (tool results) …
///   ◀──────────────────────────────────── result
/// ```
package struct ClaudeDriver: AgentDriver {
    /// The permission modes that a launch may ask for.
    package static let permissionModes: Set<String> = ["default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"]
    /// Maximum open requests of the agent, which gets an error for more. Also maximum prompts that the agent has not taken up.
    static let maximumPromptCount = 100
    /// Maximum total length of the inputs of several open requests, in bytes. A single request may be longer.
    static let maximumOpenBytes = 8 * 1_048_576
    /// Maximum sub-agents whose texts are shown while they are written, and maximum sub-agents in the background.
    static let maximumStreamCount = 100

    /// A prompt that waits for its answer.
    struct OpenPrompt: Sendable {
        var prompt: AgentPrompt
        /// The input as the agent wrote it.
        var inputText: String
        /// The agent's suggestions that a session grant returns.
        var suggestions: [JSONValue]
        var isSubagent: Bool
    }

    /// A prompt that the agent has not taken up.
    struct ToldPrompt: Sendable {
        var id: UUID
        var isRepeat: Bool
        /// True once the agent has reported that the prompt is in its queue, or has left it.
        var isQueued = false, isStarted = false
    }

    package internal(set) var isReady = false
    package var isInTurn: Bool {
        isTurnOpen || isTurnQueued || !told.isEmpty || !commands.isEmpty || !backgroundAgents.isEmpty
    }
    package internal(set) var hasFinishedTurn = false

    let makeID: @Sendable () -> String
    /// True while a turn that has begun has not ended.
    var isTurnOpen = false
    /// True if the last result announced another turn.
    var isTurnQueued = false
    /// Prompts that the agent has not taken up, in the order in which they were sent.
    var told: [ToldPrompt] = []
    /// Prompts of the host and of the agent's own timers: false in the agent's queue, true after it.
    var commands: [UUID: Bool] = [:]
    /// The ids of sub-agents that work in the background.
    var backgroundAgents: Set<String> = []
    /// The error with which the agent refused to resume its conversation; nil if it did not refuse.
    var resumptionError: String?
    /// The usage limit of the last notice, to report each limit once; nil while no limit is near.
    var toldLimit: String?
    var ready = AgentReady()
    var open: [AgentPrompt.ID: OpenPrompt] = [:]
    /// The texts being written, by the tool-use id of the sub-agent; "" for the agent itself.
    var streams: [String: StreamedTexts] = [:]
    var usage = ClaudeUsage()
    var wasInterrupted = false
    /// True if the launch names an earlier conversation.
    var isResuming = false
    private var initializeID = ""
    private var requestCount = 0

    /// - Parameter makeID: Generates ids of texts and requests, unique over all runs.
    package init(makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }) { self.makeID = makeID }

    // MARK: Start

    package func arguments(for launch: AgentLaunch) throws(AgentError) -> [String] {
        if let mode = launch.permissionMode, !Self.permissionModes.contains(mode) { throw .invalidPermissionMode(mode) }
        let conversation =
            switch launch.conversation {
            case .new(let id): "--session-id=\(id.uuidString.lowercased())"
            case .resume(let id):
                // The agent could read any other text as an option or a path.
                if let id = UUID(uuidString: id) {
                    "--resume=\(id.uuidString.lowercased())"
                } else {
                    throw .invalidConversationID
                }
            }
        return [
            "-p", "--output-format", "stream-json", "--verbose", "--input-format", "stream-json", "--include-partial-messages",
            "--replay-user-messages", "--permission-prompt-tool", "stdio",
        ] + (launch.permissionMode.map { ["--permission-mode", $0] } ?? []) + [conversation]
    }

    package mutating func start(_ launch: AgentLaunch) -> [AgentAction] {
        switch launch.conversation {
        case .new(let id): ready.conversationID = id.uuidString.lowercased()
        case .resume(let id): (ready.conversationID, isResuming) = (id.lowercased(), true)
        }
        // If nil, the first turn reports the mode in the user's settings.
        ready.permissionMode = launch.permissionMode
        initializeID = nextRequestID()
        return [request(initializeID, ["subtype": .string("initialize"), "hooks": .null])]
    }

    // MARK: Commands

    package mutating func perform(_ command: AgentCommand, at time: Duration) throws(AgentError) -> [AgentAction] {
        switch command {
        case .prompt(let text, let id, let isRepeat):
            guard told.count < Self.maximumPromptCount else { throw .inputFull }
            if !isInTurn { wasInterrupted = false }
            told.append(ToldPrompt(id: id, isRepeat: isRepeat))
            let message: [String: JSONValue] = ["role": .string("user"), "content": .string(text)]
            return [
                write([
                    "type": .string("user"), "message": .object(message), "parent_tool_use_id": .null,
                    "session_id": .string(ready.conversationID ?? "default"), "uuid": .string(id.uuidString.lowercased()),
                ])
            ]
        case .interrupt:
            guard isInTurn || !open.isEmpty else { return [] }
            wasInterrupted = true
            return [request(nextRequestID(), ["subtype": .string("interrupt")])]
        case .answer(let id, let answer):
            return try self.answer(id, answer)
        }
    }

    private mutating func answer(_ id: AgentPrompt.ID, _ answer: AgentAnswer) throws(AgentError) -> [AgentAction] {
        guard let open = open[id] else { throw .promptClosed }
        var actions: [AgentAction] = []
        let response: String
        switch (answer, open.prompt.kind) {
        case (.allow, .permission):
            response = #"{"behavior":"allow","updatedInput":\#(open.inputText)}"#
        case (.allowForSession, .permission(let permission)):
            guard permission.offersSession else { throw .invalidAnswer }
            let suggestions = JSONValue.array(open.suggestions).text
            response = #"{"behavior":"allow","updatedInput":\#(open.inputText),"updatedPermissions":\#(suggestions)}"#
            if let mode = open.suggestions.lazy.compactMap({ $0["mode"]?.string }).first {
                actions = update { $0.permissionMode = mode }
            }
        case (.deny(let reason), _):
            let message = reason.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } ?? "The user refused this."
            response = #"{"behavior":"deny","message":\#(message.quotedJSON),"interrupt":false}"#
        case (.answers(let answers), .questions(let questions)):
            let values = try AgentQuestion.values(answers, to: questions)
            let members = zip(questions, values).map { "\($0.question.quotedJSON):\($1.quotedJSON)" }
            // Two questions with the same text share one answer, because the text is the key.
            let answersText = "\"answers\":{\(members.joined(separator: ","))}"
            guard let input = try? JSONObjectText(open.inputText) else { throw .invalidAnswer }
            response = #"{"behavior":"allow","updatedInput":\#(input.replacing(["answers"], with: [answersText]))}"#
        default: throw .invalidAnswer
        }
        self.open[id] = nil
        return [succeed(id, response)] + actions
    }

    package mutating func end() -> [AgentEvent] {
        let texts = streams.sorted { $0.key < $1.key }.flatMap { parent, texts in
            var texts = texts
            return texts.finish().map { AgentEvent(.text($0), parentToolUseID: parent.isEmpty ? nil : parent) }
        }
        streams = [:]
        (isTurnOpen, isTurnQueued, told, commands, backgroundAgents) = (false, false, [], [:], [])
        return texts + withdraw { _ in true }
    }

    package func hasLostConversation(errorTail: String) -> Bool {
        isResuming && !hasFinishedTurn && (resumptionError.map(Self.isUnknownConversation) ?? Self.isUnknownConversation(errorTail))
    }

    static func isUnknownConversation(_ words: String) -> Bool { words.contains("No conversation found") }

    // MARK: Parts of messages

    /// Changes the state of the conversation. Returns an event if the state differs, or at the start.
    mutating func update(isStart: Bool = false, _ change: (inout AgentReady) -> Void) -> [AgentAction] {
        let old = ready
        change(&ready)
        if isStart { isReady = true }
        return isReady && (isStart || ready != old) ? [.event(AgentEvent(.ready(ready)))] : []
    }

    mutating func withdraw(_ matches: (OpenPrompt) -> Bool) -> [AgentEvent] {
        let ids = open.filter { matches($0.value) }.map(\.key).sorted()
        for id in ids { open[id] = nil }
        return ids.map { AgentEvent(.promptWithdrawn($0)) }
    }

    func isInitialize(_ id: String?) -> Bool { id == initializeID }

    private mutating func nextRequestID() -> String {
        requestCount += 1
        return "host-\(requestCount)-\(makeID())"
    }

    private func write(_ message: [String: JSONValue]) -> AgentAction { .write(JSONValue.object(message).text) }

    private func request(_ id: String, _ request: [String: JSONValue]) -> AgentAction {
        write(["type": .string("control_request"), "request_id": .string(id), "request": .object(request)])
    }

    /// - Parameter response: JSON text.
    private func succeed(_ id: String, _ response: String) -> AgentAction {
        .write(
            #"{"type":"control_response","response":{"subtype":"success","request_id":\#(id.quotedJSON),"response":\#(response)}}"#)
    }

    func refuse(_ id: String, _ reason: String) -> AgentAction {
        write([
            "type": .string("control_response"),
            "response": .object(["subtype": .string("error"), "request_id": .string(id), "error": .string(reason)]),
        ])
    }
}

extension AgentQuestion {
    /// Returns the answers as texts, with labels and free text joined by `, `.
    ///
    /// - Throws: ``AgentError/invalidAnswer``.
    static func values(_ answers: [AgentQuestionAnswer], to questions: [AgentQuestion]) throws(AgentError) -> [String] {
        guard answers.count == questions.count else { throw .invalidAnswer }
        var values: [String] = []
        for (answer, question) in zip(answers, questions) {
            let text = answer.text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
            let texts = answer.labels + [text].compactMap(\.self)
            let labels = Set(question.options.map(\.label))
            guard !texts.isEmpty, labels.isSuperset(of: answer.labels), question.multiSelect || answer.labels.count <= 1 else {
                throw .invalidAnswer
            }
            values.append(texts.joined(separator: ", "))
        }
        return values
    }
}
