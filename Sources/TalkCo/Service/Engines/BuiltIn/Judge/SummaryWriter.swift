import TalkCoWire

/// The summary of a talk from countable facts, in Traditional Chinese.
///
/// Sentences that the learner read aloud are the tutor's own: they are counted, and neither judged nor praised. If the rules found
/// nothing, the summary says so, and never that everything is right: the rules know only a part of all mistakes.
struct SummaryWriter {
    /// Minimum length of a sentence in which the rules can see mistakes, in words.
    private static let minimumWordCount = 5
    /// Minimum count of such sentences for the summary to report the share without marks.
    private static let minimumSentenceCount = 4

    private let talk: ReviewedTalk
    private let rules: EnglishRules
    /// The turns in which the learner spoke English.
    private let spoken: [TalkTurn]
    /// The English turns in the learner's own words.
    private let own: [TalkTurn]
    /// The figures of the learner's own words.
    private let figures: TalkFigures

    init(_ talk: ReviewedTalk, rules: EnglishRules, texts: TutorTexts) {
        self.talk = talk
        self.rules = rules
        spoken = talk.turns.filter { rules.isEnglish($0.learner) }
        own = spoken.filter { !texts.isOffered($0.learner) }
        figures = TalkFigures(own.map(\.learner), rules: rules)
    }

    var summary: SessionSummary {
        SessionSummary(strengths: strengths, weaknesses: weaknesses, levelAssessment: levelAssessment, overall: overall)
    }

    /// The corrected sentences of the talk as exercises.
    var quickReview: [QuickReview] {
        var reviews: [QuickReview] = []
        for (turn, mark) in marked {
            guard let example = Self.example(of: mark, in: turn.learner, rules: rules),
                !reviews.contains(where: { $0.english == example.correct })
            else { continue }
            reviews.append(QuickReview(chinese: "「\(example.wrong)」怎麼說才對？", english: example.correct))
        }
        return Array(reviews.suffix(QuickReview.maximumCount))
    }

    /// Returns the sentence around a mark, wrong and right; nil if the mark does not occur in the text.
    static func example(of mark: Mark, in text: String, rules: EnglishRules) -> WeakPoint.Example? {
        example(mark.original, mark.suggestion, in: text, rules: rules)
    }

    /// Returns the sentence around a draft of a mark, wrong and right; nil if the sentence is too long to be said from memory.
    static func card(of mark: MarkDraft, in text: String, rules: EnglishRules) -> WeakPoint.Example? {
        guard let example = example(mark.original, mark.suggestion, in: text, rules: rules) else { return nil }
        let (wrong, right) = (ChoiceGrammar.words(of: example.wrong), ChoiceGrammar.words(of: example.correct))
        let isShort = (2...20).contains(right.count) && example.wrong.unicodeScalars.count <= 200
        return isShort && example.correct.unicodeScalars.count <= 200 && wrong != right ? example : nil
    }

    private static func example(
        _ original: String, _ suggestion: String, in text: String, rules: EnglishRules
    ) -> WeakPoint.Example? {
        let sentence = SpokenSentences.of(text).first { $0.contains(original) } ?? text
        guard let range = sentence.ranges(of: original).first, !original.isEmpty else { return nil }
        var correct = sentence
        correct.replaceSubrange(range, with: suggestion)
        correct = rules.corrected(correct)
        return correct == sentence ? nil : WeakPoint.Example(wrong: sentence, correct: correct)
    }

    private var marked: [(TalkTurn, Mark)] {
        talk.turns.flatMap { turn in (talk.marks[turn.index] ?? []).map { (turn, $0) } }
    }

    /// True if the learner's own words are fewer than a level needs: too few to judge.
    private var saysLittle: Bool {
        let words = rules.levelWords(in: own.map(\.learner))
        return words.count < words.needed
    }

    private var strengths: [String] {
        guard !spoken.isEmpty else { return [] }
        let readCount = spoken.count - own.count
        var strengths: [String] = []
        if own.isEmpty {
            return ["這次你念了 \(readCount) 句提示的句子。"]
        }
        strengths.append(
            "這次你用英文回答了 \(spoken.count) 次" + (readCount > 0 ? "，其中 \(readCount) 次是念提示的句子" : "")
                + "。自己說了 \(figures.wordCount) 個字，用到 \(figures.distinctWordCount) 個不同的單字。")
        let long = own.filter { ChoiceGrammar.words(of: $0.learner).count >= Self.minimumWordCount }
        let clean = long.filter { (talk.marks[$0.index] ?? []).isEmpty }
        if long.count >= Self.minimumSentenceCount, !clean.isEmpty, clean.count < long.count {
            strengths.append("\(long.count) 次較長的回答裡，有 \(clean.count) 次沒有看出錯誤。")
        }
        if figures.connectives.count > 1 {
            strengths.append("會用 \(Self.list(figures.connectives)) 連接句子，內容更完整。")
        }
        if figures.pastVerbs.count > 1 { strengths.append("能用過去式談發生過的事，例如 \(Self.list(figures.pastVerbs))。") }
        if !figures.expressions.isEmpty { strengths.append("用到了道地的說法：\(Self.list(figures.expressions))。") }
        if figures.wordsPerSentence >= 9 { strengths.append("句子有足夠的長度，平均每句約 \(Int(figures.wordsPerSentence.rounded())) 個字。") }
        return strengths
    }

