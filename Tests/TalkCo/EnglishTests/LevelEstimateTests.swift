import Testing

@testable import TalkCoEnglish

@Suite struct LevelEstimateTests {
    private static let beginner = [
        "My name is Amy.", "I am a student.", "I like cats.", "I have a dog.", "My dog is big.", "I go to school.",
        "I like my school.", "It is good.",
        "I eat rice.",
    ]
    private static let elementary = [
        "Last weekend I went to the beach with my friends.", "The weather was good and we ate some seafood.",
        "I like the beach because it is near my home.", "I usually get up at seven and take the bus to work.",
        "My job is busy, but I like it.",
        "I want to visit Japan next year.",
    ]
    private static let intermediate = [
        "I've been working as an engineer for five years, and I think my job is challenging but interesting.",
        "When I was in college, I used to work part-time in a café because I needed to save money.",
        "If I have enough time, I would like to study abroad and improve my English.",
        "My manager told me that I should communicate with customers more often, so I'm trying to practice every day.",
    ]
    private static let advanced = [
        "Although remote work has undoubtedly increased productivity, I would argue that it undermines "
            + "the spontaneous collaboration which innovation depends on.",
        "Had the government implemented more comprehensive regulations earlier, the controversy that is "
            + "dominating the news might have been avoided.",
        "What strikes me most is that people who advocate sustainable consumption are often reluctant "
            + "to compromise their own convenience.",
        "Having been exposed to diverse perspectives while I was studying overseas, I tend to be "
            + "skeptical of arguments that rely on superficial assumptions.",
        "It could be claimed that inequality is inevitable, but I believe that subsidies and "
            + "progressive taxation can alleviate its consequences to a considerable extent.",
        "Whether such incentives will be sufficient remains to be seen, since consumers rarely behave "
            + "in the way that economists anticipate.",
    ]

    @Test func fewWordsGiveNoEstimate() {
        #expect(LevelEstimate(of: []) == nil)
        #expect(LevelEstimate(of: ["I like cats.", "我很好", "😀"]) == nil)
    }

    @Test func estimatesGrowWithTheLanguage() throws {
        let levels = try [Self.beginner, Self.elementary, Self.intermediate, Self.advanced].map {
            try #require(LevelEstimate(of: $0)).level
        }
        #expect(Array(levels.prefix(3)) == [.a1, .a2, .b1])
        #expect(levels[3] >= .c1)
    }

    @Test func orderOfSentencesDoesNotMatter() {
        #expect(LevelEstimate(of: Self.intermediate)?.level == LevelEstimate(of: Self.intermediate.reversed())?.level)
    }

    @Test func errorsLowerTheEstimate() throws {
        let wrong = Self.intermediate.map { $0 + " She have many friend. I am agree. He go home. I very like it." }
        let (right, lower) = (try #require(LevelEstimate(of: Self.intermediate)), try #require(LevelEstimate(of: wrong)))
        #expect(lower.level < right.level)
    }

    @Test func evidenceQuotesTheLearner() throws {
        let sentences = Self.intermediate + ["She have many friend in Taipei."]
        let estimate = try #require(LevelEstimate(of: sentences))
        #expect((1...3).contains(estimate.evidence.count))
        #expect(estimate.evidence.allSatisfy { sentences.contains($0.sentence) && !$0.reason.isEmpty })
        #expect(Set(estimate.evidence.map(\.sentence)).count == estimate.evidence.count)
        #expect(estimate.evidence.contains { $0.reason.contains("has") })
    }
}
