import ClientKit
import Foundation
import Observation
import PlatformKit
package import TalkCoWire

/// A conversation with the tutor, spoken or typed.
///
/// ```
///   idle ─▶ connecting ─▶ open ─▶ ending ─▶ over
///    ▲          │          │
///    └─ failed ◀┘          └─▶ closed (by the service) ─▶ ending
/// ```
@MainActor
@Observable
package final class ConversationViewModel {
    package enum Phase: Hashable, Sendable {
        case idle
        /// The session is being created, and the tutor has not spoken yet.
        case connecting
        case open
        /// The service has closed the conversation. End it to review what was said.
        case closed
        /// The conversation could not begin. ``ConversationViewModel/startSession()`` tries again.
        case failed(TalkCoProblem)
        case ending
        case over
    }

    package enum RecordingState: Hashable, Sendable {
        case idle
        /// The microphone is being opened; the user may have been asked.
        case starting
        case recording
        /// The recording is checked and, if the phone recognizes speech itself, recognized.
        case finishing
    }

    /// The language that the learner practises.
    nonisolated static let language = "en-US"
    /// The extensions of the streams that the app understands.
    static let extensions: [SessionCreation.Extension] = [.choices, .text]
    /// Maximum count of turns that wait for their answers.
    static let maximumTurnCount = 2
    /// Maximum count of messages; the oldest are dropped from the screen.
    static let maximumMessageCount = 1_000

    package let mode: Session.Mode
    /// The topic; nil in the mode `review`.
    package let topic: Topic?
    package internal(set) var phase = Phase.idle
    package internal(set) var messages: [ChatMessage] = []
    package internal(set) var recordingState = RecordingState.idle
    /// The position of the level meter, 0 to 1.
    package internal(set) var level = 0.0
    /// The duration of the recording, in whole seconds.
    package internal(set) var recordedSeconds = 0
    /// The failure to show, until the user dismisses it or acts again; nil for none.
    package internal(set) var problem: TalkCoProblem?
    /// Sentences that the learner may read aloud, or tap, next. Empty for an engine that understands free speech.
    package internal(set) var choices: [String] = []
    /// True while an answer is due and the service has sent nothing for some seconds.
    package internal(set) var isSlow = false
    /// The visible translations, by message.
    package internal(set) var translations: [ChatMessage.ID: Help] = [:]
    /// The word that the learner has tapped, with its meaning; nil for none.
    package internal(set) var asked: AskedWord?
    /// The session whose review follows, for screens to show; nil until the conversation has ended.
    package internal(set) var reviewSession: Session.ID?
    /// The text in the field. Survives a restart.
    package var draft: String {
        didSet { if draft != oldValue { context.set(draft.isEmpty ? nil : draft, for: .draft) } }
    }

    @ObservationIgnored let context: TalkContext
    /// Called when the conversation begins.
    @ObservationIgnored var onStart: () -> Void = {}
    @ObservationIgnored var session: Session.ID?
    /// The turns without an answer, in order. The phone stores them.
    var turns: [OutgoingTurn] = [] {
        didSet { if turns != oldValue { context.set(turns.isEmpty ? nil : turns, for: .turns) } }
    }
    /// The turns of an earlier run of the app; the service may have stored their answers.
    @ObservationIgnored var restoredTurns: Set<Turn.ID> = []
    /// True while no screen shows the conversation; answers are not played then.
    @ObservationIgnored var isPaused = false
    /// The last turn for which the conversation was reopened.
    @ObservationIgnored var resumedTurn: Turn.ID?
    /// True while the user ends a conversation that the service has closed.
    @ObservationIgnored var wasClosed = false
    /// True until the greeting has ended.
    var isGreeting = false
    /// The greeting, over all attempts to receive it; nil before and after.
    @ObservationIgnored var greeting: TurnAttempt?
    /// The turn under way, over all attempts to send it; nil for none.
    @ObservationIgnored var attempt: TurnAttempt?
    /// The continuation that interrupts the attempt under way once it is finished; nil without an attempt.
    @ObservationIgnored var interruption: AsyncStream<Never>.Continuation?
    /// Recordings in memory, by turn: the latest one, and those that could not be written to a file.
    @ObservationIgnored var recordingsInMemory: [Turn.ID: Data] = [:]
    /// The turn of the latest recording; nil if its file could not be written.
    @ObservationIgnored var latestRecording: Turn.ID?
    /// True until a restored conversation has read its messages from the service.
    @ObservationIgnored var needsMessages = false
    @ObservationIgnored var audios = RecentAudio()
    @ObservationIgnored var recording: (any Recording)?
    /// Count of recordings begun and cancelled; tells an outdated task from the current one.
    @ObservationIgnored var recordingCount = 0
    /// True if the learner was speaking in the last step of the recording.
    @ObservationIgnored var isHeard = false
    /// True once the user has released the button.
    @ObservationIgnored var isReleased = false

    init(context: TalkContext, mode: Session.Mode, topic: Topic?) {
        (self.context, self.mode, self.topic) = (context, mode, topic)
        draft = context.value(for: .draft) ?? ""
    }

    // MARK: State of screens

    /// True once the conversation is over. Without ``reviewSession``, return to the topics.
    package var isOver: Bool { phase == .over }
    /// True while the learner may speak or type: the conversation is open, and at most one turn waits for its answer.
    package var canTalk: Bool {
        phase == .open && recordingState == .idle && waitingTurns.count < Self.maximumTurnCount && !isRepeating
    }
    /// True if the learner may record now, and the engine or the phone understands speech.
    package var canRecord: Bool {
        guard canTalk, context.isMicrophoneAvailable else { return false }
        return switch hearing {
        case .anything: true
        case .choices: !choices.isEmpty || context.recognizesSpeech
        case .nothing: context.recognizesSpeech
        }
    }
    /// The speech that the engine understands.
    package var hearing: EngineInfo.Hearing { context.engine?.hearing ?? .anything }
    package var canSend: Bool { canTalk && !trimmedDraft.isEmpty && !isDraftTooLong }
    package var isDraftTooLong: Bool { trimmedDraft.unicodeScalars.count > Turn.maximumTextLength }
    /// True while an answer of the tutor is awaited or arriving.
    package var isWaiting: Bool { isGreeting || !waitingTurns.isEmpty }
    /// True while a turn has no answer. Such a turn is lost if the conversation ends now.
    package var hasUnsentTurn: Bool { !turns.isEmpty }
    /// The message that is being played; nil for none.
    package var playing: ChatMessage.ID? { if case .message(let id) = context.player.subject { id } else { nil } }
    package func canPlay(_ message: ChatMessage) -> Bool {
        audios[message.id] != nil || message.role == .ai && !message.text.isEmpty && context.engine?.speaks != false
    }

    var trimmedDraft: String { draft.trimmingCharacters(in: .whitespacesAndNewlines) }
    var waitingTurns: [OutgoingTurn] { turns.filter { !$0.hasFailed } }
    private var isRepeating: Bool {
        messages.contains { if case .sendingAgain = $0.state { true } else { false } }
    }

    package func dismissProblem() { problem = nil }

    // MARK: Beginning

    /// Begins the conversation, or continues it.
    package func startSession() {
        isPaused = false
        switch phase {
        case .idle, .failed: break
        case .connecting, .open, .closed, .ending, .over: return
        }
        phase = .connecting
        problem = nil
        onStart()
        beginSoon()
    }

    /// True while the conversation can be paused and continued later.
    package var canPause: Bool {
        switch phase {
        case .open, .closed: true
        case .connecting: needsMessages
        case .idle, .failed, .ending, .over: false
        }
    }

    /// Pauses the conversation. ``startSession()`` continues it, also if the service has closed the conversation meanwhile.
    package func pause() {
        cancelRecording()
        stopPlaying()
        isPaused = true
    }

    /// Restores a conversation of an earlier run of the app.
    func take(_ open: OpenSession) {
        session = open.id
        choices = open.choices
        phase = .connecting
        needsMessages = true
        let stored: [OutgoingTurn] = context.value(for: .turns) ?? []
        turns = stored.filter { $0.session == open.id }
        restoredTurns = Set(turns.map(\.id))
    }

    /// Resumes the unfinished work of the last run of the app.
    func resume() {
        switch phase {
        case .connecting, .open: beginSoon()
        case .ending: endSoon()
        case .idle, .closed, .failed, .over: break
        }
    }

    private func beginSoon() { context.tasks.request("begin") { await self.begin() } }

    private func begin() async {
        guard phase == .connecting || phase == .open else { return }
        do {
            if session == nil { try await create() }
            if needsMessages { try await restoreMessages() }
            guard phase == .connecting || phase == .open else { return }
            if context.openSession?.isGreeted != true { try await greet() }
            guard phase == .connecting || phase == .open else { return }
            phase = .open
            deliverSoon()
        } catch is CancellationError {
            // The next run of the app repeats the call.
        } catch {
            fail(TalkCoProblem(error))
        }
    }

    private func create() async throws {
        guard let learner = context.learner else { throw TalkCoProblem.storage }
        let created = try await context.api.createSession(
            SessionCreation(
                userId: learner, topicId: topic?.id, mode: mode, accept: Self.extensions,
                keepsRecordings: context.settings.keepsRecordings ? true : nil))
        guard phase == .connecting else {
            // The user has left meanwhile.
            _ = try? await context.api.deleteSession(created.sessionId)
            throw CancellationError()
        }
        session = created.sessionId
        context.openSession = OpenSession(id: created.sessionId, mode: mode, topic: topic)
        await context.save()
    }

    /// Reads the service's stored turns, and retries after temporary failures.
    private func restoreMessages() async throws {
        var failures = 0
        while phase == .connecting, let session {
            try Task.checkCancellation()
            await context.waitForFront()
            do {
                let review = try await context.api.review(of: session)
                guard phase == .connecting else { return }
                take(review)
                problem = nil
                return
            } catch let error as TalkCoProblem where error.isTemporary {
                failures += 1
                problem = error
                await context.pause(afterFailures: failures)
            }
        }
    }

    private func take(_ review: Review) {
        needsMessages = false
        guard review.status == .active else { return endedElsewhere(review.status) }
        show(review.segments)
        for turn in turns { showOutgoing(turn) }
    }

    /// Shows the messages that the service has stored.
    func show(_ segments: [Segment]) {
        var shown: [ChatMessage] = []
        if let greeting = context.openSession?.greeting { shown.append(ChatMessage(role: .ai, text: greeting, state: .complete)) }
        for segment in segments {
            shown.append(ChatMessage(role: .user, text: segment.userText, state: .complete))
            shown.append(ChatMessage(role: .ai, text: segment.aiText, state: .complete))
        }
        // The last answer keeps its identifier, by which its voice is stored.
        if let old = messages.last, let new = shown.last, old.role == .ai, old.text == new.text { shown[shown.count - 1] = old }
        messages = shown.suffix(Self.maximumMessageCount)
    }

    func append(_ message: ChatMessage) {
        messages.append(message)
        if messages.count > Self.maximumMessageCount { messages.removeFirst() }
    }

    func change(_ id: ChatMessage.ID?, _ change: (inout ChatMessage) -> Void) {
        guard let index = messages.lastIndex(where: { $0.id == id }) else { return }
        var changed = messages[index]
        change(&changed)
        if changed != messages[index] { messages[index] = changed }
    }

    private func fail(_ problem: TalkCoProblem) {
        guard phase == .connecting else { return }
        if needsMessages, problem != .sessionGone {
            // Another attempt continues the same session.
            phase = .failed(problem)
            return
        }
        // This session has no turns. Another attempt creates another one.
        if let session { context.tasks.start { _ = try? await self.context.api.deleteSession(session) } }
        forget()
        messages = []
        greeting = nil
        phase = .failed(problem)
    }

    func forget() {
        if let session, context.openSession?.id == session { context.openSession = nil }
        session = nil
        for turn in turns { discardTurn(turn.id) }
    }
}
