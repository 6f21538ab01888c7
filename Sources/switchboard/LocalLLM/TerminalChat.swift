import Foundation
import LocalLLMClient
import LocalLLMWire
import Observation
import ServerKit
import WireKit

/// A chat in a terminal or a pipe: prompts are lines of input, answers go to standard output as they arrive.
///
/// Codes and states go to standard error, so that the output has answers only.
@MainActor
@Observable
final class TerminalChat {
    private let client: ChatClient
    private let isInteractive: Bool
    private let output: Output
    /// Lines that were read and not used yet. Input that arrives during an answer waits here, and in the pipe.
    private var lines: [String] = []
    private var isAtEnd = false
    @ObservationIgnored private var shownLink: ErrorCode?
    /// The model in the last note to the user; nil before the first one.
    @ObservationIgnored private var shownModel: String?
    /// True once the user was told that the host asks for an approval.
    @ObservationIgnored private var awaitsApproval = false

    /// Maximum lines that are read ahead.
    private static let maximumLines = 100

    init(_ client: ChatClient, isInteractive: Bool) {
        self.client = client
        self.isInteractive = isInteractive
        output = Output(isTerminal: isatty(STDOUT_FILENO) == 1)
    }

    /// Takes the lines of the input until its end, or until the task is cancelled.
    func read(_ input: AsyncStream<String>) async {
        for await line in input {
            lines.append(line)
            guard (try? await wait { self.lines.count < Self.maximumLines }) != nil else { return }
        }
        isAtEnd = true
    }

    /// Chats until the end of the input. The client runs in another task.
    ///
    /// - Throws: `StartupError`, which begins with a code, when there is no connection and none will follow; `CancellationError`.
    func run(with host: String) async throws {
        client.setInFront(true, screen: self)
        defer { client.setInFront(false, screen: self) }
        client.connect(to: host)
        try await connected()
        shownModel = client.model
        note(
            "Connected to \(client.info?.hostName ?? ""), \(client.model ?? ""), \(client.isVerified ? "verified" : "unverified").")
        // An earlier run may not have shown its last answer to the end.
        if let unfinished = client.conversation?.active { try await show(unfinished, from: unfinished.answer.utf8.count) }
        while let line = try await nextLine() {
            guard line.contains(where: { !$0.isWhitespace }) else { continue }
            guard Limits.accepts(prompt: line) else {
                note("\(ErrorCode.badMessage.rawValue): The prompt is longer than \(Limits.promptSize) bytes.")
                continue
            }
            try await connected()
            guard client.send(line), let exchange = client.conversation?.exchanges.last else { continue }
            try await show(exchange, from: 0)
        }
        try Task.checkCancellation()
    }

    /// Stops the current answer.
    ///
    /// - Returns: False if there is no current answer.
    func stop() -> Bool {
        guard client.isGenerating else { return false }
        client.stop()
        return true
    }

    /// - Returns: nil at the end of the input.
    private func nextLine() async throws -> String? {
        prompt()
        while true {
            try await wait { self.isAtEnd || !self.lines.isEmpty || self.hasNewLink || self.hasNewModel }
            guard !isAtEnd, lines.isEmpty else { return lines.isEmpty ? nil : lines.removeFirst() }
            // Ends the row with the prompt.
            if isInteractive { note("") }
            try showLink()
            showModel()
            prompt()
        }
    }

    /// Asks for input: on the terminal, also where the answers go to a file.
    private func prompt() {
        guard isInteractive else { return }
        if output.isTerminal { write("> ") } else { noteWithoutNewline("> ") }
    }

    // MARK: Connection

    /// Waits until the connection is open.
    private func connected() async throws {
        while true {
            try await wait {
                self.client.link == .open || self.client.link == .idle || self.client.keyQuestion != nil || self.awaitsNewApproval
            }
            if awaitsNewApproval {
                awaitsApproval = true
                let invitation =
                    client.link == .connecting(.approvalWithoutInvitation) ? "The invitation was used already, or is too old. " : ""
                note(
                    "\(ErrorCode.approvalPending.rawValue): \(invitation)Approve this phone on the computer. It is \(client.phoneName) there."
                )
                continue
            }
            if client.link == .open {
                if shownLink != nil { note("Connected again.") }
                shownLink = nil
                return
            }
            if let question = client.keyQuestion {
                try await decide(question)
            } else {
                throw StartupError(Self.words(client.problem ?? ChatProblem(.connectFailed)))
            }
        }
    }

    private var awaitsNewApproval: Bool {
        !awaitsApproval && (client.link == .connecting(.approval) || client.link == .connecting(.approvalWithoutInvitation))
    }

    private func decide(_ question: KeyQuestion) async throws {
        note("The key of this host has changed, and somebody else may be answering.")
        note("Known key: \(question.knownKey)\nNew key:   \(question.newKey)")
        var isAccepted = false
        if isInteractive {
            note("Type yes to trust the new key:")
            isAccepted = try await nextLine() == "yes"
        }
        client.acceptKey(isAccepted)
        try await wait { self.client.keyQuestion == nil }
    }

    // MARK: Answers

