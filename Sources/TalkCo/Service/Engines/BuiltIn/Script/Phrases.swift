/// Draws phrases at random, without repeating one before the others of its list were drawn.
struct Phrases: Sendable {
    private var random: any RandomNumberGenerator & Sendable
    private var used: Set<String> = []

    init(random: any RandomNumberGenerator & Sendable) {
        self.random = random
    }

    mutating func draw(_ list: [String]) -> String {
        var fresh = list.filter { !used.contains($0) }
        if fresh.isEmpty {
            used.subtract(list)
            fresh = list
        }
        let phrase = pick(fresh) ?? ""
        used.insert(phrase)
        return phrase
    }

    mutating func pick<Element>(_ list: [Element]) -> Element? { list.randomElement(using: &random) }

    mutating func shuffled<Element>(_ list: [Element]) -> [Element] { list.shuffled(using: &random) }

    /// True in one of `count` cases.
    mutating func occurs(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}
