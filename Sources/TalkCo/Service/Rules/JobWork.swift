import CoreMetrics
import Logging
import ServerKit
import StorageKit
import TalkCoWire
import WireKit

/// The work of each job: reads the data, asks the judge, checks the answer, and stores it together with the removal of the job.
struct JobWork: Sendable {
    let store: Database
    let judge: any TextJudge
    let now: @Sendable () -> Timestamp
    let metrics: MetricsRegistry
    let logger: Logger

    /// - Throws: Errors of the judge; ``EngineError`` when the judge's answer cannot be used. The job remains then.
    func run(_ job: Job) async throws {
        guard
            let (session, talk) = try await store.read({ transaction in
                try transaction.session(job.session).map { ($0, try transaction.talk($0)) }
            })
        else { return }
        // Nothing was said.
        guard !talk.turns.isEmpty else { return try await finish(job) { _ in } }
        switch job.kind {
        case .marks: try await writeMarks(job, session, talk)
        case .summary:
            let summary = try Self.checked(try await judge.summary(talk))
            try await finish(job) { transaction in
                try transaction.execute(
                    "UPDATE sessions SET summary = ? WHERE id = ?", try summary.columnText, session.id)
            }
        case .talkSummary:
            let summary = try await judge.talkSummary(talk.turns).trimmed(2_000)
            guard !summary.isEmpty else { throw EngineError(.failed, "The judge's summary for the tutor is empty.") }
            try await finish(job) { transaction in
                try transaction.execute("UPDATE sessions SET talk_summary = ? WHERE id = ?", summary, session.id)
            }
        case .profile: try await updateProfile(job, session, talk)
        case .outcome: try await writeOutcome(job, session, talk)
        }
    }

    /// Removes a job without a result.
    func giveUp(_ job: Job) async throws {
        try await finish(job) { _ in }
    }

    /// Stores a result and removes the job in one transaction. Has no effect if another attempt has removed the job.
    private func finish(_ job: Job, _ body: @escaping @Sendable (WriteTransaction) throws -> Void) async throws {
        try await store.write { transaction in
            guard try transaction.hasJob(job.kind, of: job.session) else { return }
            try body(transaction)
            try transaction.removeJob(job.kind, of: job.session)
        }
    }

    private func writeMarks(_ job: Job, _ session: SessionRecord, _ talk: ReviewedTalk) async throws {
        let check = MarkCheck(try await judge.marks(talk.turns), of: talk.turns)
        for (problem, count) in check.problems {
            Counter(label: "talkco_marks_dropped_total", dimensions: [("reason", problem.rawValue)], factory: metrics)
                .increment(by: count)
        }
        Counter(label: "talkco_marks_total", factory: metrics).increment(by: check.marks.count)
        if !check.problems.isEmpty {
            logger.notice(
                "Marks were dropped",
                metadata: ["kept": "\(check.marks.count)", "dropped": "\(check.problems.values.reduce(0, +))"])
        }
        let words = Dictionary(uniqueKeysWithValues: talk.turns.map { ($0.index, $0.learner) })
        let rules = EnglishRules()
        let cards = check.marks.compactMapValues { mark in
            words[mark.turnIndex].flatMap { SummaryWriter.card(of: mark, in: $0, rules: rules) }
        }
        let time = now()
        try await finish(job) { transaction in
            for segment in try transaction.segments(of: job.session) {
                guard let mark = check.marks[segment.turnIndex] else { continue }
                try transaction.insert(mark, for: segment.id)
                if let card = cards[segment.turnIndex] { try transaction.addCard(card, of: session.user, at: time) }
            }
        }
    }

    private func updateProfile(_ job: Job, _ session: SessionRecord, _ talk: ReviewedTalk) async throws {
        let time = now()
        let known = try await store.write { transaction -> Profile? in
            // The learner may have been deleted.
            guard try transaction.hasJob(job.kind, of: job.session) else { return nil }
            return try transaction.profile(try transaction.ensureProfile(of: session.user, at: time))
        }
        guard let profile = known else { return }
        var changes = try await judge.profile(profile, after: talk)
        if changes.level == nil, profile.level == nil, let first = try await firstLevel(of: session.user) {
            (changes.level, changes.levelEvidence) = (first.level, first.evidence)
        }
        try await finish(job) { [changes] transaction in
            // Another session may have changed the profile meanwhile, so it is read again.
            var record = try transaction.ensureProfile(of: session.user, at: time)
            var changes = changes
            if let level = changes.level { changes.level = record.level?.step(toward: level) ?? level }
            ProfileMerge.apply(changes, to: &record)
            record.updatedAt = now()
            try transaction.save(record)
        }
    }

    /// Returns the level from all talks of a learner whose last talk was too short; nil if all talks together are too short.
    private func firstLevel(of user: Learner.ID) async throws -> LevelJudgement? {
        guard let record = try await store.read({ try $0.learnerRecord(of: user) }),
            let words = judge.levelWords(in: record.sentences), words.count >= words.needed
        else { return nil }
        return try await judge.level(record)
    }

    private func writeOutcome(_ job: Job, _ session: SessionRecord, _ talk: ReviewedTalk) async throws {
        let points = try await store.read { try $0.profileRecord(of: session.user)?.data.weakPoints ?? [:] }
        let outcome = try await judge.reviewOutcome(talk.turns, weakPoints: points)
        let practiced = Array(outcome.practiced.map { $0.trimmed(500) }.filter { !$0.isEmpty }.prefix(20))
        let notes = outcome.notes.trimmed(2_000)
        try await finish(job) { transaction in
            try transaction.execute(
                "UPDATE sessions SET practiced = ?, review_notes = ? WHERE id = ?", try practiced.columnText,
                notes.isEmpty ? nil : notes, session.id)
        }
    }

    /// Returns the summary, trimmed and with every dimension.
    ///
    /// - Throws: ``EngineError`` for an empty summary.
    private static func checked(_ summary: SessionSummary) throws -> SessionSummary {
        let strengths = summary.strengths.map { $0.trimmed(2_000) }.filter { !$0.isEmpty }
        let weaknesses = IssueType.allCases.map { type -> (String, String?) in
            let text = (summary.weaknesses[type.rawValue] ?? nil)?.trimmed(2_000)
            return (type.rawValue, text?.isEmpty == true ? nil : text)
        }
        let overall = summary.overall.trimmed(4_000)
        guard !overall.isEmpty || !strengths.isEmpty else { throw EngineError(.failed, "The judge's summary is empty.") }
        return SessionSummary(
            strengths: strengths, weaknesses: Dictionary(uniqueKeysWithValues: weaknesses),
            levelAssessment: summary.levelAssessment?.trimmed(2_000) ?? "", overall: overall)
    }
}
