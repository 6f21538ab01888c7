import MarkdownKit
import Testing

/// Thoughts in an answer, whatever the tags and however the text arrives.
@Suite struct ThoughtFilterTests {
    /// The answer to a text in pieces of `size` scalars, as a client puts it together.
    private func answer(_ text: String, size: Int, startsInThoughts: Bool = false) -> String {
        var filter = ThoughtFilter(startsInThoughts: startsInThoughts)
        var (answer, rest) = ("", Array(text.unicodeScalars)[...])
        var outputs: [ThoughtFilter.Output] = []
        while !rest.isEmpty {
            outputs += filter.receive(String(String.UnicodeScalarView(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
        for output in outputs + filter.finish() {
            switch output {
            case .text(let text): answer += text
            case .thought: break
            case .withdraw: answer = ""
            }
        }
        return answer
    }

    private static let cases: [(String, String)] = [
        ("<think>hm</think>\n\nYes.", "Yes."), ("<THINK>hm</Think>Yes.", "Yes."), ("\n <think>\n\n</think>\n\nYes.", "Yes."),
        ("<thinking>a < b</thinking> Yes.", "Yes."), ("<think>a</think><think>b</think>Yes.", "Yes."),
        // The template has written the opening tag.
        ("hm, `well`</think>\n\nYes.", "Yes."), ("hm\n```\ncode\n```\n</think>Yes.", "Yes."),
        ("a</think>b</think>Yes.", "Yes."),
        // In the middle.
        ("One. <think>hm</think> Two.", "One. Two."), ("One.\n\n<think>hm</think>\n\nTwo.", "One.\n\nTwo."),
        ("<think>say </think> or not</think>Yes.", "Yes."),
        ("<think>a <think> b</think>Yes.", "Yes."), ("<thinking>a</thinking>Yes<reasoning>b</reasoning>.", "Yes."),
        // Other models.
        ("[THINK]hm[/THINK]Yes.", "Yes."), ("◁think▷hm◁/think▷Yes.", "Yes."), ("<seed:think>hm</seed:think>Yes.", "Yes."),
        ("<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>", "Yes."),
        ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Yes.", "Yes."),
        // Not closed: cut off at the beginning, and only mentioned in the middle.
        ("<think>hm, the user wants", ""), ("The tag <think> opens.", "The tag <think> opens."),
        // About tags.
        ("Write `<think>` and `</think>`.", "Write `<think>` and `</think>`."),
        ("```xml\n<think>a</think>\n```\nYes.", "```xml\n<think>a</think>\n```\nYes."),
        ("~~~\n</think>\n~~~\n", "~~~\n</think>\n~~~\n"), ("``a ` </think>`` b", "``a ` </think>`` b"),
        // No tags at all.
        ("a < b <thin [x] <b>t</b>", "a < b <thin [x] <b>t</b>"), ("<", "<"), ("", ""), ("a </thi", "a </thi"),
        ("`a` <think>hm</think>b", "`a` b"),
        // A span ends at a blank line, and a fence at a line with nothing else.
        ("a `b c\n \nd <think>hm</think>e", "a `b c\n \nd e"), ("a\n```\nb\n```  \nc <think>hm</think>d", "a\n```\nb\n```  \nc d"),
        ("a\n```\nb\n``` c\n<think>d</think>", "a\n```\nb\n``` c\n<think>d</think>"),
    ]

    @Test(arguments: cases) func thoughtsAreNoPartOfTheAnswer(_ text: String, _ expected: String) {
        for size in [1, 2, 3, 7, 1000] { #expect(answer(text, size: size) == expected, "in pieces of \(size)") }
        #expect(ThoughtFilter.answer(in: text) == expected)
    }

    @Test func answerThatBeginsInThoughtsIsHeldBack() {
        for size in [1, 3, 1000] {
            #expect(answer("hm</think>Yes.", size: size, startsInThoughts: true) == "Yes.")
            #expect(answer("<think>hm</think>Yes.", size: size, startsInThoughts: true) == "Yes.")
            // It did not think this time.
            #expect(answer("Yes <b>.", size: size, startsInThoughts: true) == "Yes <b>.")
        }
        var filter = ThoughtFilter(startsInThoughts: true)
        #expect(filter.receive("hm") == [.thought])
        #expect(filter.receive("</think>Y") == [.text("Y")])
        #expect(filter.hasThoughts && !filter.isMissingOpening)
    }

    @Test func missingOpeningIsTold() {
        var filter = ThoughtFilter()
        #expect(filter.receive("hm </THINK> Yes") == [.text("hm "), .withdraw(tag: "</THINK>"), .text("Yes")])
        #expect(filter.hasThoughts && filter.isMissingOpening)
    }

    /// The thoughts at the beginning can be read apart: those that ended, and those that broke off.
    @Test(
        arguments: [
            ("<think>hm</think>Yes.", false, "hm"), ("<think>hm, the user", false, "hm, the user"), ("hm</think>Yes.", true, "hm"),
            ("hm, the user", true, "hm, the user"), ("Yes <think>hm</think>.", false, ""), ("Yes.", false, ""),
        ])
    func thoughtsCanBeRead(_ text: String, _ startsInThoughts: Bool, _ thoughts: String) {
        var filter = ThoughtFilter(startsInThoughts: startsInThoughts)
        for scalar in text.unicodeScalars { _ = filter.receive(String(scalar)) }
        #expect(filter.thoughts == thoughts)
        // All is text where no tag came.
        _ = filter.finish()
        #expect(filter.thoughts == (text == "hm, the user" ? "" : thoughts))
    }

    @Test func thoughtsAreBounded() {
        var filter = ThoughtFilter()
        for _ in 0..<6 { _ = filter.receive("<think>" + String(repeating: "a", count: 100_000)) }
        #expect(filter.thoughts.utf8.count == ThoughtFilter.maximumThoughtSize)
    }
}
