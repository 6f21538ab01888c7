import Foundation
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

@Suite struct BuiltInReviewScriptTests {
    private func script(_ examples: [(String, String)], hasErrors: Bool = true, seed: UInt64 = 1) -> ReviewScript {
        let point = WeakPoint(pattern: "動詞時態", examples: examples.map { .init(wrong: $0.0, correct: $0.1) })
        let brief = TalkBrief(
            mode: .review, topic: nil, weakPoints: examples.isEmpty ? [:] : ["grammar": [point]],
            now: Timestamp("2026-11-23T08:00:00.000Z")!)
        return ReviewScript(
            brief, texts: .bundled, timeZone: TimeZone(identifier: "UTC")!, hasErrors: { _ in hasErrors },
            random: SeededGenerator(seed: seed))
    }

    @Test func newestMistakeIsDrilledFirst() {
        var script = script([("He go home.", "He goes home."), ("I go yesterday.", "I went yesterday.")])

        let greeting = script.greeting()

        #expect(greeting.text.contains("I went yesterday."))
        #expect(greeting.choices.contains("I went yesterday."))
    }

    @Test func ownSentencesAreAskedForFirst() {
        let point = WeakPoint(pattern: "動詞時態", examples: [.init(wrong: "He go home.", correct: "He goes home.")])
        var brief = TalkBrief(
            mode: .review, topic: nil, weakPoints: ["grammar": [point]], now: Timestamp("2026-11-23T08:00:00.000Z")!)
        brief.cards = [
            .init(wrong: "I goed out.", correct: "I went out."), .init(wrong: "He go home.", correct: "He goes home."),
        ]
        for seed in 1...5 as ClosedRange<UInt64> {
            var script = ReviewScript(
                brief, texts: .bundled, timeZone: TimeZone(identifier: "UTC")!, hasErrors: { _ in true },
                random: SeededGenerator(seed: seed))
            let first = script.greeting()
            // The right sentence is among the choices, and not said.
            #expect(first.text.contains("“I goed out.”") && !first.text.contains("I went out."))
            #expect(Set(first.choices) == ["I went out.", "I goed out."])
            let second = script.answer("I went out.")
            #expect(second.text.contains("“He go home.”") && !second.text.contains("He goes home."))
            #expect(script.answer("He goes home.").text.contains("2 of 2"))
        }
    }

    @Test func rightAnswerIsPraisedAndCounted() {
        var script = script([("He go home.", "He goes home."), ("I go yesterday.", "I went yesterday.")])
        _ = script.greeting()

        #expect(script.answer("I went yesterday").text.contains("He goes home."))
        let end = script.answer("Okay: he goes home!")

        #expect(end.text.contains("2 of 2"))
    }

    @Test func wrongAnswerIsRepeatedOnce() {
        var script = script([("He go home.", "He goes home."), ("I go yesterday.", "I went yesterday.")])
        _ = script.greeting()

        let first = script.answer("I go yesterday.")
        #expect(first.text.contains("“I went yesterday.”") && first.choices == ["I went yesterday."])
        let second = script.answer("I goed yesterday.")

        #expect(second.text.contains("He goes home."))
        #expect(script.answer("He goes home.").text.contains("1 of 2"))
    }

    @Test func otherCorrectSentenceIsAccepted() {
        var script = script([("I go yesterday.", "I went yesterday.")], hasErrors: false)
        _ = script.greeting()

        #expect(script.answer("I left the day before.").text.contains("no mistake"))
    }

    @Test func learnerWithoutWeakPointsPractisesCommonMistakes() {
        var script = script([])
        var reply = script.greeting()
        #expect(reply.text.contains("no weak points"))
        var turnCount = 0
        while !reply.text.contains("That's all for today"), turnCount < 50 {
            turnCount += 1
            reply = script.answer(reply.choices[0])
        }

        #expect((10...20).contains(turnCount))
        #expect(!script.answer("Anything else?").text.isEmpty)
    }

    @Test func sessionEndsOnGoodbye() {
        var script = script([("He go home.", "He goes home."), ("I go yesterday.", "I went yesterday.")])
        _ = script.greeting()

        #expect(script.answer("Goodbye!").text.contains("That's all for today"))
    }

    @Test func uselessExamplesAreSkipped() {
        var script = script([("Same.", "Same!"), ("我", "你"), ("", ""), ("I has it.", "I have it.")])

        #expect(script.greeting().text.contains("I have it."))
        #expect(script.answer("I have it.").text.contains("1 of"))
    }
}
