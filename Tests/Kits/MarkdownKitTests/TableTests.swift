import MarkdownKit
import Testing

@Suite struct TableTests {
    @Test func rowsHaveTheColumnsOfTheHeader() {
        #expect(
            outline("| a | b | c | d |\n|---|:--|:-:|--:|\n| 1 | *2* | `3` |\n|4|5|6|7|\n")
                == "table -lct\n  a | b | c | d\n  1 | <e:2> | <c:3> | \n  4 | 5 | 6 | 7\n")
    }

    @Test func outerPipesAreOptional() {
        #expect(outline("a | b\n--- | ---\n1 | 2\n\ntext\n") == "table --\n  a | b\n  1 | 2\np text\n")
    }

    @Test func lastCellKeepsSurplusPipes() {
        #expect(outline("| a | b |\n|---|---|\n| or | x || y |\n") == "table --\n  a | b\n  or | x || y\n")
    }

    @Test func pipesInCodeAndEscapedPipesAreContent() {
        #expect(
            outline("| a | b |\n|---|---|\n| `x|y` | c \\| d |\n| `p\\|q` | \\\\ |\n")
                == "table --\n  a | b\n  <c:x|y> | c | d\n  <c:p|q> | \\\n")
    }

    @Test func tableEndsAtALineWithoutPipes() {
        #expect(outline("| a |\n|---|\n| 1 |\nafter\n") == "table -\n  a\n  1\np after\n")
        #expect(outline("| a |\n|---|\n# b\n") == "table -\n  a\nh1 b\n")
    }

    @Test func textAboveTheHeaderIsAParagraph() {
        #expect(outline("Results:\n| a | b |\n|---|---|\n") == "p Results:\ntable --\n  a | b\n")
    }

    @Test func columnCountsMustAgree() {
        #expect(outline("| a | b |\n|---|\n") == "p | a | b | |---|\n")
        #expect(outline("|---|---|\n") == "p |---|---|\n")
    }

    @Test func tablesHaveAtMostSixtyFourColumns() {
        let header = String(repeating: "|a", count: 64) + "|\n" + String(repeating: "|-", count: 64) + "|\n"
        #expect(outline(header).hasPrefix("table"))
        let wide = String(repeating: "|a", count: 65) + "|\n" + String(repeating: "|-", count: 65) + "|\n"
        #expect(outline(wide).hasPrefix("p "))
    }

    @Test func breaksAreAllowedInCells() {
        #expect(outline("| a |\n|---|\n| b<br>c<br/>d<br />e |\n") == "table -\n  a\n  b⏎c⏎d⏎e\n")
    }

    @Test func tablesInItems() {
        #expect(outline("- x\n\n  | a |\n  |---|\n  | 1 |\n") == "list loose\n  item\n    p x\n    table -\n      a\n      1\n")
    }
}
