import Foundation
package import LocalLLMWire
package import MarkdownKit
import Observation

/// A prompt and its answer.
@MainActor
@Observable
package final class Exchange: Identifiable {
    package enum State: Hashable, Sendable {
        /// The prompt is sent or about to be sent, and the host has not responded.
        case waiting
        /// 30 s have passed, but the host still reports progress. The user chooses ``ChatClient/wait(for:)`` or stop.
        case slow
        case streaming
        /// The user has stopped the answer, and the host has not confirmed the end.
        case stopping
        case finished(FinishReason)
        /// The request failed; text that was received before stays.
        case failed(ChatProblem)
    }

    package let requestID: RequestID
    package let prompt: String
    /// The answer without the thoughts of the model.
    package private(set) var answer = ""
    /// The thoughts of the model, if the answer ended without other text; empty otherwise.
    package var thoughts: String {
        isFinished && answer.isEmpty ? (withdrawn + filter.thoughts).trimmingCharacters(in: .whitespacesAndNewlines) : ""
    }
    /// Count of the restarts of ``answer``, each because all text before turned out to be thoughts.
    package private(set) var restartCount = 0
    /// Count of the earlier turns that the model did not get, since the conversation is longer than the model can read at once.
    package var omittedTurns: Int { omittedByPhone + omittedByHost }
    /// The text of ``answer`` as Markdown. A long piece appears in the document a little later.
    package var document: MarkdownDocument {
        _ = documentVersion
        return reader.document
    }
    /// Observed in place of the document, which a setter would compare as a whole.
    private var documentVersion = 0
    package internal(set) var state: State
    /// The engine's progress before the first piece; nil if there is none.
    package internal(set) var progress: ChatProgress?

    package nonisolated var id: String { requestID.text }
    package var isFinished: Bool {
        switch state {
        case .finished, .failed: true
        default: false
        }
    }
    package var problem: ChatProblem? { if case .failed(let problem) = state { problem } else { nil } }

    /// Count of the turns that do not fit into a request.
    @ObservationIgnored var omittedByPhone = 0
    /// Count of the turns that the host has left out. Set before ``state``, which is observed.
    @ObservationIgnored var omittedByHost = 0
    /// The received text, with tags.
    @ObservationIgnored private var received = ""
    @ObservationIgnored private var filter = ThoughtFilter()
    /// Text that was shown, and turned out to be thoughts.
    @ObservationIgnored private var withdrawn = ""

    @ObservationIgnored private let reader = MarkdownReader()
    @ObservationIgnored private var textHasEnded = false
    @ObservationIgnored let startedAt: Date
    /// The model that the user has chosen; nil for the host's own choice.
    @ObservationIgnored let model: String?
    /// The features that the request asks for.
    @ObservationIgnored let accept: [Feature]
    /// The sequence number of the last piece.
    @ObservationIgnored var after: Int64
    /// True while an abort has to reach the host, which has not confirmed the end.
    @ObservationIgnored var needsAbort: Bool
    /// True once the host has answered this request in any way.
    @ObservationIgnored var hasResponse: Bool
    /// The number of the connection on which the request was written last; 0 for none.
    @ObservationIgnored var connection = 0
    /// Counts the timers, so that only the latest one acts.
    @ObservationIgnored var timer = 0
    /// The time of the last progress, on the clock of the client.
    @ObservationIgnored var progressAt: Duration?

    init(prompt: String, model: String?, accept: [Feature], startedAt: Date) {
        // A UUID's text is never too long.
        requestID = RequestID(UUID().uuidString.lowercased())!
        (self.prompt, self.model, self.accept, self.startedAt) = (prompt, model, accept, startedAt)
        (state, after, needsAbort, hasResponse) = (.waiting, 0, false, false)
        followReader()
    }

    // MARK: Text

    /// Adds a piece of the answer.
    func append(_ text: String) {
        received += text
        if textHasEnded {
            // The answer continues, although it counted as ended.
            textHasEnded = false
            filter = ThoughtFilter()
            reader.restart()
            (answer, withdrawn) = ("", "")
            show(filter.receive(received))
        } else {
            show(filter.receive(text))
        }
        documentVersion += 1
    }

    private func show(_ outputs: [ThoughtFilter.Output]) {
        for output in outputs {
            switch output {
            case .text(let text):
                answer += text
                reader.append(text)
            case .thought: break
            case .withdraw:
                guard !answer.isEmpty else { break }
                withdrawn += answer
                answer = ""
                restartCount += 1
                reader.restart()
            }
        }
    }

    /// Size of the received text, in bytes of UTF-8.
    var receivedSize: Int { received.utf8.count }

    /// Ends the text, and shows the Markdown markers at its end, which are left out while more text may follow.
    func endText() {
        guard !textHasEnded else { return }
        show(filter.finish())
        textHasEnded = true
        reader.finish()
        documentVersion += 1
    }

    private func followReader() { reader.didParse = { [weak self] in self?.documentVersion += 1 } }

    var canResume: Bool { accept.contains(.resume) }
    /// Size of prompt and received text, in bytes of UTF-8.
    var size: Int { prompt.utf8.count + received.utf8.count }

    // MARK: Storage

    struct Saved: Codable {
        var requestID: String
        var prompt: String
        /// The received text, with tags.
        var answer: String
        var startedAt: Date
        var model: String?
        var accept: [String]
        var after: Int64
        var needsAbort: Bool
        var hasResponse: Bool
        /// A finish reason; nil while unfinished, or failed.
        var finish: String?
        var problem: ChatProblem?
        /// Nil in data of earlier versions.
        var omittedByPhone: Int?
        var omittedByHost: Int?
    }

    var saved: Saved {
        var saved = Saved(
            requestID: requestID.text, prompt: prompt, answer: received, startedAt: startedAt, model: model,
            accept: accept.map(\.rawValue), after: after, needsAbort: needsAbort, hasResponse: hasResponse)
        (saved.omittedByPhone, saved.omittedByHost) = (omittedByPhone, omittedByHost)
        switch state {
        case .finished(let reason): saved.finish = reason.rawValue
        case .failed(let problem): saved.problem = problem
        default: break
        }
        return saved
    }

    init?(_ saved: Saved) {
        guard let requestID = RequestID(saved.requestID) else { return nil }
        self.requestID = requestID
        (prompt, startedAt, model) = (saved.prompt, saved.startedAt, saved.model)
        accept = saved.accept.map { Feature(rawValue: $0) }
        (after, needsAbort, hasResponse) = (saved.after, saved.needsAbort, saved.hasResponse)
        state =
            if let problem = saved.problem {
                .failed(problem)
            } else if let reason = saved.finish.flatMap(FinishReason.init) {
                .finished(reason)
            } else if saved.needsAbort {
                .stopping
            } else {
                saved.answer.isEmpty ? .waiting : .streaming
            }
        (omittedByPhone, omittedByHost) = (saved.omittedByPhone ?? 0, saved.omittedByHost ?? 0)
        followReader()
        append(saved.answer)
        if isFinished { endText() }
    }
}
