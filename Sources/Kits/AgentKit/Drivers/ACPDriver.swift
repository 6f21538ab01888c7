public import Foundation
import WireKit

/// The Agent Client Protocol, version 1: JSON-RPC 2.0, one object a line. Source: agentclientprotocol.com.
///
/// ```
///  host                                        agent
///   initialize, session/new or session/load ───▶
///   ◀──────────────────────────────── responses       ready
///   session/prompt ────────────────────────────▶
///   ◀──────────────────────────── session/update      texts, tool uses and their results
///   ◀──────────────── session/request_permission      prompt
///   response: the chosen option ───────────────▶
///   ◀──────────────── response to session/prompt      result
/// ```
///
/// The host offers neither files nor terminals: requests for them get an error.
public struct ACPDriver: AgentDriver {
    static let protocolVersion = 1
    /// Prompts that wait for the end of a turn.
    static let maximumQueueCount = 100
    static let maximumPromptCount = 100

    struct OpenPrompt: Sendable {
        var prompt: AgentPrompt
        /// The length of the input in bytes.
        var inputLength: Int
        /// The id of the request, as JSON text.
        var requestID: String
        /// Ids of the options by their kind.
        var options: [String: String]
    }

    /// A tool call that the agent announced.
    struct Call: Sendable {
        var name: String
        /// Nil until the agent has sent one that is not empty.
        var input: JSONValue?
        /// The members of the call that say what it is about, where its input does not.
        var outline: JSONValue
        /// The latest content: before the call is made, that of a request, such as the difference of a file.
        var content: JSONValue?
        var isShown = false
        var output = ""
    }

    enum Request: Hashable, Sendable { case initialize, open, load, mode, prompt(startedAt: Duration) }

    public internal(set) var isReady = false
    public internal(set) var isInTurn = false
    public internal(set) var hasFinishedTurn = false

    let makeID: @Sendable () -> String
    var launch: AgentLaunch?
    var ready = AgentReady()
    var requests: [Int: Request] = [:]
    var sessionID: String?
    /// Prompts that wait for the start or for the end of a turn.
    var queue: [(text: String, id: UUID)] = []
    /// The prompt of the turn until the agent shows that it works on it.
    var told: UUID?
    var open: [AgentPrompt.ID: OpenPrompt] = [:]
    var calls: [String: Call] = [:]
    /// The text that the agent is writing.
    var text: (id: String, message: String?, value: String, length: Int)?
    private var requestCount = 0

    /// - Parameter makeID: Ids of texts and prompts, unique over all runs.
    public init(makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }) { self.makeID = makeID }

    // MARK: Start

    public func arguments(for launch: AgentLaunch) throws(AgentError) -> [String] { [] }

    public mutating func start(_ launch: AgentLaunch) -> [AgentAction] {
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

    public mutating func perform(_ command: AgentCommand, at time: Duration) throws(AgentError) -> [AgentAction] {
        switch command {
        case .prompt(let text, let id, _):
            guard isReady, !isInTurn else {
                guard queue.count < Self.maximumQueueCount else { throw .inputFull }
                queue.append((text, id))
                return []
            }
            return [prompt(text, id, at: time)]
        case .interrupt:
            guard isInTurn, let sessionID else { return [] }
            let cancelled = open.keys.sorted().flatMap { id -> [AgentAction] in
                guard let open = open.removeValue(forKey: id) else { return [] }
                return [respond(open.requestID, #"{"outcome":{"outcome":"cancelled"}}"#), .event(AgentEvent(.promptWithdrawn(id)))]
            }
            return [notify("session/cancel", ["sessionId": .string(sessionID)])] + cancelled
        case .answer(let id, let answer):
            guard let open = open[id] else { throw .promptClosed }
            let option: String? =
                switch answer {
                // An agent that offers nothing smaller gets what the user saw.
                case .allow: open.options["allow_once"] ?? open.options["allow_always"]
                case .allowForSession: open.options["allow_always"]
                // A permanent refusal is more than the user said.
                case .deny: open.options["reject_once"]
                case .answers: nil
                }
            if option == nil {
                guard case .deny = answer else { throw .invalidAnswer }
            }
            self.open[id] = nil
            let outcome = option.map { #"{"outcome":"selected","optionId":\#($0.quotedJSON)}"# } ?? #"{"outcome":"cancelled"}"#
            return [respond(open.requestID, #"{"outcome":\#(outcome)}"#)]
        }
    }

    mutating func prompt(_ text: String, _ id: UUID, at time: Duration) -> AgentAction {
        (isInTurn, told) = (true, id)
        return request(
            .prompt(startedAt: time), "session/prompt",
            [
                "sessionId": .string(sessionID ?? ""),
                "prompt": .array([.object(["type": .string("text"), "text": .string(text)])]),
            ])
    }

    public mutating func end() -> [AgentEvent] {
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

    /// The protocol has no confirmation of a prompt: the first sign of work on it is one.
    mutating func takePrompt() -> [AgentEvent] {
        defer { told = nil }
        return told.map { [AgentEvent(.promptTaken(AgentReceipt(id: $0)))] } ?? []
    }

    /// The text that was streamed, as a complete one.
    mutating func finishText() -> [AgentEvent] {
        defer { text = nil }
        return text.map { [AgentEvent(.text(AgentText(id: $0.id, text: $0.value)))] } ?? []
    }
}
