import Foundation
package import LocalLLMWire
package import MarkdownKit
import Observation

/// A prompt and its answer.
@MainActor
@Observable
package final class Exchange: Identifiable {
    package enum State: Hashable, Sendable {
        /// Sent, or about to be; nothing has come yet.
        case waiting
        /// 30 seconds have passed, and the host still reports progress. The user decides: ``ChatClient/wait(for:)`` or stop.
        case slow
        case streaming
        /// The user has stopped the answer, and its end has not come yet.
        case stopping
        case finished(FinishReason)
        /// The text that came before stays.
        case failed(ChatProblem)
    }

    package let requestID: RequestID
    package let prompt: String
    /// The answer without the thoughts of the model.
    package private(set) var answer = ""
    /// The thoughts of the model, where the answer ended without another text; empty otherwise.
    package var thoughts: String {
        isFinished && answer.isEmpty ? (withdrawn + filter.thoughts).trimmingCharacters(in: .whitespacesAndNewlines) : ""
    }
    /// Counts how often ``answer`` began anew, because everything before turned out to be thoughts.
    package private(set) var restartCount = 0
    /// The number of earlier turns that the model was not given: the conversation is longer than it can read at once.
    package var omittedTurns: Int { omittedByPhone + omittedByHost }
    /// The text of ``answer`` as Markdown. A long piece appears in it a little later.
    package var document: MarkdownDocument {
        _ = documentVersion
        return reader.document
    }
    /// Observed in place of the document, which a setter would compare as a whole.
    private var documentVersion = 0
    package internal(set) var state: State
    /// The engine's work before the first piece.
    package internal(set) var progress: ChatProgress?

    package nonisolated var id: String { requestID.text }
    package var isFinished: Bool {
        switch state {
        case .finished, .failed: true
        default: false
        }
    }
    package var problem: ChatProblem? { if case .failed(let problem) = state { problem } else { nil } }

    /// Turns that do not fit into a request.
    @ObservationIgnored var omittedByPhone = 0
    /// Turns that the host has left out. Set before ``state``, which is observed.
    @ObservationIgnored var omittedByHost = 0
    /// The text as it came, with tags.
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
    /// An abort has to reach the host: its end has not come yet.
    @ObservationIgnored var needsAbort: Bool
    /// The host has answered this request in any way.
    @ObservationIgnored var hasResponse: Bool
    /// The connection on which the request was written last; 0: none.
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
            // The answer goes on, because it was given up too early.
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

    /// The size of all that came, in bytes of UTF-8.
    var receivedSize: Int { received.utf8.count }

    /// Shows the markers at the end of the text, which are left out while they may go on.
    func endText() {
        guard !textHasEnded else { return }
        show(filter.finish())
        textHasEnded = true
        reader.finish()
        documentVersion += 1
    }

    private func followReader() { reader.didParse = { [weak self] in self?.documentVersion += 1 } }

    var canResume: Bool { accept.contains(.resume) }
    /// The text in bytes of UTF-8.
    var size: Int { prompt.utf8.count + received.utf8.count }

    // MARK: On the phone

    struct Saved: Codable {
        var requestID: String
        var prompt: String
        /// The text as it came.
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
        /// Absent from earlier versions.
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
