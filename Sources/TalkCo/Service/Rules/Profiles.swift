import Logging
import NetworkingKit
import StorageKit
import TalkCoWire
import WireKit

/// The calls for the profiles of learners.
struct Profiles: Sendable {
    /// Timeout of each of the judge's answers in an evaluation.
    static let judgeTimeout = Duration.seconds(120)

    let store: Database
    let judge: any TextJudge
    /// The capacity for questions and evaluations that are answered at once.
    let judging: Shares
    let talks: TalkLimits
    let clock: any Clock<Duration>
    let now: @Sendable () -> Timestamp
    let logger: Logger

    /// Returns the profile, and creates a missing one.
    func profile(of user: Learner.ID) async throws -> Profile {
        let known = try await store.read { transaction in
            try transaction.profileRecord(of: user).map { try transaction.knownProfile($0) }
        }
        if let known { return complete(known) }
        return try await update(user) { _ in }
    }

    /// Returns the profile with the values that the store neither contains nor counts.
    private func complete(_ known: KnownProfile) -> Profile {
        var profile = known.profile
        profile.keptTalks = KeptTalks(
            maximumCount: talks.countForUser, days: Int(talks.age.components.seconds / 86_400), removedCount: known.removedCount)
        if profile.level == nil { profile.levelStatus = LevelProgress(known, judge: judge).status }
        return profile
    }

    /// - Parameter goal: The goal; nil or blank to remove it.
    func setGoal(_ goal: String?, of user: Learner.ID) async throws -> Profile {
        let goal = goal?.trimmed
        return try await update(user) { $0.goal = goal?.isEmpty == true ? nil : goal }
    }

    /// Changes the current profile in one transaction.
    ///
    /// - Parameter ifThere: True to throw for a learner who was deleted meanwhile; false to create a missing profile.
    private func update(
        _ user: Learner.ID, ifThere: Bool = false, _ change: @escaping @Sendable (inout ProfileRecord) -> Void
    ) async throws -> Profile {
        let time = now()
        let known = try await store.write { transaction in
            if ifThere, try transaction.profileRecord(of: user) == nil {
                throw TalkError(.conflict, "The learner has been deleted")
            }
            let record = try transaction.ensureProfile(of: user, at: time)
            var changed = record
            change(&changed)
            if changed != record {
                changed.updatedAt = time
                try transaction.save(changed)
            }
            return try transaction.knownProfile(changed)
        }
        return complete(known)
    }

    /// Judges the level, and rewrites the notes and the quick review. A part whose call fails is not changed.
    ///
    /// - Throws: ``TalkError`` when all three fail.
    func evaluate(_ user: Learner.ID, from network: CallerNetwork) async throws -> Profile {
        try await judging.taking(for: network) { try await evaluate(user) }
    }

    private func evaluate(_ user: Learner.ID) async throws -> Profile {
        _ = try await profile(of: user)
        guard let record = try await store.read({ try $0.learnerRecord(of: user) }) else { return try await profile(of: user) }
        async let level = result { try await judge.level(record) }
        async let notes = result { try await judge.progressNotes(record) }
        async let review = result { try await judge.quickReview(record) }
        let (judgedLevel, newNotes, newReview) = await (level, notes, review)
        let errors = [judgedLevel.error, newNotes.error, newReview.error].compactMap(\.self)
        for error in errors {
            logger.warning("A part of an evaluation failed", metadata: ["error": "\(error.logText)"])
        }
        if errors.count == 3 { throw TalkError(errors[0] as? EngineError ?? EngineError(.failed, "The evaluation failed.")) }
        var changes = ProfileChanges()
        if let judgement = (try? judgedLevel.get()) ?? nil {
            (changes.level, changes.levelEvidence) = (judgement.level, judgement.evidence)
        }
        changes.progressNotes = try? newNotes.get()
        changes.quickReview = try? newReview.get()
        return try await update(user, ifThere: true) { [changes] in ProfileMerge.apply(changes, to: &$0) }
    }

    private func result<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> Result<Value, any Error> {
        do {
            return .success(
                try await withTimeout(
                    Self.judgeTimeout, clock: clock, orThrow: EngineError(.timedOut, "The judge did not answer in time."), body))
        } catch {
            return .failure(error)
        }
    }
}

extension Result {
    fileprivate var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}
