import TalkCoWire

/// The change of a profile by a judge's result.
///
/// The judge has read a copy of the profile that may be outdated, so its result only adds to the current one: entries that it
/// leaves out are kept, as are the changes of two sessions that end at once. Every list is bounded; the oldest entries are dropped.
enum ProfileMerge {
    static let maximumPatternCount = 12
    static let maximumErrorCount = 20
    static let maximumFactCount = 30
    static let maximumExpressionCount = 100
    static let maximumEvidenceCount = 10
    /// Maximum length of an entry, in Unicode scalar values; longer ones are cut.
    static let maximumEntryLength = 500
    static let maximumNotesLength = 4_000

    static func apply(_ changes: ProfileChanges, to record: inout ProfileRecord) {
        if let level = changes.level { record.level = level }
        if let evidence = changes.levelEvidence { merge(evidence, into: &record.levelEvidence) }
        for (dimension, points) in changes.weakPoints ?? [:] where IssueType(rawValue: dimension) != nil {
            merge(points, into: &record.data.weakPoints[dimension, default: []])
        }
        merge(changes.commonErrors, into: &record.data.commonErrors, limit: maximumErrorCount)
        merge(changes.learnedExpressions, into: &record.data.learnedExpressions, limit: maximumExpressionCount)
        merge(changes.personalFacts, into: &record.data.personalFacts, limit: maximumFactCount)
        if let notes = changes.progressNotes?.trimmed(maximumNotesLength), !notes.isEmpty { record.data.progressNotes = notes }
        if let reviews = changes.quickReview.map(valid), !reviews.isEmpty { record.data.quickReview = reviews }
    }

    /// Returns the complete sentences to practise, at most ``QuickReview/maximumCount``.
    static func valid(_ reviews: [QuickReview]) -> [QuickReview] {
        let valid = reviews.map {
            QuickReview(chinese: $0.chinese.trimmed(maximumEntryLength), english: $0.english.trimmed(maximumEntryLength))
        }
        return Array(valid.filter { !$0.chinese.isEmpty && !$0.english.isEmpty }.prefix(QuickReview.maximumCount))
    }

    private static func merge(_ added: [String]?, into list: inout [String], limit: Int) {
        for entry in added ?? [] {
            let entry = entry.trimmed(maximumEntryLength)
            if !entry.isEmpty, !list.contains(where: { $0.lowercased() == entry.lowercased() }) { list.append(entry) }
        }
        if list.count > limit { list.removeFirst(list.count - limit) }
    }

    private static func merge(_ added: [WeakPoint], into points: inout [WeakPoint]) {
        for point in added {
            let pattern = point.pattern.trimmed(maximumEntryLength)
            guard !pattern.isEmpty else { continue }
            let index = points.firstIndex { $0.pattern.lowercased() == pattern.lowercased() }
            var merged = index.map { points[$0] } ?? WeakPoint(pattern: pattern, examples: [])
            for example in point.examples {
                let example = WeakPoint.Example(
                    wrong: example.wrong.trimmed(maximumEntryLength), correct: example.correct.trimmed(maximumEntryLength))
                guard !example.wrong.isEmpty, !example.correct.isEmpty, !merged.examples.contains(example) else { continue }
                merged.examples.append(example)
            }
            merged.examples = merged.examples.suffix(WeakPoint.maximumExampleCount)
            if let index { points[index] = merged } else { points.append(merged) }
        }
        if points.count > maximumPatternCount { points.removeFirst(points.count - maximumPatternCount) }
    }

    /// Merges evidence, the newest first.
    private static func merge(_ added: [LevelEvidence], into evidence: inout [LevelEvidence]?) {
        let added = added.map {
            LevelEvidence(sentence: $0.sentence.trimmed(maximumEntryLength), reason: $0.reason.trimmed(maximumEntryLength))
        }.filter { !$0.sentence.isEmpty && !$0.reason.isEmpty }
        var merged: [LevelEvidence] = []
        for entry in added + (evidence ?? []) where !merged.contains(where: { $0.sentence == entry.sentence }) {
            merged.append(entry)
        }
        evidence = Array(merged.prefix(maximumEvidenceCount))
    }
}
