import EnglishKit

/// A family of rules: the name of a weak point, and its explanation in English.
struct RulePattern: Hashable, Sendable {
    /// In Traditional Chinese.
    var title: String
    /// A sentence.
    var english: String

    /// The family of a rule, by the first part of its name; by the kind for an unknown one.
    static func of(_ rule: String, kind: FindingKind) -> RulePattern {
        let family = String(rule.prefix { $0 != "." })
        return special[rule] ?? families[family] ?? kinds[kind]
            ?? RulePattern(title: "文法", english: "The grammar needs a change here.")
    }

    static func of(_ finding: Finding) -> RulePattern { of(finding.rule, kind: finding.kind) }

    private static let special: [String: RulePattern] = [
        "double.although-but": RulePattern(
            title: "although / because 不與 but / so 連用",
            english: "English uses only one of the two: “although” or “but”, “because” or “so”."),
        "double.because-so": RulePattern(
            title: "although / because 不與 but / so 連用",
            english: "English uses only one of the two: “although” or “but”, “because” or “so”."),
        "comparison.double": RulePattern(title: "比較級與最高級", english: "A comparison is marked once: “better”, not “more better”."),
    ]

    private static let families: [String: RulePattern] = [
        "agreement": RulePattern(title: "主詞與動詞一致", english: "The verb has to agree with its subject: he goes, they go."),
        "article": RulePattern(
            title: "冠詞 a / an / the", english: "A singular noun that can be counted needs an article or a similar word."),
        "clause": RulePattern(
            title: "There is / There are 句型",
            english: "After “there is …” a second verb needs “who” or “which”, or the ending -ing."),
        "existential": RulePattern(
            title: "There is / There are 句型",
            english: "Say “there is” or “there are” for things that exist somewhere, not “there have”."),
        "comparison": RulePattern(
            title: "比較級與最高級", english: "Short adjectives take -er and -est, long ones take “more” and “most”."),
        "double": RulePattern(title: "多餘的字", english: "One of these words says the same as another one and has to go."),
        "gerund": RulePattern(title: "動名詞與不定詞", english: "Some verbs are followed by -ing, others by “to” and the base form."),
        "infinitive": RulePattern(title: "動名詞與不定詞", english: "Some verbs are followed by -ing, others by “to” and the base form."),
        "missing": RulePattern(
            title: "缺少必要的字", english: "A word is missing that English needs here, such as a form of “be” or a subject."),
        "plural": RulePattern(
            title: "名詞單複數", english: "The noun has the wrong number: more than one needs the plural, and some nouns have none."),
        "preposition": RulePattern(title: "介系詞", english: "English uses another preposition here, or none."),
        "time": RulePattern(title: "時間介系詞", english: "English says “on” for days, “in” for months and years, and “at” for times."),
        "pronoun": RulePattern(title: "代名詞", english: "The pronoun has the wrong form here."),
        "question": RulePattern(
            title: "疑問句結構", english: "A question needs “do”, “does”, “did” or a form of “be” before the subject."),
        "tense": RulePattern(title: "動詞時態", english: "The tense does not fit the time that the sentence names."),
        "verb": RulePattern(title: "動詞形式", english: "The verb needs another form after the word before it."),
        "order": RulePattern(title: "語序", english: "These words stand in another order in English."),
        "collocation": RulePattern(title: "字詞搭配", english: "English puts other words together here."),
        "word": RulePattern(title: "用字", english: "Another word fits the meaning better."),
        "spelling": RulePattern(title: "拼字", english: "The word is written in another way."),
        "natural": RulePattern(title: "自然的說法", english: "It is understandable, but people would say it in another way."),
    ]

    private static let kinds: [FindingKind: RulePattern] = [
        .grammar: RulePattern(title: "文法", english: "The grammar needs a change here."),
        .naturalness: RulePattern(title: "自然的說法", english: "It is understandable, but people would say it in another way."),
        .vocabulary: RulePattern(title: "用字", english: "Another word fits the meaning better."),
        .sentenceStructure: RulePattern(title: "句子結構", english: "The sentence is built in another way in English."),
    ]
}
