import Testing
import WireKit

@Suite struct PrintableTextTests {
    @Test func terminalGetsNoControlAndNoChangeOfDirection() {
        let hostile: [Unicode.Scalar] = [
            "\u{0}", "\u{7}", "\u{8}", "\r", "\u{1b}", "\u{7f}", "\u{85}", "\u{9b}", "\u{ad}", "\u{61c}", "\u{180e}", "\u{200b}",
            "\u{200e}",
            "\u{200f}", "\u{2028}", "\u{2029}", "\u{202a}", "\u{202e}", "\u{2060}", "\u{2066}", "\u{2069}", "\u{feff}", "\u{fff9}",
        ]
        for scalar in hostile {
            #expect("a\(Character(scalar))b".printable == "a\u{fffd}b", "\(scalar.value)")
            #expect("a\(Character(scalar))b".printableInOneRow == "a\u{fffd}b", "\(scalar.value)")
        }
    }

    @Test func wordsAndEmojiStay() {
        let text = "Grüße 한국어 שלום مرحبا می‌خواهم 👩‍👩‍👧 ❤️ e\u{301} 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"
        #expect(text.printable == text && text.printableInOneRow == text)
        #expect("a\tb\nc".printable == "a\tb\nc" && "a\tb\nc".printableInOneRow == "a\u{fffd}b c")
    }
}
