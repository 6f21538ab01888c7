import EndlessCodeClient
import EndlessCodeWire
import HighlightKit
import Testing
import WireKit

/// Uses of tools, as people read them.
@Suite struct ToolActionTests {
    @Test func knownToolsShowTheirSubject() {
        let read = ToolAction(
            name: "Read", input: .object(["file_path": .string("/home/ada/app/a.swift")]), folder: "/home/ada/app")
        #expect(read.kind == .read && read.subject == "a.swift" && read.path == "a.swift" && read.showsWholeInput)
        let other = ToolAction(name: "Read", input: .object(["file_path": .string("/home/ada/apple/a")]), folder: "/home/ada/app")
        #expect(other.subject == "/home/ada/apple/a")
        let bash = ToolAction(name: "Bash", input: .object(["command": .string("ls")]))
        #expect(bash.kind == .command && bash.detail == .command("ls") && bash.path == nil)
    }

    @Test func editsAreRead() throws {
        func edit(_ old: String, _ new: String) -> JSONValue { .object(["old_string": .string(old), "new_string": .string(new)]) }
        let action = ToolAction(
            name: "MultiEdit", input: .object(["file_path": .string("a"), "edits": .array([edit("1", "2"), edit("3", "4")])]))
        guard case .edits(let edits) = action.detail else { throw NotThere() }
        #expect(edits.map(\.old) == ["1", "3"] && edits.map(\.id) == [0, 1] && action.showsWholeInput)
    }

    @Test func kindsOfAgentsAreRead() throws {
        func action(_ kind: String, _ input: JSONValue, _ content: [ToolContent] = []) -> ToolAction {
            ToolAction(name: "Title", input: input, kind: kind, content: content, folder: "/p")
        }
        let command = action("execute", .object(["command": .string("ls"), "description": .string("List")]), [.text("$ ls")])
        #expect(command.kind == .command && command.detail == .command("ls") && command.text == "$ ls" && command.showsWholeInput)
        let edit = action(
            "edit", .object(["tool": .string("patch")]),
            [.diff(path: "/p/a.txt", old: "x", new: "y"), .diff(path: "/q", old: nil, new: "z")])
        guard case .edits(let edits) = edit.detail else { throw NotThere() }
        #expect(edit.kind == .edit && edit.subject == "a.txt" && edits.map(\.path) == ["a.txt", "/q"])
        #expect(edits.map(\.old) == ["x", ""] && edits.map(\.new) == ["y", "z"] && !edit.showsWholeInput)
        let plan = action(
            "plan", .object(["todos": .array([.object(["content": .string("first"), "status": .string("completed")])])]))
        guard plan.kind == .tasks, case .tasks(let tasks) = plan.detail else { throw NotThere() }
        #expect(tasks.map(\.text) == ["first"] && tasks.map(\.state) == [.completed])
        #expect(action("read", .object(["path": .string("/p/b")])).subject == "b")
        #expect(action("something_new", .object(["a": .string("b")])).kind == .other)
        #expect(ToolAction(name: "T", input: nil, content: [.diff(path: "a", old: "x", new: "y")]).kind == .edit)
    }

    private struct NotThere: Error {}

    @Test(arguments: [JSONValue?.none, .null, .integer(3), .array([]), .object([:]), .object(["command": .integer(1)])])
    func anyInputIsShown(_ input: JSONValue?) {
        for name in ["Bash", "Edit", "MultiEdit", "Write", "TodoWrite", "AskUserQuestion", "ExitPlanMode", "", "mcp__x__y"] {
            let action = ToolAction(name: name, input: input)
            #expect(action.subject.isEmpty && !action.input.isEmpty)
        }
    }

    @Test func inputThatIsNotShownOtherwiseIsNoticed() {
        let hidden = ToolAction(name: "Bash", input: .object(["command": .string("ls"), "run_in_background": .bool(true)]))
        #expect(!hidden.showsWholeInput && hidden.input.contains("run_in_background"))
    }

    @Test(arguments: [
        // Bidirectional, zero-width and blank characters.
        ("a\u{61C}b", "a\\u{61C}b"), ("a\u{34F}b", "a\\u{34F}b"), ("a\u{3164}b", "a\\u{3164}b"), ("a\u{2800}b", "a\\u{2800}b"),
        ("a\u{180E}b", "a\\u{180E}b"), ("a\u{E000}b", "a\\u{E000}b"), ("a\u{115F}b", "a\\u{115F}b"),
        ("a\u{1D173}b", "a\\u{1D173}b"),
        // A joiner or a selector without what it belongs to.
        ("l\u{200D}s", "l\\u{200D}s"), ("l\u{200C}", "l\\u{200C}"), ("a\u{FE0F}", "a\\u{FE0F}"), ("a\u{E0101}", "a\\u{E0101}"),
        ("é\u{FE00}\u{FE01}", "é\u{FE00}\\u{FE01}"),
        // A return to the start of the line is none of its endings.
        ("rm -r x\recho", "rm -r x\\u{D}echo"), ("a\r\nb", "a\r\nb"),
        // Marks that would cover other lines.
        ("a\u{301}\u{301}\u{301}\u{301}\u{301}", "a\u{301}\u{301}\u{301}\u{301}\\u{301}"),
        ("👩‍❤️‍👩 1️⃣ नि क्‍ष 葛\u{E0100} ก็", "👩‍❤️‍👩 1️⃣ नि क्‍ष 葛\u{E0100} ก็"),
    ]) func hiddenCharactersAreShown(_ text: String, _ shown: String) {
        // By scalars: texts with the same letters are equal.
        #expect(text.visible.unicodeScalars.elementsEqual(shown.unicodeScalars), "\(text.visible.debugDescription)")
        #expect(ToolAction(name: text, input: nil).name.unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test func pathThatLeavesTheProjectIsShownInFull() {
        let action = ToolAction(
            name: "Write", input: .object(["file_path": .string("/home/ada/app/../.ssh/config")]), folder: "/home/ada/app")
        #expect(action.subject == "/home/ada/app/../.ssh/config")
    }

    /// A command cannot look like another one.
    @Test func charactersThatCannotBeSeenAreEscaped() {
        let command = "ls \u{202E}fr- mr\u{2066} \u{200B}x\u{0} \u{1B}[8m é 🧑‍💻 ❤️\tok\n"
        let action = ToolAction(name: "Bash", input: .object(["command": .string(command)]))
        #expect(
            action.detail
                == .command("ls \\u{202E}fr- mr\\u{2066} \\u{200B}x\\u{0} \\u{1B}[8m é 🧑‍💻 ❤️\tok\n"))
        #expect(!action.input.unicodeScalars.contains { [0x202E, 0x2066, 0x200B, 0].contains($0.value) })
    }
}
