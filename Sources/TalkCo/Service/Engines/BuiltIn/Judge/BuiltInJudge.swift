import TalkCoEnglish
package import TalkCoWire

/// The judge that works by rules, without a model.
package struct BuiltInJudge: TextJudge {
    private let rules: EnglishRules
    private let texts: TutorTexts

    package init(texts: TutorTexts) { self.init(rules: EnglishRules(), texts: texts) }

    init(rules: EnglishRules, texts: TutorTexts) { (self.rules, self.texts) = (rules, texts) }

    package func marks(_ turns: [TalkTurn]) async throws -> [MarkDraft] {
        var drafts: [MarkDraft] = []
        for turn in turns {
            try Task.checkCancellation()
            // The check of a long turn takes up to a second of CPU time; the answers of tutors run first.
            await Task.yield()
            guard let finding = EnglishRules.mostImportant(rules.findings(in: turn.learner)) else { continue }
            drafts.append(
                MarkDraft(
                    turnIndex: turn.index, issueTypes: [finding.kind.rawValue], original: finding.original,
                    suggestion: rules.suggestion(for: finding, in: turn.learner), explanation: finding.explanation))
        }
        return drafts
    }

    package func correction(_ question: String, about turn: TalkTurn, marks: [Mark]) async throws -> CorrectionDraft {
        QuestionAnswer(question, about: turn, marks: marks, rules: rules, texts: texts).draft
    }

    package func summary(_ talk: ReviewedTalk) async throws -> SessionSummary {
        SummaryWriter(talk, rules: rules, texts: texts).summary
    }

    package func talkSummary(_ turns: [TalkTurn]) async throws -> String {
        let figures = TalkFigures(turns.map(\.learner), rules: rules)
        let longest = figures.sentences.sorted { $0.count > $1.count }.prefix(2).map { rules.corrected(String($0.prefix(200))) }
        guard !longest.isEmpty else { return "The learner said very little." }
        let facts = LearnerFacts.of(turns.map(\.learner), texts.facts).prefix(2)
        return [
            "The learner spoke \(figures.turnCount) times.",
            "The learner said: \(longest.map { "“\($0)”" }.joined(separator: " "))",
        ]
        .joined(separator: " ") + (facts.isEmpty ? "" : " Facts: \(facts.joined(separator: "; ")).")
    }

    package func profile(_ profile: Profile, after talk: ReviewedTalk) async throws -> ProfileChanges {
        let words = own(talk.turns.map(\.learner))
        let figures = TalkFigures(words, rules: rules)
        let writer = SummaryWriter(talk, rules: rules, texts: texts)
        let points = weakPoints(of: talk)
        let practice = writer.quickReview
        let judgement = rules.level(of: words)
        let level = judgement.map { profile.level?.step(toward: $0.level) ?? $0.level }
        return ProfileChanges(
            level: level, levelEvidence: judgement?.evidence,
            weakPoints: points.isEmpty ? nil : points,
            commonErrors: points.isEmpty ? nil : points.values.joined().map(\.pattern).sorted(),
            progressNotes: nil, learnedExpressions: figures.expressions.isEmpty ? nil : figures.expressions,
            personalFacts: LearnerFacts.of(words, texts.facts), quickReview: practice.isEmpty ? nil : practice)
    }

    package func level(_ record: LearnerRecord) async throws -> LevelJudgement? {
        rules.level(of: own(record.sentences))
    }

    package func levelWords(in sentences: [String]) -> (count: Int, needed: Int)? {
        rules.levelWords(in: own(sentences))
    }

    package func progressNotes(_ record: LearnerRecord) async throws -> String {
        ProgressNotes(record, figures: TalkFigures(record.sentences, rules: rules)).text
    }

    package func quickReview(_ record: LearnerRecord) async throws -> [QuickReview] {
        let examples = record.profile.profileData.weakPoints.sorted { $0.key < $1.key }.flatMap(\.value)
            .flatMap { point in point.examples.suffix(2).reversed().map { (point.pattern, $0) } }
        var reviews: [QuickReview] = []
        for (pattern, example) in examples where !reviews.contains(where: { $0.english == example.correct }) {
            reviews.append(QuickReview(chinese: "「\(example.wrong)」怎麼說才對？（\(pattern)）", english: example.correct))
        }
        return Array(reviews.prefix(QuickReview.maximumCount))
    }

    package func reviewOutcome(_ turns: [TalkTurn], weakPoints: [String: [WeakPoint]]) async throws -> ReviewOutcome {
        let said = turns.map { ChoiceGrammar.words(of: $0.learner) }
        var (practiced, right): ([String], Set<String>) = ([], [])
        for point in weakPoints.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
            let isMentioned = point.examples.contains { example in
                turns.contains { $0.tutor.contains(example.correct) || $0.learner.contains(example.correct) }
            }
            let isSaid = point.examples.contains { said.contains(ChoiceGrammar.words(of: $0.correct)) }
            guard isMentioned || isSaid, !practiced.contains(point.pattern) else { continue }
            practiced.append(point.pattern)
            if isSaid { right.insert(point.pattern) }
        }
        let hard = practiced.filter { !right.contains($0) }
        var notes = "The learner answered \(turns.count) times in this review."
        if !right.isEmpty { notes += " Said correctly: \(practiced.filter(right.contains).joined(separator: "; "))." }
        if !hard.isEmpty { notes += " Still difficult: \(hard.joined(separator: "; "))." }
        return ReviewOutcome(practiced: practiced, notes: notes)
    }

    // MARK: Parts

    /// Returns the learner's own words, without the sentences that the tutor offers to read aloud.
    private func own(_ said: [String]) -> [String] { said.filter { !texts.isOffered($0) } }

    /// Returns the marks as examples, by dimension and pattern.
    private func weakPoints(of talk: ReviewedTalk) -> [String: [WeakPoint]] {
        var points: [String: [WeakPoint]] = [:]
        for turn in talk.turns {
            for mark in talk.marks[turn.index] ?? [] {
                guard let type = mark.issueTypes.compactMap(IssueType.init(rawValue:)).first,
                    let example = SummaryWriter.example(of: mark, in: turn.learner, rules: rules)
                else { continue }
                let pattern = pattern(of: mark, in: turn.learner, type)
                let index = points[type.rawValue]?.firstIndex { $0.pattern == pattern }
                if let index {
                    points[type.rawValue]?[index].examples.append(example)
                } else {
                    points[type.rawValue, default: []].append(WeakPoint(pattern: pattern, examples: [example]))
                }
            }
        }
        return points
    }

    private func pattern(of mark: Mark, in text: String, _ type: IssueType) -> String {
        let finding = rules.findings(in: text).first { $0.original == mark.original || mark.original.contains($0.original) }
        if let finding { return texts.patterns.of(finding).title }
        return texts.patterns.of("", kind: FindingKind(rawValue: type.rawValue) ?? .grammar).title
    }
}