    /// Writes the answer as it arrives, each piece once, also across connections.
    private func show(_ exchange: Exchange, from start: Int) async throws {
        var written = start
        var restartCount = exchange.restartCount
        while true {
            try await wait {
                exchange.answer.utf8.count > written || exchange.restartCount != restartCount || exchange.isFinished
                    || exchange.state == .slow || self.hasNewLink || self.hasNewModel
            }
            if exchange.restartCount != restartCount {
                restartCount = exchange.restartCount
                if written > 0 { write("\n") }
                note("The text above was the model’s thoughts. The answer follows.")
                written = 0
            }
            let text = exchange.answer.utf8.dropFirst(written)
            if !text.isEmpty { write(String(decoding: text, as: UTF8.self)) }
            written = exchange.answer.utf8.count
            try showLink()
            showModel()
            // The host is still at work, so the chat keeps waiting.
            if exchange.state == .slow {
                let stop = isInteractive ? " Ctrl-C stops it." : ""
                note("\(ErrorCode.timeoutNoResponse.rawValue): The host is still working: \(Self.words(exchange.progress)).\(stop)")
                client.wait(for: exchange)
            }
            guard exchange.isFinished else { continue }
            let isPart = !exchange.answer.isEmpty
            if isPart, written > start || restartCount > 0, !exchange.answer.hasSuffix("\n") { write("\n") }
            switch exchange.state {
            case .failed(let problem): note(Self.words(problem) + (isPart ? " The answer is incomplete." : ""))
            case .finished(.abort): note(isPart ? "Stopped. The answer is incomplete." : "Stopped.")
            case .finished(.length):
                note(
                    exchange.thoughts.isEmpty
                        ? "The answer reached its maximum length, and is incomplete."
                        : "The model reached its maximum length while it was thinking, and gave no answer.")
            default: if !isPart { note("The model gave no answer.") }
            }
            if !exchange.thoughts.isEmpty { note("Its thoughts:\n\(exchange.thoughts)") }
            if exchange.omittedTurns > 0 {
                note(
                    "The conversation is longer than the model can read at once. The oldest messages were left out: \(exchange.omittedTurns)."
                )
            }
            return
        }
    }

    private var hasNewLink: Bool { client.link == .idle || shownLink != linkProblem }

    /// The error code while a lost connection is being restored; nil otherwise.
    private var linkProblem: ErrorCode? { client.screen == .connect ? client.problem?.code : nil }

    private var hasNewModel: Bool { client.link == .open && client.model != shownModel }

    private func showModel() {
        guard hasNewModel else { return }
        shownModel = client.model
        note("\(client.model ?? "No model") answers from now on.")
    }

    /// Notes a change of the connection.
    ///
    /// - Throws: `StartupError` if the connection is not restored.
    private func showLink() throws {
        if client.link == .idle { throw StartupError(Self.words(client.problem ?? ChatProblem(.hostDisconnected))) }
        let problem = linkProblem
        guard problem != shownLink else { return }
        shownLink = problem
        note(problem.map { "\($0.rawValue): The connection was lost. Connecting again." } ?? "Connected again.")
    }

    /// Returns once `condition` holds. It is evaluated after each change of what it read.
    private func wait(until condition: @MainActor () -> Bool) async throws {
        while true {
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let holds = withObservationTracking(condition) { continuation.yield() }
            if holds { return }
            for await _ in changes { break }
            try Task.checkCancellation()
        }
    }

    // MARK: Words

    private static func words(_ progress: ChatProgress?) -> String {
        switch progress?.stage {
        case .loading: "the model is being loaded"
        case .thinking: "the model is thinking"
        case .reading, nil: "the model is reading the prompt"
        }
    }

    /// Returns the code and a sentence.
    static func words(_ problem: ChatProblem) -> String {
        let sentence =
            switch (problem.code, problem.cause) {
            case (.invalidServerID, _): "This is no Server ID."
            case (.hostOffline, .impostor): "Somebody else answered in place of the host. Nothing was sent."
            case (.hostOffline, _): "No host is running under this Server ID."
            case (.connectFailed, .keyRefused): "The key of the host has changed."
            case (.connectFailed, .network): "The network can’t be reached. \(problem.message)"
            case (.connectFailed, .noIntroduction): "The host answered, but didn’t introduce itself."
            case (.connectFailed, _): "No connection to the host could be made. \(problem.message)"
            case (.timeoutNoResponse, _): "The host didn’t answer within 30 seconds."
            case (.hostDisconnected, _): "The connection to the host was lost."
            case (.generationFailed, .expired): "The host doesn’t keep an answer for more than a day."
            default: problem.message
            }
        return "\(problem.code.rawValue): \(sentence)".trimmingCharacters(in: .whitespaces)
    }

    private func write(_ text: String) { output.write(text) }
    private func note(_ text: String) { noteWithoutNewline("\(text.printable)\n") }

    // Without standard error the note is lost.
    private func noteWithoutNewline(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// Standard output.
    private struct Output {
        let isTerminal: Bool

        /// Writes the text to a terminal without control characters of the host, to a pipe as it is.
        func write(_ text: String) {
            // A closed pipe is no reason to stop: the answer is on the host, and in the transcript.
            try? FileHandle.standardOutput.write(contentsOf: Data((isTerminal ? text.printable : text).utf8))
        }
    }
}
