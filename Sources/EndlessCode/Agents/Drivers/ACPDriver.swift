import Foundation
import WireKit

/// The Agent Client Protocol, version 1: JSON-RPC 2.0, one object per line. Source: agentclientprotocol.com.
///
/// ```
///  host                                        agent
///   initialize, session/new, /resume or /load ──▶
///   ◀──────────────────────────────── responses       ready
///   session/prompt ────────────────────────────▶
///   ◀──────────────────────────── session/update      texts, tool uses and their results
///   ◀──────────────── session/request_permission      prompt
///   response: the chosen option ───────────────▶
///   ◀──────────────── response to session/prompt      result
/// ```
///
/// The host offers neither files nor terminals: requests for them get an error.
package struct ACPDriver: AgentDriver {
    static let protocolVersion = 1
    /// Maximum prompts that wait for the end of a turn.
    static let maximumQueueCount = 100
    static let maximumPromptCount = 100
    /// Maximum options of one request. Further ones are not shown.
    static let maximumOptionCount = 20

    struct OpenPrompt: Sendable {
        var prompt: AgentPrompt
        /// The length of the input in bytes.
        var inputLength: Int
        /// The id of the request, as JSON text.
        var requestID: String
        var options: [AgentPermissionOption]
        /// True if the request itself announced its call.
        var isAnnouncement: Bool
    }

    /// A tool call that the agent announced.
    struct Call: Sendable {
        var title: String?
        var kind: String?
        var input: JSONValue?
        /// The files of a call without an input.
        var locations: JSONValue?
        var content: [AgentToolContent] = []
        /// The ``content`` as the agent wrote it.
        var rawContent: JSONValue?
        var output = ""
        /// The tool use as it was shown last; nil before.
        var shown: AgentToolUse?
        var hasEnded = false
        /// Count of ended turns at the end of the call.
        var endedAfter = 0

        /// The input; for a call without one, the other members that the agent has sent.
        var described: JSONValue {
            if let input { return input }
            var outline: [String: JSONValue] = [:]
            outline["title"] = title.map { .string($0) }
            outline["kind"] = kind.map { .string($0) }
            (outline["locations"], outline["content"]) = (locations, rawContent)
            return .object(outline)
        }

        func use(_ id: String) -> AgentToolUse {
            let outline = locations.map { JSONValue.object(["locations": $0]) } ?? .object([:])
            return AgentToolUse(id: id, name: title ?? kind ?? "tool", input: input ?? outline, kind: kind, content: content)
        }
    }

    enum Request: Hashable, Sendable {
        case initialize, open, mode, prompt(startedAt: Duration)
        /// `session/resume` or `session/load`.
        case resume, load
    }

    package internal(set) var isReady = false
    package internal(set) var isInTurn = false
    package internal(set) var hasFinishedTurn = false

    let makeID: @Sendable () -> String
    var launch: AgentLaunch?
    var ready = AgentReady()
    var requests: [Int: Request] = [:]
    var sessionID: String?
    /// Prompts that wait for the start or for the end of a turn.
    var queue: [(text: String, id: UUID)] = []
    /// The prompt of the turn, until the first sign that the agent works on it.
    var told: UUID?
    var open: [AgentPrompt.ID: OpenPrompt] = [:]
    /// The calls of the running turn, and of the turn before, whose updates may arrive late.
    var calls: [String: Call] = [:]
    /// The tool-use id that shows the agent's list of tasks in this turn; nil before the list is shown.
    var planID: String?
    var turnCount = 0
    var wasInterrupted = false
    var canLoad = false
    /// True until a prompt has been sent in the session.
    var isFresh = true
    /// The text that the agent is writing.
    var text: (id: String, message: String?, value: String, length: Int)?
    private var requestCount = 0

    /// - Parameter makeID: Generates ids of texts and prompts, unique over all runs.
    package init(makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }) { self.makeID = makeID }

    // MARK: Start

    package func arguments(for launch: AgentLaunch) throws(AgentError) -> [String] { [] }

    package mutating func start(_ launch: AgentLaunch) -> [AgentAction] {
        self.launch = launch
        let files: JSONValue = .object(["readTextFile": .bool(false), "writeTextFile": .bool(false)])
        return [
            request(
                .initialize, "initialize",
                [
                    "protocolVersion": .integer(Int64(Self.protocolVersion)),
                    "clientCapabilities": .object(["fs": files, "terminal": .bool(false)]),
                    "clientInfo": .object(["name": .string("switchboard"), "version": .string("1")]),
                ])
        ]
    }

    // MARK: Commands

    package mutating func perform(_ command: AgentCommand, at time: Duration) throws(AgentError) -> [AgentAction] {
        switch command {
        case .prompt(let text, let id, _):
            guard isReady, !isInTurn else {
                guard queue.count < Self.maximumQueueCount else { throw .inputFull }
                queue.append((text, id))
                return []
            }
            return [prompt(text, id, at: time)]
        case .interrupt:
            guard let sessionID, isInTurn || !open.isEmpty else { return [] }
            wasInterrupted = isInTurn
            return [notify("session/cancel", ["sessionId": .string(sessionID)])] + cancelRequests { _ in true }
        case .answer(let id, let answer):
            guard let open = open[id] else { throw .promptClosed }
            // Matches the exact kind: a single allow or refusal must not become a permanent one.
            let option: String? =
                switch answer {
                case .allow: open.options.first { $0.kind == .allowOnce }?.id
                case .deny: open.options.first { $0.kind == .rejectOnce }?.id
                case .option(let id): open.options.first { $0.id == id }?.id
                case .allowForSession, .answers: nil
                }
            if option == nil {
                guard case .deny = answer else { throw .invalidAnswer }
            }
            self.open[id] = nil
            let outcome = option.map { #"{"outcome":"selected","optionId":\#($0.quotedJSON)}"# } ?? Self.cancelled
            return [respond(open.requestID, #"{"outcome":\#(outcome)}"#)]
        }
    }

    private static let cancelled = #"{"outcome":"cancelled"}"#

    /// Cancels open requests and withdraws their prompts. Without a response, the agent would wait for ever.
    mutating func cancelRequests(_ matches: (OpenPrompt) -> Bool) -> [AgentAction] {
        open.filter { matches($0.value) }.sorted { $0.key < $1.key }.flatMap { id, request -> [AgentAction] in
            open[id] = nil
            return [respond(request.requestID, #"{"outcome":\#(Self.cancelled)}"#), .event(AgentEvent(.promptWithdrawn(id)))]
        }
    }

    mutating func prompt(_ text: String, _ id: UUID, at time: Duration) -> AgentAction {
        (isInTurn, told, isFresh, wasInterrupted, planID) = (true, id, false, false, nil)
        return request(
            .prompt(startedAt: time), "session/prompt",
            [
                "sessionId": .string(sessionID ?? ""),
                "prompt": .array([.object(["type": .string("text"), "text": .string(text)])]),
            ])
    }

    package mutating func end() -> [AgentEvent] {
        let events = finishText() + open.keys.sorted().map { AgentEvent(.promptWithdrawn($0)) }
        (open, isInTurn, told) = ([:], false, nil)
        return events
    }

    // MARK: JSON-RPC

    mutating func request(_ kind: Request, _ method: String, _ parameters: [String: JSONValue]) -> AgentAction {
        requestCount += 1
        requests[requestCount] = kind
        return .write(
            JSONValue.object([
                "jsonrpc": .string("2.0"), "id": .integer(Int64(requestCount)), "method": .string(method),
                "params": .object(parameters),
            ]).text)
    }

    func notify(_ method: String, _ parameters: [String: JSONValue]) -> AgentAction {
        .write(JSONValue.object(["jsonrpc": .string("2.0"), "method": .string(method), "params": .object(parameters)]).text)
    }

    /// - Parameters:
    ///   - id: JSON text.
    ///   - result: JSON text.
    func respond(_ id: String, _ result: String) -> AgentAction { .write(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#) }

    func refuse(_ id: String, code: Int, _ message: String) -> AgentAction {
        .write(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":\#(message.quotedJSON)}}"#)
    }

    /// Confirms the prompt of the turn, once. ACP has no confirmation of prompts; the first sign of work on a prompt counts as one.
    mutating func takePrompt() -> [AgentEvent] {
        defer { told = nil }
        return told.map { [AgentEvent(.promptTaken(AgentReceipt(id: $0)))] } ?? []
    }

    /// Ends the streamed text and returns it as a complete text.
    mutating func finishText() -> [AgentEvent] {
        defer { text = nil }
        return text.map { [AgentEvent(.text(AgentText(id: $0.id, text: $0.value)))] } ?? []
    }
}
