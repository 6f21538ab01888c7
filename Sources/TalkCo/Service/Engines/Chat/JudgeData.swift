import TalkCoEnglish
import TalkCoWire
import WireKit

/// The data for the judge's questions, as JSON: nothing in it can pass for an instruction.
enum JudgeData {
    /// Maximum length of a text, in characters.
    private static let maximumTextLength = 4_000

    static func transcript(_ turns: [TalkTurn]) -> JSONValue { .array(turns.map(turn)) }

    static func turn(_ turn: TalkTurn) -> JSONValue {
        var members: [String: JSONValue] = [
            "turn_index": .integer(Int64(turn.index)), "learner": text(turn.learner), "tutor": text(turn.tutor),
        ]
        if !EnglishText.isEnglish(turn.learner) { members["is_english"] = .bool(false) }
        return .object(members)
    }

    static func mark(_ mark: Mark) -> JSONValue {
        .object([
            "issue_types": texts(mark.issueTypes), "original": text(mark.original), "suggestion": text(mark.suggestion),
            "explanation": text(mark.explanation),
        ])
    }

    static func correction(_ correction: Correction) -> JSONValue {
        .object(["question": text(correction.userMessage), "correction": text(correction.correction)])
    }

    static func talk(_ talk: ReviewedTalk) -> [String: JSONValue] {
        func byTurn(_ values: [Int: [JSONValue]]) -> JSONValue {
            .array(
                values.sorted { $0.key < $1.key }.flatMap { index, values in
                    values.map { .object(["turn_index": .integer(Int64(index)), "value": $0]) }
                })
        }
        return [
            "topic": talk.topic.map { .string($0.labelEn) } ?? .null, "transcript": transcript(talk.turns),
            "marks": byTurn(talk.marks.mapValues { $0.map(mark) }),
            "questions": byTurn(talk.corrections.mapValues { $0.map(correction) }),
        ]
    }

    static func summary(_ summary: SessionSummary) -> JSONValue {
        .object([
            "strengths": texts(summary.strengths),
            "weaknesses": .object(summary.weaknesses.mapValues { $0.map { text($0) } ?? .null }),
            "level_assessment": summary.levelAssessment.map { text($0) } ?? .null, "overall": text(summary.overall),
        ])
    }

    static func profile(_ profile: Profile) -> JSONValue {
        let data = profile.profileData
        return .object([
            "level": profile.level.map { .string($0.rawValue) } ?? .null,
            "learning_goal": profile.learningGoal.map { text($0) } ?? .null,
            "weak_points": weakPoints(data.weakPoints), "common_errors": texts(data.commonErrors),
            "progress_notes": text(data.progressNotes), "learned_expressions": texts(data.learnedExpressions),
            "personal_facts": texts(data.personalFacts),
            "quick_review": .array(
                data.quickReview.map { .object(["chinese": text($0.chinese), "english": text($0.english)]) }),
        ])
    }

    static func weakPoints(_ points: [String: [WeakPoint]]) -> JSONValue {
        .object(
            points.mapValues { points in
                .array(
                    points.map { point in
                        let examples = point.examples.map { example -> JSONValue in
                            .object(["wrong": text(example.wrong), "correct": text(example.correct)])
                        }
                        return .object(["pattern": text(point.pattern), "examples": .array(examples)])
                    })
            })
    }

    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(text)) }

    static func text(_ text: String) -> JSONValue { .string(String(text.prefix(maximumTextLength))) }
}
