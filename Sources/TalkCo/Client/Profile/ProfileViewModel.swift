import ClientKit
import Foundation
import Observation
import PlatformKit
package import TalkCoWire
import WireKit

/// The learner's profile: the level, the weak points, and the learned sentences.
@MainActor
@Observable
package final class ProfileViewModel {
    /// A dimension in the chart.
    package struct Dimension: Hashable, Sendable, Identifiable {
        package let type: IssueType
        /// Marks per hundred words, or the count of examples of weak points: see ``ProfileViewModel/showsRates``.
        package let value: Double
        package var id: IssueType { type }
    }

    /// The weak points in one dimension.
    package struct WeakPoints: Hashable, Sendable, Identifiable {
        package let type: IssueType
        package let points: [WeakPoint]
        package var id: IssueType { type }
    }

    /// The reason why the learner has no level yet.
    package enum LevelNote: Hashable, Sendable {
        /// No conversation has been finished.
        case finishConversation
        /// The last conversation is being reviewed; its review is to be ended.
        case reviewing
        /// A conversation has been reviewed; a review is to be ended.
        case endReview
        /// The service judges the level now.
        case judging
        /// The conversations have `wordCount` English words; a level needs `wordsNeeded`.
        case tooShort(wordCount: Int, wordsNeeded: Int)
        /// The conversations gave no level.
        case notJudged

        fileprivate var isTemporary: Bool { self == .reviewing || self == .judging }
    }

    /// The polling interval while a level is about to be judged.
    nonisolated static let followInterval = Duration.seconds(2)
    /// Maximum number of polls: ten minutes.
    nonisolated static let maximumFollowCount = 300

    /// The service's profile; nil until the service has answered.
    package private(set) var profile: Profile?
    package private(set) var isLoading = false
    /// True while the service judges the level.
    package private(set) var isEvaluating = false
    package private(set) var isSavingGoal = false
    /// The last failure; nil after a success.
    package private(set) var problem: TalkCoProblem?
    /// The edited text of the goal; nil while the field shows the stored goal.
    package var goalDraft: String?

    @ObservationIgnored private let context: TalkContext

    init(context: TalkContext) { self.context = context }

    // MARK: State of screens

    /// The judged level; nil for a learner without one, and until the service has answered.
    package var level: CEFRLevel? { profile?.level }
    /// The reason for the missing level; nil for a learner with a level, and until the service has answered.
    package var levelNote: LevelNote? { profile.flatMap(Self.levelNote(of:)) }

    package static func levelNote(of profile: Profile) -> LevelNote? {
        guard profile.level == nil else { return nil }
        switch profile.levelStatus.flatMap({ LevelStatus.State(rawValue: $0.state) }) {
        case .noTalk: return .finishConversation
        case .reviewing: return .reviewing
        case .reviewed: return .endReview
        case .completing: return .judging
        case .tooShort:
            guard let count = profile.levelStatus?.wordCount, let needed = profile.levelStatus?.wordsNeeded, count < needed else {
                return .notJudged
            }
            return .tooShort(wordCount: max(0, count), wordsNeeded: needed)
        case .notJudged: return .notJudged
        // A service without this extension.
        case nil: return profile.profileData.sessionCount > 0 ? .notJudged : .finishConversation
        }
    }
    /// The retention of talks on the service; nil until the service has removed a talk.
    package var removedTalks: KeptTalks? { profile?.keptTalks.flatMap { $0.removedCount > 0 ? $0 : nil } }
    /// The sentences behind the level.
    package var evidence: [LevelEvidence] { profile?.levelEvidence ?? [] }
    package var sessionCount: Int { profile?.profileData.sessionCount ?? 0 }
    package var learnedExpressions: [String] { profile?.profileData.learnedExpressions ?? [] }
    package var commonErrors: [String] { profile?.profileData.commonErrors ?? [] }
    package var quickReview: [QuickReview] { profile?.profileData.quickReview ?? [] }
    package var progressNotes: String { profile?.profileData.progressNotes ?? "" }
    package var goal: String { goalDraft ?? profile?.learningGoal ?? "" }
    /// True if the goal in the field differs from the stored one.
    package var isGoalChanged: Bool { goalDraft != nil && trimmedGoal != (profile?.learningGoal ?? "") }
    package var isGoalTooLong: Bool { trimmedGoal.unicodeScalars.count > Learner.maximumGoalLength }
    private var trimmedGoal: String { goal.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// True if there are weak points to practise: see ``TalkCo/practice()``.
    package var canPractice: Bool { profile?.needsReview == true || waitingCount > 0 }
    /// Count of marked sentences that practice still repeats.
    package var waitingCount: Int { profile?.practice?.waitingCount ?? 0 }
    /// Sentences that were right three times in practice, the newest first.
    package var learnedSentences: [WeakPoint.Example] { profile?.practice?.learned ?? [] }

    /// The mistakes of one kind in the last talks.
    package struct Trend: Hashable, Sendable, Identifiable {
        package let type: IssueType
        /// Marks per hundred words, the oldest talk first; two or more.
        package let rates: [Double]
        package var id: IssueType { type }
    }

    /// The trends of the kinds of mistakes that occurred in the last talks. Empty before the second talk.
    package var trends: [Trend] {
        guard let talks = profile?.talkRates, talks.count > 1 else { return [] }
        return IssueType.allCases.map { type in Trend(type: type, rates: talks.map { max($0.rates[type.rawValue] ?? 0, 0) }) }
            .filter { $0.rates.contains { $0 > 0 } }
    }

    /// True if ``dimensions`` are marks per hundred words, false if they count examples.
    package var showsRates: Bool { profile?.errorRates != nil }

    /// The four dimensions of the chart.
    package var dimensions: [Dimension] {
        IssueType.allCases.map { type in
            let rate = profile?.errorRates.map { $0[type.rawValue] ?? 0 }
            let count = (profile?.profileData.weakPoints[type.rawValue] ?? []).reduce(0) { $0 + max($1.examples.count, 1) }
            return Dimension(type: type, value: rate ?? Double(count))
        }
    }

    /// The weak points, without dimensions that have none.
    package var weakPoints: [WeakPoints] {
        IssueType.allCases.compactMap { type in
            guard let points = profile?.profileData.weakPoints[type.rawValue], !points.isEmpty else { return nil }
            return WeakPoints(type: type, points: points)
        }
    }

    // MARK: Calls

    /// Clears the profile of a deleted learner, and reads the profile of the new one.
    func reset() {
        (profile, goalDraft, problem) = (nil, nil, nil)
        load()
    }

    /// Reads the profile.
    package func load() {
        needsLoad = true
        guard !isLoading else { return }
        isLoading = true
        let isStarted = context.tasks.start {
            while self.needsLoad, !Task.isCancelled {
                self.needsLoad = false
                await self.call { try await $0.profile(of: $1) }
            }
            self.isLoading = false
            self.followLevel()
        }
        if !isStarted { isLoading = false }
    }

    /// Polls the profile while its level is about to be judged.
    private func followLevel() {
        guard !isFollowing, problem == nil, levelNote?.isTemporary == true else { return }
        isFollowing = context.tasks.start {
            for _ in 0..<Self.maximumFollowCount {
                guard (try? await self.context.phone.clock.sleep(for: Self.followInterval)) != nil else { break }
                await self.context.waitForFront()
                guard await self.call({ try await $0.profile(of: $1) }), self.levelNote?.isTemporary == true else { break }
            }
            self.isFollowing = false
        }
    }
    @ObservationIgnored private var isFollowing = false

    /// True if the profile was requested while the app did not run yet, or during another read.
    @ObservationIgnored private var needsLoad = false

    /// Starts a read that was requested before the app ran.
    func resume() { if needsLoad { load() } }

    /// Sends the goal in the field to the service. The text stays in the field if the call fails.
    package func saveGoal() {
        guard isGoalChanged, !isGoalTooLong, !isSavingGoal else { return }
        let (text, draft) = (trimmedGoal, goalDraft)
        isSavingGoal = true
        let isStarted = context.tasks.start {
            await self.context.keepLearner()
            let isSaved = await self.call { try await $0.setGoal(text.isEmpty ? nil : text, of: $1) }
            if isSaved, self.goalDraft == draft { self.goalDraft = nil }
            self.isSavingGoal = false
        }
        if !isStarted { isSavingGoal = false }
    }

    /// Stores a goal; blank for none.
    package func setGoal(_ goal: String) {
        goalDraft = goal
        saveGoal()
    }

    /// Asks the service to judge the level anew.
    package func evaluate() {
        guard !isEvaluating else { return }
        isEvaluating = true
        let isStarted = context.tasks.start {
            await self.call { try await $0.evaluate($1) }
            self.isEvaluating = false
        }
        if !isStarted { isEvaluating = false }
    }

    @discardableResult
    private func call(_ call: @escaping @Sendable (TalkCoAPI, Learner.ID) async throws -> Profile) async -> Bool {
        guard let learner = context.learner else { return false }
        do {
            let new = try await call(context.api, learner)
            // Another learner has replaced this one meanwhile.
            guard learner == context.learner else { return false }
            // Replies may overtake each other.
            if profile.map({ $0.updatedAt <= new.updatedAt }) ?? true { profile = new }
            problem = nil
            return true
        } catch is CancellationError {
            return false
        } catch {
            problem = TalkCoProblem(error)
            return false
        }
    }
}
