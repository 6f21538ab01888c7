import AudioKit
package import Foundation
import WireKit

/// The words of the stand-ins: sensible enough for a whole session.
package enum StandInTutor {
    /// The sentences that the stand-ins hear, one after another. The judge of the stand-ins finds the mistakes in the first ones.
    package static let transcripts = [
        "I very like to travel with my family.",
        "Yesterday I go to the night market and eat many snack.",
        "I am agree with you, the food is delicious.",
        "My sister she work in a hospital.",
        "Next year we will visit Japan in spring.",
    ]

    package static let greeting = "Hello! It is good to see you. What would you like to talk about today?"

    private static let answers = [
        "That sounds wonderful! Where did you go last time?", "I see. What did you like best about it?",
        "Interesting! How often do you do that?", "That makes sense. Could you tell me a little more?",
        "Lovely. What are you going to do next?",
    ]

    package static func answer(_ number: Int) -> String { answers[number % answers.count] }

    /// A tone as long as the text would take to say: 50 ms for each character, in PCM of 24 kHz.
    package static func voice(_ text: String, sampleRate: Int = 24_000) -> Data {
        let count = max(text.count, 1) * sampleRate / 20
        var samples: [Int16] = []
        samples.reserveCapacity(count)
        for index in 0..<count {
            let time = Double(index) / Double(sampleRate)
            // Rises and falls with each character, so that it is heard as syllables.
            let envelope = abs(sin(time * .pi * 4))
            samples.append(Int16(6_000 * envelope * sin(time * 2 * .pi * 220)))
        }
        return PCM16.data(samples)
    }
}

/// The judge of the stand-ins: finds a few mistakes by their words.
enum StandInJudge {
    private static let mistakes: [(wrong: String, right: String, type: String, why: String)] = [
        ("very like", "really like", "naturalness", "「很喜歡」的英文是 really like,very 不能直接修飾動詞。"),
        ("Yesterday I go", "Yesterday I went", "grammar", "昨天發生的事要用過去式 went。"),
        ("am agree", "agree", "grammar", "agree 是動詞,前面不需要 be 動詞。"),
        ("My sister she work", "My sister works", "sentence_structure", "主詞不要重複,第三人稱單數動詞加 s。"),
    ]

    /// The answer to a question, by the JSON that its instructions ask for.
    static func answer(_ instructions: String, _ data: JSONValue) -> JSONValue? {
        func asks(_ key: String) -> Bool { instructions.contains("JSON only: {\"\(key)\"") }
        let turns = list(data, "transcript")
        if asks("marks") { return .object(["marks": .array(turns.compactMap(mark))]) }
        if asks("correction") {
            let learner = text(member(data, "segment"), "learner")
            let fixed = mistakes.reduce(learner) { $0.replacing($1.wrong, with: $1.right) }
            let isEnglish = text(data, "question").unicodeScalars.allSatisfy(\.isASCII)
            return .object([
                "correction": .string(fixed),
                "explanation": .string(isEnglish ? "This is how a native speaker would say it." : "母語人士會這樣說。"),
            ])
        }
        if asks("strengths") {
            let found = turns.compactMap(mark).count
            return .object([
                "strengths": .array([.string("你說了 \(turns.count) 句話,表達清楚。")]),
                "weaknesses": .object([
                    "grammar": found > 0 ? .string("注意動詞時態。") : .null, "naturalness": .null, "vocabulary": .null,
                    "sentence_structure": .null,
                ]),
                "level_assessment": .string("整體表現接近 B1。"), "overall": .string("今天練習得很好,下次試著多說過去的經驗。"),
            ])
        }
        if asks("summary") {
            return .object(["summary": .string("The learner talked about \(turns.count) things. The talk ended kindly.")])
        }
        if asks("level") {
            let evidence: [JSONValue] = turns.prefix(1).map {
                .object(["sentence": .string(text($0, "learner")), "reason": .string("能說完整的句子。")])
            }
            let sentences = list(data, "sentences_of_the_learner_newest_first").prefix(1)
            guard instructions.contains("profile_data") else {
                let evidence: [JSONValue] = sentences.map { .object(["sentence": $0, "reason": .string("能說完整的句子。")]) }
                return .object(["level": .string("B1"), "evidence": .array(evidence)])
            }
            return profile(turns, evidence)
        }
        if asks("progress_notes") { return .object(["progress_notes": .string("你最近進步很多,繼續練習過去式。")]) }
        if asks("quick_review") {
            return .object([
                "quick_review": .array([.object(["chinese": .string("我很喜歡旅行。"), "english": .string("I really like traveling.")])])
            ])
        }
        if asks("practiced") {
            let patterns = (member(data, "weak_points")?.objectMembers ?? [:]).values.flatMap { points -> [JSONValue] in
                guard case .array(let list) = points else { return [] }
                return list.map { .string(text($0, "pattern")) }
            }
            return .object(["practiced": .array(patterns), "notes": .string("The past tense works now. Repeat the articles.")])
        }
        return nil
    }

    private static func profile(_ turns: [JSONValue], _ evidence: [JSONValue]) -> JSONValue {
        let examples = turns.compactMap(mark).map { mark -> JSONValue in
            .object(["wrong": .string(text(mark, "original")), "correct": .string(text(mark, "suggestion"))])
        }
        return .object([
            "level": .string("B1"), "level_evidence": .array(evidence),
            "profile_data": .object([
                "weak_points": .object([
                    "grammar": .array(
                        examples.isEmpty ? [] : [.object(["pattern": .string("動詞形式"), "examples": .array(examples)])])
                ]),
                "common_errors": .array([.string("過去式")]), "progress_notes": .string("持續進步中。"),
                "learned_expressions": .array([.string("really like")]),
                "personal_facts": .array([.string("Likes traveling with the family")]),
            ]),
        ])
    }

    private static func mark(_ turn: JSONValue) -> JSONValue? {
        let learner = text(turn, "learner")
        guard let mistake = mistakes.first(where: { learner.contains($0.wrong) }), let index = member(turn, "turn_index") else {
            return nil
        }
        return .object([
            "turn_index": index, "issue_types": .array([.string(mistake.type)]), "original": .string(mistake.wrong),
            "suggestion": .string(mistake.right), "explanation": .string(mistake.why),
        ])
    }

    private static func member(_ value: JSONValue?, _ key: String) -> JSONValue? { value?.objectMembers?[key] }

    private static func text(_ value: JSONValue?, _ key: String) -> String {
        guard case .string(let text)? = member(value, key) else { return "" }
        return text
    }

    private static func list(_ value: JSONValue, _ key: String) -> [JSONValue] {
        guard case .array(let list)? = member(value, key) else { return [] }
        return list
    }
}

extension JSONValue {
    var objectMembers: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var array: [JSONValue]? {
        guard case .array(let list) = self else { return nil }
        return list
    }

    subscript(_ key: String) -> JSONValue? { objectMembers?[key] }
}
