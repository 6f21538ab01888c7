import Foundation
import LocalLLMCalls
import LocalLLMWire
import NetworkingKit
import TalkCoWire
import WireKit

/// A host of LocalLLM as a chat model.
struct HostModel: ChatModel {
    /// Timeout of the first connection of a talk. The next turns find the connection open, or failed.
    static let connectTimeout = Duration.seconds(12)
    /// Timeout of a connection after a failure.
    static let reconnectTimeout = Duration.seconds(4)
    /// Timeout of one answer.
    static let answerTimeout = Duration.seconds(180)
    /// The pause before a busy host is asked again, and the maximum count of such pauses.
    static let busyPause = (time: Duration.seconds(2), count: 6)
    /// Maximum size of the turns that the model gets with a question, in UTF-8 bytes. A context of 4,096 tokens has room for them.
    static let maximumHistorySize = 12_000
    private static let minimumHistorySize = 1_500

    let subject = "Your model"
    let choice: ModelChoice
    let hosts: ModelHosts
    let clock: any Clock<Duration>
    let startsInThoughts = Locked(false)
    /// The present maximum size of the turns, halved each time the host has left turns out.
    private let historySize = Locked(maximumHistorySize)

    init(_ choice: ModelChoice, hosts: ModelHosts, clock: any Clock<Duration>) {
        (self.choice, self.hosts, self.clock) = (choice, hosts, clock)
    }

    var name: String? { nil }

    func check() async throws { _ = try await connected() }

    /// Returns the open connection.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    private func connected() async throws -> HostCaller {
        let caller = try await hosts.caller(for: choice)
        let state = await caller.state
        let hasFailed = if case .failed = state { true } else { false }
        do {
            let info = try await withTimeout(hasFailed ? Self.reconnectTimeout : Self.connectTimeout, clock: clock) {
                try await caller.connect()
            }
            guard info.features.contains(.messages) else {
                throw EngineError(.refused, "\(subject) is on a host of an earlier version. Update the program on that computer.")
            }
            return caller
        } catch let problem as ChatProblem {
            throw EngineError(problem, caller: await caller.ownName)
        } catch is TransportError {
            throw EngineError(.unreachable, "\(subject) is not reachable yet: the connection to its computer is still being made.")
        }
    }

    // MARK: Answers

    func stream(_ messages: [ChatMessage], _ receive: @escaping @Sendable (String) async throws -> Void) async throws {
        let start = Self.request(messages, historySize: historySize.withLock { $0 })
        let end = try await ask(start, receive)
        guard end.omittedCount > 0 else { return }
        // The host leaves out the oldest turns first, and the oldest one has the instructions.
        historySize.withLock { $0 = max(Self.minimumHistorySize, $0 / 2) }
    }

    func object(_ instructions: String, _ data: JSONValue) async throws -> JSONValue {
        let question = String(decoding: try WireJSON.encode(data), as: UTF8.self)
        let start = ChatStart(
            prompt: "Write the JSON object now, and nothing else.",
            messages: [ChatTurn(.user, instructions + "\n\n" + question), ChatTurn(.assistant, "I have read it.")])
        for _ in 0..<2 {
            let text = Locked("")
            _ = try await ask(start) { piece in text.withLock { $0 += piece } }
            if let object = JSONValue(objectIn: text.withLock { $0 }) { return object }
        }
        throw EngineError(.failed, "\(subject) did not answer with a JSON object.")
    }

    /// - Parameter receive: Called with each piece, and with an empty one for progress without text.
    private func ask(
        _ start: ChatStart, _ receive: @escaping @Sendable (String) async throws -> Void
    ) async throws -> HostCaller.End {
        do {
            return try await withTimeout(Self.answerTimeout, clock: clock) {
                var busyCount = 0
                while true {
                    let caller = try await connected()
                    do {
                        return try await caller.ask(start) { event in
                            switch event {
                            case .text(let text): try await receive(text)
                            case .progress: try await receive("")
                            }
                        }
                    } catch let problem as ChatProblem where problem.code == .modelBusy && busyCount < Self.busyPause.count {
                        busyCount += 1
                        try await receive("")
                        try await clock.sleep(for: Self.busyPause.time)
                    } catch let problem as ChatProblem {
                        throw EngineError(problem, caller: await caller.ownName)
                    }
                }
            }
        } catch is TransportError {
            throw EngineError(.timedOut, "\(subject) did not finish its answer in time.")
        }
    }

    /// Returns a chat in LocalLLM's form: turns of two alternating roles, of which the first has the instructions, and a prompt.
    ///
    /// - Parameter historySize: The maximum size of the turns in between, in bytes of UTF-8. The oldest are left out.
    static func request(_ messages: [ChatMessage], historySize: Int) -> ChatStart {
        let instructions = messages.filter { $0.role == .system }.map(\.text).joined(separator: "\n\n")
        let turns = messages.filter { $0.role != .system }
        let prompt = turns.last?.text ?? ""
        var earlier = turns.dropLast().map { ChatTurn($0.role == .assistant ? .assistant : .user, $0.text) }[...]
        var size = earlier.reduce(0) { $0 + $1.content.utf8.count }
        // A turn of the learner and its answer are dropped together.
        while size > historySize, earlier.count >= 2 {
            for _ in 0..<2 { size -= earlier.removeFirst().content.utf8.count }
        }
        var start = [ChatTurn(.user, instructions), ChatTurn(.assistant, "I understand.")] + earlier
        guard !Limits.accepts(prompt: prompt) else { return ChatStart(prompt: prompt, messages: start) }
        // A long text is a turn of its own, as prompts are short.
        start += [ChatTurn(.user, prompt), ChatTurn(.assistant, "I have read it.")]
        return ChatStart(prompt: "Answer my last message.", messages: start)
    }
}

extension EngineError {
    /// Creates the error for a failure of a host, for the learner who has chosen the host.
    ///
    /// - Parameter caller: The name by which the host asks about the learner.
    init(_ problem: ChatProblem, caller: String) {
        func error(_ code: Code, _ words: String) -> EngineError { EngineError(code, words) }
        let said = problem.message.isEmpty || problem.cause != nil ? "" : " It says: \(problem.message)"
        self =
            switch problem.code {
            case .invalidServerID: error(.refused, "The Server ID of your model is not that of another computer. Choose it again.")
            case .hostOffline where problem.cause == .impostor:
                error(.unreachable, "Another computer answers under the Server ID of your model. It is not used.")
            case .hostOffline:
                error(.unreachable, "No computer is online under the Server ID of your model. Start LocalLLM’s host there.")
            case .connectFailed where problem.cause == .network || problem.cause == .noIPv4:
                error(.unreachable, "This box has no connection to the network of your model.")
            case .connectFailed: error(.unreachable, "The computer of your model was found, and no connection to it was possible.")
            case .hostDisconnected: error(.failed, "The connection to your model was lost.")
            case .approvalPending:
                error(.refused, "Your model’s computer has not approved this learner yet. Approve \(caller) there.")
            case .approvalRefused: error(.refused, "Your model’s computer did not approve this learner (\(caller)).")
            case .modelBusy: error(.failed, "Your model is busy with another answer.")
            case .ollamaNotFound: error(.failed, "The model server of your model’s computer does not answer.\(said)")
            case .ollamaModelNotAvailable: error(.failed, "The computer of your model does not have the model.\(said)")
            case .contextExceeded: error(.failed, "The talk is too long for your model.\(said)")
            case .unsupportedVersion: error(.refused, "Your model is on a host of another version. Update the programs.")
            default: error(.failed, "Your model did not answer.\(said)")
            }
    }
}
