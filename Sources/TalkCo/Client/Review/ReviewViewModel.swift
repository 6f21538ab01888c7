import ClientKit
import Foundation
import Observation
import PlatformKit
package import TalkCoWire

/// The review of a session: marks, questions, and the summary.
///
/// ```
///   loading ─▶ reviewing (marks arrive) ─▶ reviewed ─▶ completing ─▶ completed
/// ```
@MainActor
@Observable
package final class ReviewViewModel {
    /// A question that has no answer yet.
    package struct Question: Hashable, Sendable {
        package let text: String
        /// The reason why the question was not answered; nil while it waits for its answer.
        package internal(set) var failure: TalkCoProblem?
    }

    /// The polling interval.
    package nonisolated static let pollInterval = Duration.seconds(2)
    /// Maximum count of successive failures, which end the polling.
    nonisolated static let maximumFailureCount = 3
    /// Maximum number of polls: ten minutes.
    nonisolated static let maximumPollCount = 300
    /// Count of unchanged polls after which the present marks are taken as final. Some services stay in `reviewing`.
    nonisolated static let settledPollCount = 15

    package let session: Session.ID
    /// The segments in the order of the conversation. Marks appear as the service writes them.
    package private(set) var segments: [Segment] = []
    /// The state of the session; nil until the service has answered.
    package private(set) var status: Session.Status?
    /// The summary; nil until the session is completed, and if the summary failed or nothing was said.
    package private(set) var summary: SessionSummary?
    /// True while the review is read repeatedly, for marks or for the summary.
    package private(set) var isPolling = false
    /// The reason why the polling has ended early; nil for none. ``loadReview()`` polls again.
    package private(set) var problem: TalkCoProblem?
    /// The reason why the session could not be ended; nil for none. ``endReview()`` tries again.
    package private(set) var endProblem: TalkCoProblem?
    /// The questions without an answer, by segment.
    package private(set) var questions: [Segment.ID: Question] = [:] { didSet { saveDrafts() } }
    /// The reason why a sentence or recording could not be played; nil for none.
    package private(set) var speechProblem: TalkCoProblem?
    /// The texts in the fields for questions, by segment.
    package var drafts: [Segment.ID: String] = [:] { didSet { saveDrafts() } }
    private var isEnding = false

    @ObservationIgnored private let context: TalkContext
    @ObservationIgnored private let onComplete: () -> Void
    /// Count of starts and stops of the polling; tells an outdated task from the current one.
    @ObservationIgnored private var pollCount = 0
    @ObservationIgnored private var voices: [String: AnswerAudio] = [:]

    init(context: TalkContext, session: Session.ID, onComplete: @escaping () -> Void) {
        (self.context, self.session, self.onComplete) = (context, session, onComplete)
        if let saved: SavedDrafts = context.value(for: .questions), saved.session == session { drafts = saved.texts }
    }

    /// The texts of the user, as the phone stores them. A question without an answer is a draft after a restart.
    private struct SavedDrafts: Codable {
        var session: Session.ID
        var texts: [Segment.ID: String]
    }

    private func saveDrafts() {
        let texts = questions.mapValues(\.text).merging(drafts) { waiting, draft in draft.isEmpty ? waiting : draft }
        context.set(SavedDrafts(session: session, texts: texts), for: .questions)
    }

    // MARK: State of screens

    /// True while marks may still arrive.
    package var isWaitingForMarks: Bool { isPolling && (status == nil || status == .reviewing) }
    /// True while the summary is being written.
    package var isCompleting: Bool { isEnding || status == .completing && isPolling }
    /// True once the session is final, with or without a ``summary``.
    package var isCompleted: Bool { status == .completed }
    package var canEnd: Bool { (status == .reviewing || status == .reviewed) && !isEnding }
    /// The sentence that is being spoken; nil for none.
    package var speaking: String? { if case .sentence(let text) = context.player.subject { text } else { nil } }
    package var canSpeak: Bool { context.engine?.speaks != false }

    package func canAsk(about segment: Segment.ID) -> Bool {
        let text = Self.trimmed(drafts[segment] ?? "")
        return !text.isEmpty && text.unicodeScalars.count <= CorrectionRequest.messageLength.upperBound && !isAsking(about: segment)
    }
    private func isAsking(about segment: Segment.ID) -> Bool { questions[segment].map { $0.failure == nil } ?? false }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    // MARK: Polling

    /// Reads the review, every two seconds while marks or the summary are being written. Has no effect while it is being read.
    package func loadReview() {
        guard !isPolling else { return }
        problem = nil
        pollSoon()
    }

    /// Resumes the polling after a restart of the app.
    func resume() { if isPolling { pollSoon() } }

    /// Ends the polling.
    func stop() {
        pollCount += 1
        isPolling = false
        context.player.stop()
    }

    private func pollSoon() {
        isPolling = true
        pollCount += 1
        let own = pollCount
        context.tasks.start { await self.poll(own) }
    }

    private func poll(_ own: Int) async {
        var (failures, unchanged) = (0, 0)
        for _ in 0..<Self.maximumPollCount {
            await context.waitForFront()
            guard own == pollCount, !Task.isCancelled else { return }
            do {
                let review = try await context.api.review(of: session)
                guard own == pollCount else { return }
                failures = 0
                unchanged = take(review) ? 0 : unchanged + 1
                if isFinal || hasMarks && status == .reviewing && unchanged >= Self.settledPollCount { return endPolling(nil) }
            } catch is CancellationError {
                return
            } catch {
                guard own == pollCount else { return }
                failures += 1
                let problem = TalkCoProblem(error)
                if failures == Self.maximumFailureCount || !problem.isTemporary { return endPolling(problem) }
            }
            guard (try? await context.phone.clock.sleep(for: Self.pollInterval)) != nil else { return }
        }
        if own == pollCount { endPolling(.timeout) }
    }

    private var hasMarks: Bool { segments.contains { !$0.aiMarks.isEmpty } }

    /// True if the service will change nothing without another call.
    private var isFinal: Bool {
        switch status {
        case .reviewed: !isEnding
        case .completed, .ended: true
        case .reviewing, .completing, .active, nil: false
        }
    }

    private func endPolling(_ problem: TalkCoProblem?) {
        isPolling = false
        self.problem = problem
        if problem != nil { isEnding = false }
    }

    /// - Returns: True if something has changed.
    @discardableResult
    private func take(_ review: Review) -> Bool {
        var changed = false
        if review.segments != segments {
            segments = review.segments
            changed = true
        }
        if review.status != status {
            status = review.status
            changed = true
        }
        if review.summary != summary {
            summary = review.summary
            changed = true
        }
        if review.status == .completing || review.status == .completed { isEnding = false }
        if review.status == .completed { didComplete() }
        return changed
    }

    private func didComplete() {
        if context.openSession?.id == session, context.openSession?.phase != .summary {
            context.openSession?.phase = .summary
        }
        onComplete()
    }

    // MARK: Questions

    /// Asks the question in the field of a segment, in any language. The text returns to the field if the call fails.
    package func submitCorrection(for segment: Segment.ID) {
        guard canAsk(about: segment) else { return }
        let text = Self.trimmed(drafts[segment] ?? "")
        let known = Set(segments.first { $0.id == segment }?.corrections.map(\.id) ?? [])
        let isStarted = context.tasks.start { await self.ask(text, segment, known) }
        guard isStarted else { return }
        questions[segment] = Question(text: text)
        drafts[segment] = nil
    }

    /// Asks about a segment.
    ///
    /// - Returns: False if the question cannot be asked now.
    @discardableResult
    package func submitCorrection(_ text: String, for segment: Segment.ID) -> Bool {
        drafts[segment] = text
        guard canAsk(about: segment) else { return false }
        submitCorrection(for: segment)
        return true
    }

    private func ask(_ text: String, _ segment: Segment.ID, _ known: Set<Correction.ID>) async {
        do {
            let correction = try await context.api.correct(CorrectionRequest(segmentId: segment, userMessage: text), in: session)
            add(correction, to: segment)
            questions[segment] = nil
        } catch {
            // The answer may be stored although the reply was lost.
            if let review = try? await context.api.review(of: session) {
                take(review)
                let corrections = segments.first { $0.id == segment }?.corrections ?? []
                if corrections.contains(where: { !known.contains($0.id) && $0.userMessage == text }) {
                    questions[segment] = nil
                    return
                }
            }
            questions[segment]?.failure = TalkCoProblem(error)
            if Self.trimmed(drafts[segment] ?? "").isEmpty { drafts[segment] = text }
        }
    }

    private func add(_ correction: Correction, to segment: Segment.ID) {
        guard let index = segments.firstIndex(where: { $0.id == segment }),
            !segments[index].corrections.contains(where: { $0.id == correction.id })
        else { return }
        segments[index].corrections.append(correction)
    }

    // MARK: Ending

    /// Ends the review, and polls until the service has written the summary.
    package func endReview() {
        guard canEnd else { return }
        endProblem = nil
        isEnding = true
        let isStarted = context.tasks.start { await self.end() }
        if !isStarted { isEnding = false }
    }

    private func end() async {
        do {
            let ended = try await context.api.end(session)
            if status != ended.status { status = ended.status }
        } catch is CancellationError {
            isEnding = false
            return
        } catch {
            // An earlier call may have reached the service although its reply was lost.
            guard await hasEnded() else {
                isEnding = false
                endProblem = TalkCoProblem(error)
                return
            }
        }
        problem = nil
        pollSoon()
    }

    /// Reads the review, and returns true if the service has begun to complete the session.
    private func hasEnded() async -> Bool {
        guard let review = try? await context.api.review(of: session) else { return false }
        take(review)
        return review.status == .completing || review.status == .completed
    }

    // MARK: Speech

    /// Speaks a sentence: the learner's own, or the better one.
    package func speak(_ sentence: String) {
        let sentence = Self.trimmed(sentence)
        guard !sentence.isEmpty else { return }
        speechProblem = nil
        let audio = voices[sentence] ?? AnswerAudio()
        let isKnown = voices[sentence] != nil
        if voices.count >= Self.maximumVoiceCount, !isKnown { voices = [:] }
        voices[sentence] = audio
        context.player.play(audio, of: .sentence(sentence), on: context.device.speaker) { self.speechProblem = .cannotPlay }
        if isKnown { return }
        context.speak(sentence, into: audio) { problem in
            self.voices[sentence] = nil
            self.speechProblem = problem
        }
    }
    /// Maximum count of voices in memory.
    private static let maximumVoiceCount = 16

    /// Returns true while the learner's recording of a segment is played.
    package func isPlayingRecording(of segment: Segment.ID) -> Bool { context.player.subject == .recording(segment) }

    /// Plays the learner's recording of a segment.
    package func playRecording(of segment: Segment.ID) {
        speechProblem = nil
        let (audio, session) = (AnswerAudio(), session)
        let isStarted = context.tasks.start {
            do {
                try await self.context.read {
                    try await $0.recording(of: segment, in: session)
                } handle: {
                    if case .audio(let samples) = $0 { audio.append(samples) }
                }
            } catch is CancellationError {
                // The app is closed.
            } catch {
                let problem = TalkCoProblem(error)
                self.speechProblem = if case .service = problem { .recordingGone } else { problem }
            }
            audio.finish()
        }
        guard isStarted else { return }
        context.player.play(audio, of: .recording(segment), on: context.device.speaker) { self.speechProblem = .cannotPlay }
    }

    /// Stops the voice.
    package func stopSpeaking() { context.player.stop() }
}
