package import LocalLLMWire

/// A program that runs language models, or a stand-in for one.
package protocol Engine: Sendable {
    /// The name for the user of the host: "Ollama at http://localhost:11434".
    var name: String { get }

    /// Returns the models that can answer, in the order in which the engine lists them.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func models() async throws -> [EngineModel]

    /// Generates one answer. Cancelling the task stops the engine, whose server is notified before this method returns.
    ///
    /// - Parameter receive: Called with each event, in order. The engine waits for it.
    /// - Returns: ``FinishReason/stop`` or ``FinishReason/length``.
    /// - Throws: ``EngineError``; the errors of `receive`; `CancellationError`.
    func generate(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason
}

/// A model of an engine.
package struct EngineModel: Hashable, Sendable {
    package var name: String
    /// True if the engine sends prompts for this model to another computer.
    package var isRemote: Bool

    package init(_ name: String, isRemote: Bool = false) { (self.name, self.isRemote) = (name, isRemote) }

    /// Returns the name that phones see. llama.cpp's server and vLLM name a file by its path: phones see only the file's name.
    static func shownName(_ name: String) -> String {
        guard name.hasPrefix("/") || name.hasPrefix("~/") || name.hasPrefix("./") || name.contains(":\\"),
            let file = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last
        else { return name }
        return file.lowercased().hasSuffix(".gguf") && file.count > 5 ? String(file.dropLast(5)) : String(file)
    }
}

/// A request to an engine.
package struct EngineRequest: Hashable, Sendable {
    package var model: String
    /// The conversation, oldest turn first. The last one is the prompt.
    package var turns: [ChatTurn]

    package init(model: String, turns: [ChatTurn]) { (self.model, self.turns) = (model, turns) }
}

/// The size of a conversation, and of the context into which it does not fit, in tokens.
package struct ContextSize: Hashable, Sendable {
    package var prompt: Int
    package var context: Int

    package init(prompt: Int, context: Int) { (self.prompt, self.context) = (prompt, context) }
}

extension EngineRequest {
    /// Divisor of the context for the part that is reserved for the answer.
    private static let answerShare = 4
    /// Size that a turn counts beside its text, in bytes: its role and the marks of a template.
    private static let turnSize = 16

    /// Returns the request without its oldest turns, so that the rest and an answer fit into the context. The first turn left is
    /// one of the user.
    ///
    /// - Parameter size: The sizes that the server reported; nil if it did not, so that half of the text is left out.
    /// - Returns: Nil if only the prompt is left.
    func shortened(toFit size: ContextSize?) -> EngineRequest? {
        guard turns.count > 1 else { return nil }
        let sizes = turns.map { $0.content.utf8.count + Self.turnSize }
        var rest = sizes.reduce(0, +)
        var limit = rest / 2
        if let size, size.prompt > 0, size.context > 0 {
            let share = Double(size.context - size.context / Self.answerShare) / Double(size.prompt)
            limit = Int(Double(rest) * min(share, 1))
        }
        var first = 0
        repeat {
            rest -= sizes[first]
            first += 1
        } while first < turns.count - 1 && (rest > limit || turns[first].role != .user)
        return EngineRequest(model: model, turns: Array(turns[first...]))
    }
}

/// An event of an engine that generates an answer.
package enum EngineEvent: Hashable, Sendable {
    case progress(ChatProgress)
    /// Text to append; never empty, of any size.
    case text(String)
    /// Count of the oldest turns that were left out, because the model cannot read all turns at once.
    case omitted(turns: Int)
}

/// The failure of an engine.
package struct EngineError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// No server answers at the address.
        case notFound
        /// The server does not have the model.
        case modelNotAvailable
        /// The conversation is longer than the model's context.
        case contextExceeded(ContextSize?)
        /// The server loads its model, and may answer later.
        case loading
        /// The server has too many requests, and may answer later.
        case busy
        /// The server refused the request, broke off the answer or stopped responding.
        case failed
    }

    package var code: Code
    /// Sentences for people: what happened, and what to do. Without any text of prompts and answers.
    package var detail: String
    /// The server's own words. A server may quote the prompt, so they are for the phone that asked, and not for the log.
    package var serverText: String?

    package init(_ code: Code, _ detail: String, serverText: String? = nil) {
        (self.code, self.detail, self.serverText) = (code, detail, serverText)
    }

    package var description: String { detail }

    /// The error on the wire.
    package var report: ErrorReport { ErrorReport(wireCode, detail + (serverText.map { " The server says: \($0)" } ?? "")) }

    /// The error in the host's log.
    package var loggedReport: ErrorReport { ErrorReport(wireCode, detail) }

    private var wireCode: ErrorCode {
        switch code {
        case .notFound: .ollamaNotFound
        case .modelNotAvailable: .ollamaModelNotAvailable
        case .contextExceeded: .contextExceeded
        case .loading, .busy, .failed: .generationFailed
        }
    }
}