    private var weaknesses: [String: String?] {
        var weaknesses: [String: String?] = [:]
        for type in IssueType.allCases {
            let marks = marked.map(\.1).filter { $0.issueTypes.contains(type.rawValue) }
            guard !marks.isEmpty else {
                weaknesses[type.rawValue] = .some(nil)
                continue
            }
            let examples = marks.prefix(3).map { "「\($0.original)」→「\($0.suggestion)」" }.joined(separator: "、")
            let advice =
                switch type {
                case .grammar: "文法上有 \(marks.count) 處可以改進"
                case .naturalness: "有 \(marks.count) 處可以說得更自然"
                case .vocabulary: "有 \(marks.count) 處可以換更合適的字"
                case .sentenceStructure: "有 \(marks.count) 處的句子結構要調整"
                }
            weaknesses[type.rawValue] = "\(advice)：\(examples)。"
        }
        return weaknesses
    }

    private var levelAssessment: String {
        guard let level = rules.level(of: own.map(\.learner))?.level else { return "這次自己說的話還太少，無法判斷程度。下次多說幾句吧！" }
        let description =
            switch level {
            case .a1: "能用簡單的字和短句回答問題"
            case .a2: "能用簡單的句子談自己和日常的事"
            case .b1: "能用連貫的句子說明經驗和理由"
            case .b2: "能用多樣的句型清楚表達看法"
            case .c1, .c2: "能流暢地用複雜的句子表達想法"
            }
        return "依照句子長度、句型、用字和錯誤的比例估計，這次的表現大約是 \(level.rawValue)：\(description)。這是規則的估計，僅供參考。"
    }

    private var overall: String {
        let topic = talk.topic.map { "「\($0.labelZh)」" } ?? "這個主題"
        let count = marked.count
        let others = talk.turns.count - spoken.count
        if spoken.isEmpty { return "這次關於\(topic)的對話裡沒有聽到英文，所以沒有可以評量的句子。下次試著用英文說，幾個簡單的字也很好！" }
        let note = others > 0 ? "另外有 \(others) 次不是英文，沒有列入評量。" : ""
        if count == 0 {
            if own.isEmpty { return "這次關於\(topic)的對話都是念提示的句子，所以沒有可以評量的句子。\(note)下次試著用自己的話回答！" }
            let found = saysLittle ? "自己說的英文還太少，看不出有沒有錯誤。" : "規則沒有標出錯誤。規則只找得到常見的錯誤，不代表每一句都對；不確定的句子可以提問。"
            return "這次關於\(topic)的對話，\(found)\(note)\(others > 0 ? "下次試著全部用英文說。" : "下次試著多說一些理由和細節。")"
        }
        let counts = Dictionary(grouping: marked.flatMap(\.1.issueTypes)) { $0 }.mapValues(\.count)
        let worst = IssueType.allCases.max { (counts[$0.rawValue] ?? 0) < (counts[$1.rawValue] ?? 0) } ?? .grammar
        let names: [IssueType: String] = [.grammar: "文法", .naturalness: "自然度", .vocabulary: "詞彙", .sentenceStructure: "句構"]
        return "你完成了關於\(topic)的對話，規則標出了 \(count) 處可以改進的地方，主要是\(names[worst] ?? "文法")。\(note)把改好的句子念幾次，下次就會更順。"
    }

    private static func list(_ words: [String]) -> String { words.prefix(4).joined(separator: "、") }
}

/// Notes on a learner's progress, in Traditional Chinese.
struct ProgressNotes {
    let text: String

    init(_ record: LearnerRecord, figures: TalkFigures) {
        let data = record.profile.profileData
        guard figures.wordCount > 0 || data.sessionCount > 0 else {
            text = "還沒有完成的對話。選一個主題，開始第一次練習吧！"
            return
        }
        var notes = [
            "目前完成了 \(data.sessionCount) 次對話，最近一共說了 \(figures.wordCount) 個字、\(figures.sentences.count) 句話，平均每句 \(Int(figures.wordsPerSentence.rounded())) 個字。"
        ]
        let points = data.weakPoints.values.joined().sorted { ($1.examples.count, $0.pattern) < ($0.examples.count, $1.pattern) }
        if let first = points.first {
            notes.append("最常出現的問題是「\(first.pattern)」" + (points.dropFirst().first.map { "和「\($0.pattern)」" } ?? "") + "，可以用複習模式練習。")
        } else {
            notes.append("目前沒有記錄到反覆出現的錯誤。")
        }
        if !figures.expressions.isEmpty { notes.append("用過的說法有：\(figures.expressions.prefix(5).joined(separator: "、"))。") }
        if figures.wordsPerSentence < 7 { notes.append("建議：回答時加上 because 或 for example，把句子說長一點。") }
        text = notes.joined()
    }
}
