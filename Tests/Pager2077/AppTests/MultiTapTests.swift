import Testing

@testable import Pager2077App

/// Multi-tap text entry.
@Suite struct MultiTapTests {
    private func typed(
        _ presses: [(digit: Int, at: Double)], _ alphabet: MultiTap.Alphabet = .message, mode: MultiTap.Mode = .upper
    ) -> String {
        var taps = MultiTap()
        taps.mode = mode
        var text = ""
        for press in presses { taps.press(press.digit, in: alphabet, text: &text, limit: 20, now: .seconds(press.at)) }
        return text
    }

    @Test func repeatedPressSelectsTheNextLetter() {
        #expect(typed([(4, 0), (4, 0.3)]) == "H")
        #expect(typed([(4, 0), (4, 0.3), (4, 0.6), (4, 0.9), (4, 1.2)]) == "G", "round and round, the digit last")
        #expect(typed([(2, 0), (2, 1.5)]) == "AA", "after a pause it is a letter of its own")
        #expect(typed([(4, 0), (4, 0.2), (4, 0.4), (0, 0.6), (1, 0.8)]) == "I .")
    }

    @Test func lettersDependOnTheAlphabetAndMode() {
        #expect(typed([(2, 0), (3, 1), (3, 1.1), (4, 2)], .code) == "2D4")
        #expect(typed([(1, 0), (1, 0.1)], .name) == "_")
        #expect(typed([(4, 0)], mode: .lower) == "g")
        #expect(typed([(4, 0), (4, 0.1)], mode: .digits) == "44")
    }

    @Test func lengthIsLimited() {
        #expect(typed((0..<30).map { (2, Double($0) * 2) }).count == 20)
    }

    @Test func holdingAKeyTypesItsDigit() {
        var taps = MultiTap()
        var text = ""
        taps.press(7, in: .message, text: &text, limit: 20, now: .zero)
        #expect(text == "P")
        taps.hold(7, text: &text, limit: 20)
        #expect(text == "P7")
        taps.press(7, in: .message, text: &text, limit: 20, now: .seconds(0.1))
        #expect(text == "P7P")
    }

    @Test func editedTextIsNotReplaced() {
        var taps = MultiTap()
        var text = ""
        taps.press(2, in: .message, text: &text, limit: 20, now: .zero)
        text += "x"
        taps.press(2, in: .message, text: &text, limit: 20, now: .seconds(0.1))
        #expect(text == "AxA")
    }
}
