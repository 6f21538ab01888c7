import Foundation
import HighlightKit
import TestKit
import Testing

/// Outputs of commands as a terminal shows them.
@Suite(.seeded) struct TerminalOutputTests {
    @Test(arguments: [
        ("plain\ntext\n", "plain\ntext"), ("a\r\nb\r\n", "a\nb"), ("", ""),
        // Progress that is written over.
        ("10%\r50%\r100%\ndone\n", "100%\ndone"), ("a long line\rshort", "shortg line"), ("a long line\rshort\u{1b}[K\n", "short"),
        ("\r\u{1b}[2KReceiving: 1%\r\u{1b}[2KReceiving: 100%, done.\n", "Receiving: 100%, done."),
        ("|\u{8}/\u{8}-\u{8}ok", "ok"), ("abc\u{8}\u{8}X", "aXc"),
        // Several lines at once, as package managers draw them.
        ("one 1%\ntwo 1%\n\u{1b}[2A\u{1b}[Kone ok\n\u{1b}[Ktwo ok\n", "one ok\ntwo ok"), ("a\nb\u{1b}[1F\u{1b}[0Jc", "c"),
        ("old\nmore\n\u{1b}[2J\u{1b}[Hnew", "new"), ("ab\u{1b}[1Gx", "xb"), ("a\u{1b}[3Cb", "a   b"),
        // Colours, titles, links, charsets, modes: nothing to read.
        ("\u{1b}[1;31merror\u{1b}[0m: no", "error: no"), ("\u{1b}]0;title\u{7}text", "text"),
        ("\u{1b}]8;;https://x.example\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"), ("\u{1b}(Bplain\u{1b}[?25l\u{1b}[?25h", "plain"),
        ("\u{9b}32mgreen\u{9b}m", "green"),
        // Cut off.
        ("a\u{1b}", "a"), ("a\u{1b}[", "a"), ("a\u{1b}[38;5", "a"), ("a\u{1b}]0;title", "a"),
        // Tabs, characters of several scalars, and those that cannot be seen.
        ("a\tb", "a       b"), ("👨‍👩‍👧 é\r👍🏽", "👍🏽 é"), ("bell\u{7}\u{0}", "bell"), ("a\u{202e}b", "a\\u{202E}b"),
    ])
    func textIsThatOfTheLastMoment(_ output: String, _ text: String) { #expect(TerminalOutput(output).text == text) }

    @Test func colorsAreStyles() {
        func runs(_ text: String) -> [TerminalOutput.Run] { TerminalOutput(text).lines.flatMap { $0 } }
        func style(_ text: String) -> TerminalOutput.Style? { runs(text).first?.style }
        let red = runs("\u{1b}[1;31merror\u{1b}[0m: no")
        #expect(
            red.map(\.text) == ["error", ": no"] && red[0].style.color == .red && red[0].style.isBold && red[1].style == .plain)
        #expect(style("\u{1b}[92ma")?.color == .green && style("\u{1b}[38;5;196ma")?.color == .red)
        #expect(style("\u{1b}[38;2;20;30;250ma")?.color == .blue && style("\u{1b}[38;5;244ma")?.color == nil)
        #expect(
            style("\u{1b}[48;5;196;3ma")
                == {
                    var style = TerminalOutput.Style.plain; style.isItalic = true; return style
                }())
        #expect(style("\u{1b}[31m\u{1b}[39ma") == .plain && style("\u{1b}[4;24;1;22ma") == .plain)
        // The colour goes on in the next line, and a line that is written over has the new one.
        #expect(runs("\u{1b}[36ma\nb").map(\.style.color) == [.cyan, .cyan])
        #expect(runs("\u{1b}[31mno\r\u{1b}[32mok").map(\.style.color) == [.green])
    }

    @Test func plainOutputNeedsNoTerminal() {
        for text in ["", "a\nb", "a\r\nb\r\n", "한글 é"] { #expect(!TerminalOutput.isNeeded(for: text)) }
        for text in ["\u{1b}[31m", "a\rb", "a\u{8}", "\u{9b}0m", "a\r\r\nb"] { #expect(TerminalOutput.isNeeded(for: text)) }
    }

    @Test func hostileOutputTakesLittle() async throws {
        let far =
            "\u{1b}[99999999B\u{1b}[99999999C\u{1b}[99999999;99999999Hx\u{1b}[99999999A\u{1b}[99999999D\u{1b}[99999999X\u{1b}[99999999P"
        #expect(TerminalOutput(String(repeating: far, count: 20)).lines.count <= 2_100)
        let seeds = ["\u{1b}[1;31mred\u{1b}[0m\r\n\u{1b}[2A\u{1b}[K\u{1b}[10;20Hx\u{1b}]0;t\u{7}\u{8}\t", far]
        try await fuzz(seeds.map { Data($0.utf8) }, count: Effort.count(3000, soak: 100_000)) { input in
            _ = TerminalOutput(String(decoding: input, as: UTF8.self)).text
        }
    }
}
