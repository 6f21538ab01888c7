/// A random choice of phrases, which repeats none before all others of its list were drawn.
struct Phrases: Sendable {
    private let lists: [Phrase: [String]]
    private var random: any RandomNumberGenerator & Sendable
    private var used: [Phrase: Set<String>] = [:]
    private var usedAnswers: Set<String> = []

    init(_ lists: [Phrase: [String]], random: any RandomNumberGenerator & Sendable) {
        self.lists = lists
        self.random = random
    }

    /// Returns the sentences of a list.
    func all(_ phrase: Phrase) -> [String] { lists[phrase] ?? [] }

    /// Draws a phrase of a list, and replaces the names in braces with values.
    mutating func draw(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
        if let fresh = drawFresh(phrase, values) { return fresh }
        used[phrase] = nil
        return drawFresh(phrase, values) ?? ""
    }

    /// Draws a phrase that was not drawn before; nil if none is left.
    mutating func drawFresh(_ phrase: Phrase, _ values: [String: String] = [:]) -> String? {
        drawFresh(all(phrase), of: phrase)?.filled(values)
    }

    /// Draws one of an inquiry's answers; the first one again when all were drawn.
    mutating func draw(_ inquiry: Inquiry) -> String {
        let fresh = inquiry.answers.filter { !usedAnswers.contains($0) }
        guard let answer = fresh.randomElement(using: &random) ?? inquiry.answers.first else { return "" }
        usedAnswers.insert(answer)
        return answer
    }

    private mutating func drawFresh(_ list: [String], of phrase: Phrase) -> String? {
        guard let sentence = list.filter({ !(used[phrase] ?? []).contains($0) }).randomElement(using: &random) else { return nil }
        used[phrase, default: []].insert(sentence)
        return sentence
    }

    mutating func shuffled<Element>(_ list: [Element]) -> [Element] { list.shuffled(using: &random) }

    /// Returns true in one of `count` cases, at random.
    mutating func occurs(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}
