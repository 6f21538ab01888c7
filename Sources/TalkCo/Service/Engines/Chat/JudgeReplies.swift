import Foundation
import TalkCoWire
import WireKit

/// The parser of a model's answers: missing values are nil, and values of a wrong type are dropped.
enum JudgeReplies {
    static func marks(_ answer: JSONValue) -> [MarkDraft] {
        (answer["marks"]?.list ?? []).compactMap { mark in
            guard let index = mark["turn_index"]?.int, let original = text(mark["original"]),
                let suggestion = text(mark["suggestion"]), let explanation = text(mark["explanation"])
            else { return nil }
            // Some models send a single type as a string.
            let types = texts(mark["issue_types"]) ?? text(mark["issue_types"]).map { [$0] } ?? []
            return MarkDraft(
                turnIndex: index, issueTypes: types, original: original, suggestion: suggestion, explanation: explanation)
        }
    }

    static func correction(_ answer: JSONValue) -> CorrectionDraft? {
        guard let correction = text(answer["correction"]), let explanation = text(answer["explanation"]) else { return nil }
        return CorrectionDraft(correction: correction, explanation: explanation)
    }

    static func summary(_ answer: JSONValue) -> SessionSummary? {
        guard let overall = text(answer["overall"]) else { return nil }
        let weaknesses = (answer["weaknesses"]?.members ?? [:]).filter { IssueType(rawValue: $0.key) != nil }
        return SessionSummary(
            strengths: texts(answer["strengths"]) ?? [],
            weaknesses: Dictionary(uniqueKeysWithValues: IssueType.allCases.map { ($0.rawValue, text(weaknesses[$0.rawValue])) }),
            levelAssessment: text(answer["level_assessment"]), overall: overall)
    }

    static func profile(_ answer: JSONValue) -> ProfileChanges {
        // Some models put the fields of the profile at the top.
        let data = answer["profile_data"] ?? answer
        return ProfileChanges(
            level: level(answer["level"]), levelEvidence: evidence(answer["level_evidence"]),
            weakPoints: data["weak_points"]?.members.map { points in
                points.filter { IssueType(rawValue: $0.key) != nil }.compactMapValues { $0.list.map { $0.compactMap(weakPoint) } }
            },
            commonErrors: texts(data["common_errors"]), progressNotes: text(data["progress_notes"]),
            learnedExpressions: texts(data["learned_expressions"]), personalFacts: texts(data["personal_facts"]),
            quickReview: quickReview(data["quick_review"]))
    }

    static func level(_ answer: JSONValue) -> LevelJudgement? {
        level(answer["level"]).map { LevelJudgement(level: $0, evidence: evidence(answer["evidence"]) ?? []) }
    }

    /// Parses a level, also "B1+" and "b1".
    private static func level(_ value: JSONValue?) -> CEFRLevel? {
        text(value).flatMap { CEFRLevel(rawValue: String($0.uppercased().prefix(while: { $0 != "+" && $0 != " " }))) }
    }

    private static func evidence(_ value: JSONValue?) -> [LevelEvidence]? {
        value?.list?.compactMap { item in
            guard let sentence = text(item["sentence"]), let reason = text(item["reason"]) else { return nil }
            return LevelEvidence(sentence: sentence, reason: reason)
        }
    }

    private static func weakPoint(_ value: JSONValue) -> WeakPoint? {
        if let pattern = text(value) { return WeakPoint(pattern: pattern, examples: []) }
        guard let pattern = text(value["pattern"]) else { return nil }
        let examples = (value["examples"]?.list ?? []).compactMap { example -> WeakPoint.Example? in
            guard let wrong = text(example["wrong"]), let correct = text(example["correct"]) else { return nil }
            return WeakPoint.Example(wrong: wrong, correct: correct)
        }
        return WeakPoint(pattern: pattern, examples: examples)
    }

    static func quickReview(_ value: JSONValue?) -> [QuickReview]? {
        value?.list.map { list in
            let items = list.compactMap { item -> QuickReview? in
                guard let chinese = text(item["chinese"]), let english = text(item["english"]) else { return nil }
                return QuickReview(chinese: chinese, english: english)
            }
            return Array(items.prefix(QuickReview.maximumCount))
        }
    }

    /// Returns a text, trimmed; nil for a blank text or another type.
    static func text(_ value: JSONValue?) -> String? {
        let text = value?.text?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text?.isEmpty == true ? nil : text
    }

    static func texts(_ value: JSONValue?) -> [String]? { value?.list?.compactMap { text($0) } }
}
