import MarkdownKit
import Testing

@Suite struct ListTests {
    @Test func bulletsMakeTightLists() {
        #expect(outline("- a\n- b\n  c\n") == "list\n  item\n    p a\n  item\n    p b c\n")
        #expect(outline("* a\n* b\n").hasPrefix("list\n  item"))
        #expect(outline("+ a\n").hasPrefix("list\n  item"))
    }

    @Test func anotherBulletBeginsAnotherList() {
        #expect(outline("- a\n* b\n") == "list\n  item\n    p a\nlist\n  item\n    p b\n")
        #expect(outline("1. a\n1) b\n") == "list 1\n  item\n    p a\nlist 1\n  item\n    p b\n")
    }

    @Test func numbersBeginWithTheFirst() {
        let document = MarkdownDocument("7. a\n7. b\n9. c\n")
        guard case .list(let list) = document.blocks[0].content else {
            Issue.record("not a list")
            return
        }
        #expect(list.items.map { list.number(of: $0) } == [7, 8, 9])
        #expect(outline("1234567890. a\n") == "p 1234567890. a\n")
    }

    @Test func blankLinesMakeListsLoose() {
        #expect(outline("- a\n\n- b\n") == "list loose\n  item\n    p a\n  item\n    p b\n")
        #expect(outline("- a\n\n  b\n- c\n") == "list loose\n  item\n    p a\n    p b\n  item\n    p c\n")
        #expect(outline("- a\n\ntext\n") == "list\n  item\n    p a\np text\n")
    }

    @Test func blankLinesInCodeDoNotMakeListsLoose() {
        #expect(
            outline("- a\n  ```\n  b\n\n  c\n  ```\n- d\n") == "list\n  item\n    p a\n    code \"b\\n\\nc\"\n  item\n    p d\n")
    }

    @Test func onlyTheInnerListIsLoose() {
        #expect(
            outline("- a\n  - b\n\n    c\n") == "list\n  item\n    p a\n    list loose\n      item\n        p b\n        p c\n")
    }

    @Test(arguments: [("-", 2), ("-", 4), ("1.", 2), ("1.", 3), ("1.", 4), ("10.", 3), ("10.", 4), ("1000.", 6)])
    func listsNestByIndentation(_ marker: String, _ indent: Int) {
        let space = String(repeating: " ", count: indent)
        let nested = outline("\(marker) a\n\(space)- b\n\(space)- c\n\(marker) d\n")
        #expect(
            nested.replacing(/list \d+/, with: "list")
                == "list\n  item\n    p a\n    list\n      item\n        p b\n      item\n        p c\n  item\n    p d\n")
    }

    @Test func numbersWithLittleIndentationAreNotNested() {
        #expect(outline("1. a\n  2. b\n") == "list 1\n  item\n    p a\n  item\n    p b\n")
    }

    @Test func listsNestInEachOther() {
        #expect(
            outline("1. a\n   - b\n     1. c\n2. d\n")
                == "list 1\n  item\n    p a\n    list\n      item\n        p b\n        list 1\n          item\n            p c\n  item\n    p d\n"
        )
        #expect(outline("- - a\n") == "list\n  item\n    list\n      item\n        p a\n")
    }

    @Test func itemsContainAllBlocks() {
        #expect(
            outline("1. Install:\n\n   ```sh\n   make\n   ```\n\n   > note\n2. Run\n")
                == "list 1 loose\n  item\n    p Install:\n    code sh \"make\"\n    quote\n      p note\n  item\n    p Run\n")
    }

    @Test func tasksHaveAState() {
        #expect(
            outline("- [ ] a\n- [x] **b**\n- [X] c\n- [y] d\n- [x]e\n")
                == "list\n  item to do\n    p a\n  item done\n    p <s:b>\n  item done\n    p c\n  item\n    p [y] d\n  item\n    p [x]e\n"
        )
    }

    @Test func onlyListsThatBeginWithOneInterruptText() {
        #expect(outline("It was\n1986. A good year\n") == "p It was 1986. A good year\n")
        #expect(outline("Steps:\n1. a\n") == "p Steps:\nlist 1\n  item\n    p a\n")
        #expect(outline("Steps:\n- a\n-\n") == "p Steps:\nlist\n  item\n    p a\n  item\n")
    }

    @Test func itemsContinueLazily() {
        #expect(outline("- a\nb\n") == "list\n  item\n    p a b\n")
    }

    @Test func itemsMayBeEmpty() {
        #expect(outline("-\n- a\n-\n") == "list\n  item\n  item\n    p a\n  item\n")
        #expect(outline("-\n\n  a\n") == "list\n  item\np a\n")
    }

    @Test func headingEndsAList() {
        #expect(outline("- a\n# b\n- c\n") == "list\n  item\n    p a\nh1 b\nlist\n  item\n    p c\n")
    }

    @Test func breaksOfStarsAreNotItems() {
        #expect(outline("* a\n* * *\n* b\n") == "list\n  item\n    p a\nbreak\nlist\n  item\n    p b\n")
    }

    @Test func listsInQuotes() {
        #expect(
            outline("> - a\n>   - b\n> - c\n")
                == "quote\n  list\n    item\n      p a\n      list\n        item\n          p b\n    item\n      p c\n")
    }
}
