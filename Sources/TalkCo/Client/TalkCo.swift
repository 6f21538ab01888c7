import ClientKit
package import Foundation
public import NetworkingKit
public import Observation
public import PlatformKit
package import TalkCoWire

/// TalkCo on one phone: the learner, the service, and the session under way. All screens of the phone share it.
///
/// ```
///   topics ─▶ ConversationViewModel ─▶ ReviewViewModel ─▶ summary ─▶ topics
///                  (session under way: saved, see OpenSession)            ProfileViewModel
/// ```
@MainActor
@Observable
public final class TalkCo {
    package enum Phase: Hashable, Sendable {
        /// The values that the phone has stored are being read.
        case starting
        case ready
    }

    package private(set) var phase = Phase.starting
    /// The conversation under way, or the one that failed to start.
    package private(set) var conversation: ConversationViewModel?

    @ObservationIgnored package let profile: ProfileViewModel
    /// The learner's own model for the tutor.
    @ObservationIgnored package let model: TutorModelViewModel
    @ObservationIgnored let context: TalkContext
    /// The conversations that screens may start, by topic; the key nil is the practice of weak points.
    @ObservationIgnored private var prepared: [Topic.ID?: ConversationViewModel] = [:]
    @ObservationIgnored private var reviews: [Session.ID: ReviewViewModel] = [:]

    /// - Parameters:
    ///   - backoff: The delays between attempts to send a turn, or to reach the service.
    ///   - random: Returns a number from 0 to 1, for the jitter of the backoff.
    ///   - makeID: Generates the identifiers of the learner and of turns.
    package init(
        phone: Phone, service: RemoteService, backoff: Backoff = .standard,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        let context = TalkContext(phone: phone, service: service, backoff: backoff, random: random, makeID: makeID)
        self.context = context
        profile = ProfileViewModel(context: context)
        model = TutorModelViewModel(context: context)
    }

    /// Returns TalkCo on this phone, which the first call creates.
    public static func shared(on phone: Phone, service: RemoteService) -> TalkCo {
        phone.instances.instance { TalkCo(phone: phone, service: service) }
    }

    // MARK: State of screens

    /// The topics of the service; those of the contract until it has answered.
    package var topics: [Topic] { context.topics }
    /// The engines of the service; nil until the service has answered, and for a service that does not report its engines.
    package var engine: EngineInfo? { context.engine }
    /// The reason why the service did not answer the last request; nil if it did.
    package var problem: TalkCoProblem? { context.problem }
    /// True while the latest changes are in memory only, because the phone could not save them.
    package var isStorageFailing: Bool { context.isStorageFailing }
    /// The session under way, for screens to offer its continuation; nil for none. Survives a restart of the app.
    package var openSession: OpenSession? { context.openSession }
    /// The identity at the service; nil while ``phase`` is `starting`.
    package var learner: Learner.ID? { context.learner }
    package var settings: TalkSettings { context.settings }
    package var isMicrophoneAvailable: Bool { context.isMicrophoneAvailable }

    // MARK: Running

    /// Runs the shared work until the calling task is cancelled. Each screen calls this method; the work runs once.
    package func run() async { await context.host.run(start: restore, work: work, end: context.save) }

    private func work() async {
        await withTaskGroup { group in
            group.addTask { await self.context.followService() }
            group.addTask { await self.context.followNetworkPath() }
            group.addTask { await self.resume() }
        }
    }

    private func restore() async {
        guard phase == .starting else { return }
        await context.restore()
        if let open = context.openSession, open.phase == .conversation, conversation == nil {
            let restored = ConversationViewModel(context: context, mode: open.mode, topic: open.topic)
            restored.take(open)
            conversation = restored
        }
        phase = .ready
    }

    /// Resumes the unfinished work of the last run.
    private func resume() async {
        // The task owner starts concurrently.
        while !context.tasks.start({}), !Task.isCancelled { await Task.yield() }
        context.deviceDidChange()
        conversation?.resume()
        for review in reviews.values { review.resume() }
        profile.resume()
    }

    /// Requests the topics and engines of the service again.
    package func refresh() { context.wake() }

    /// Saves all changes before it returns.
    package func flush() async { await context.save() }

    /// Asks the service to install its engines for free speech, if this page is allowed to. ``engine`` has the progress.
    package func installEngines() { context.installEngines() }

    // MARK: Screens

    /// Records that a screen has come to the front or left it. Failed calls are retried only while a screen is in front.
    ///
    /// - Parameter phone: The phone as the screen received it. The newest screen in front provides microphone and loudspeaker.
    package func setInFront(_ isInFront: Bool, screen: AnyObject, phone: Phone? = nil) {
        context.setInFront(isInFront, screen: screen, phone: phone)
    }

    /// Returns the conversation on a topic: the one under way, or one to start. Changes nothing on the service.
    package func conversation(on topic: Topic) -> ConversationViewModel { conversation(.conversation, topic) }

    /// Returns the practice of weak points: the one under way, or one to start. Changes nothing on the service.
    package func practice() -> ConversationViewModel { conversation(.review, nil) }

    private func conversation(_ mode: Session.Mode, _ topic: Topic?) -> ConversationViewModel {
        if let conversation, conversation.mode == mode, conversation.topic?.id == topic?.id, !conversation.isOver {
            return conversation
        }
        if let made = prepared[topic?.id], !made.isOver { return made }
        let made = ConversationViewModel(context: context, mode: mode, topic: topic)
        made.onStart = { [weak self, weak made] in
            guard let self, let made, self.conversation !== made else { return }
            self.conversation?.abandon()
            self.conversation = made
            self.prepared[topic?.id] = nil
        }
        prepared[topic?.id] = made
        return made
    }

    /// Returns the review of a session; the same object each time.
    package func review(of session: Session.ID) -> ReviewViewModel {
        if let review = reviews[session] { return review }
        // One review is under way at a time. Others are read again when they are opened.
        for review in reviews.values { review.stop() }
        let review = ReviewViewModel(context: context, session: session) { [weak self] in
            self?.profile.load()
        }
        reviews = [session: review]
        return review
    }

    /// Deletes all data of the learner, on the service and on this phone, and creates a new learner. Cannot be undone.
    ///
    /// - Throws: ``TalkCoProblem``; the data on the phone is unchanged then.
    package func deleteLearner() async throws {
        guard let learner else { return }
        do {
            _ = try await context.api.delete(learner)
        } catch {
            throw TalkCoProblem(error)
        }
        prepared = [:]
        leave()
        await context.forgetLearner()
        profile.reset()
    }

    /// Returns to the topics: the session is over for this phone. An open conversation is closed on the service.
    package func leave() {
        conversation?.abandon()
        conversation = nil
        for review in reviews.values { review.stop() }
        reviews = [:]
        context.openSession = nil
    }
}
