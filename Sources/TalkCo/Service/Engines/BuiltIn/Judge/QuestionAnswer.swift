import TalkCoEnglish
import TalkCoWire

/// The answer to a question about a segment, by rules: in Traditional Chinese or English, as the question.
struct QuestionAnswer {
    private enum Intent {
        case why, meaning, other, check, pronunciation, translation, general
    }

    private let rules: EnglishRules
    private let texts: TutorTexts
    private let question: String
    private let sentence: String
    private let findings: [Finding]
    private let marks: [Mark]
    private let inChinese: Bool

    init(_ question: String, about turn: TalkTurn, marks: [Mark], rules: EnglishRules, texts: TutorTexts) {
        (self.rules, self.texts) = (rules, texts)
        self.question = question.lowercased()
        self.marks = marks
        sentence = turn.learner
        findings = rules.findings(in: turn.learner)
        inChinese = question.unicodeScalars.contains { 0x3400...0x9FFF ~= $0.value }
    }

    var draft: CorrectionDraft {
        switch intent {
        case .why: CorrectionDraft(correction: better, explanation: reasons ?? nothingFound)
        case .meaning:
            CorrectionDraft(
                correction: better,
                explanation: text(
                    "內建的規則沒有字典，無法說明單字的意思；這類問題需要連接語言模型。" + (reasons.map { "不過關於這句話：\($0)" } ?? "這句話的文法沒有發現問題。"),
                    "The built-in rules have no dictionary, so they cannot explain what a word means; that needs a language model. "
                        + (reasons.map { "About the sentence itself: \($0)" } ?? "They found no mistake in your sentence.")))
        case .other: other
        case .check: CorrectionDraft(correction: better, explanation: reasons ?? nothingFound)
        case .pronunciation:
            CorrectionDraft(
                correction: better,
                explanation: text(
                    "請按播放鈕聽這句話的發音，再跟著念一次。內建的規則無法評估發音。",
                    "Play the sentence to hear how it sounds, and then repeat it. The built-in rules cannot judge pronunciation."))
        case .translation:
            CorrectionDraft(
                correction: better,
                explanation: text(
                    "內建的規則不會翻譯；翻譯需要連接語言模型。上面是這句話正確的英文。",
                    "The built-in rules cannot translate; that needs a language model. Above is your sentence in good English."))
        case .general:
            CorrectionDraft(
                correction: better,
                explanation: reasons
                    ?? text(
                        nothingFound + "我可以回答「為什麼」、「這樣說對嗎」和「還有別的說法嗎」這類問題；其他問題需要連接語言模型。",
                        nothingFound
                            + " I can answer questions such as “Why?”, “Is this right?” and “Is there another way to say it?”. Others need a language model."
                    ))
        }
    }

    private var intent: Intent {
        let intents: [(Intent, [String])] = [
            (
                .other,
                [
                    "另一種", "其他說法", "別的說法", "別種", "換句話", "還可以怎麼", "怎麼說更", "更自然", "更好", "another way", "other way", "else can i say",
                    "rephrase", "more natural", "better way", "say it differently", "sound better",
                ]
            ),
            (.meaning, ["意思", "什麼是", "mean", "definition", "what is a ", "差別", "差異", "不同", "difference"]),
            (.translation, ["翻譯", "中文怎麼", "英文怎麼", "translate", "in chinese"]),
            (.pronunciation, ["發音", "怎麼念", "怎麼唸", "pronounce", "pronunciation"]),
            (.why, ["為什麼", "為何", "原因", "為啥", "why", "reason", "explain", "解釋", "說明"]),
            (.check, ["對嗎", "正確", "對不對", "可以這樣", "有錯", "錯在", "哪裡錯", "correct", "right", "wrong", "mistake", "ok?", "okay"]),
        ]
        return intents.first { $0.1.contains { question.contains($0) } }?.0 ?? .general
    }

    /// The learner's words with every known correction.
    private var better: String {
        var text = sentence
        for mark in marks {
            if let range = text.range(ofFirst: mark.original) { text.replaceSubrange(range, with: mark.suggestion) }
        }
        return rules.corrected(text)
    }

    private var reasons: String? {
        if inChinese {
            var reasons = marks.map { "「\($0.original)」改成「\($0.suggestion)」：\($0.explanation)" }
            for finding in findings where !marks.contains(where: { $0.original.contains(finding.original) }) {
                reasons.append("「\(finding.original)」改成「\(finding.suggestion)」：\(finding.explanation)")
            }
            return reasons.isEmpty ? nil : reasons.joined(separator: "\n")
        }
        var reasons: [String] = []
        for finding in findings {
            reasons.append("“\(finding.original)” should be “\(finding.suggestion)”. \(texts.patterns.of(finding).english)")
        }
        for mark in marks where !findings.contains(where: { mark.original.contains($0.original) }) {
            reasons.append("“\(mark.original)” should be “\(mark.suggestion)”. In Chinese: \(mark.explanation)")
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: "\n")
    }

    private var nothingFound: String {
        text("規則在這句話裡沒有找到錯誤，可以這樣說。", "The rules found no mistake in this sentence; you can say it like that.")
    }

    private var other: CorrectionDraft {
        // A replacement that the rules mark is not offered.
        let others = Rephrasing.of(better, texts.rephrasings).filter { rules.findings(in: $0).isEmpty }
        guard let first = others.first else {
            return CorrectionDraft(
                correction: better,
                explanation: text(
                    "內建的規則對這句話沒有其他說法的建議。上面是正確的句子。",
                    "The built-in rules know no other way to say this sentence. Above is the correct one."))
        }
        let rest = others.dropFirst().first
        return CorrectionDraft(
            correction: first,
            explanation: text(
                "也可以這樣說。" + (rest.map { "或是：\($0)" } ?? "") + (reasons.map { "\n\($0)" } ?? ""),
                "You could also say it like this." + (rest.map { " Or: \($0)" } ?? "") + (reasons.map { "\n\($0)" } ?? "")))
    }

    private func text(_ chinese: String, _ english: String) -> String { inChinese ? chinese : english }
}

extension String {
    /// Returns the first occurrence of a text; nil if the text is empty or does not occur.
    fileprivate func range(ofFirst text: String) -> Range<String.Index>? {
        text.isEmpty ? nil : ranges(of: text).first
    }
}
