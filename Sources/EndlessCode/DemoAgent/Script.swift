import EndlessCodeAgents
import Foundation
import WireKit

/// The answer to one prompt, chosen by the prompt's words; in Korean if the prompt has Hangul.
struct Script: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The file that the scripts edit.
    static let file = "NOTES.md"

    let conversation: Conversation
    let prompt: String
    private let isKorean: Bool

    init(_ conversation: Conversation, _ prompt: String) {
        (self.conversation, self.prompt) = (conversation, prompt)
        isKorean = prompt.unicodeScalars.contains { (0xac00...0xd7a3).contains($0.value) || (0x1100...0x11ff).contains($0.value) }
    }

    /// Plays the script to its end.
    ///
    /// - Returns: The text of the result.
    /// - Throws: `CancellationError` when interrupted; `Failure` for a turn that ends with an error.
    func play() async throws -> String {
        if let command = text(after: "run", "실행") { return try await run(command) }
        if let content = text(after: "save", "저장") { return try await save(content + "\n") }
        let scripts: [(english: Set<String>, korean: [String], play: () async throws -> String)] = [
            (["help"], ["도움"], help), (["error", "fail"], ["오류", "실패"], fail), (["plan"], ["계획"], plan),
            (["subagent", "agents", "task"], ["하위"], delegate), (["ask", "question", "questions"], ["질문"], question),
            (["edit", "write", "change", "add"], ["수정", "추가"], edit), (["read", "show"], ["읽"], read),
            (["list", "files"], ["파일", "목록"], list), (["code"], ["코드"], code), (["table"], ["표"], table),
            (["slow", "long", "count"], ["천천히", "길게"], count), (["earlier", "remember"], ["기억", "이전"], remember),
        ]
        let words = Set(prompt.lowercased().split { !$0.isLetter }.map(String.init))
        let script = scripts.first { script in
            !script.english.isDisjoint(with: words) || script.korean.contains { prompt.contains($0) }
        }
        guard let script else { return try await tour() }
        return try await script.play()
    }

    private func words(_ english: String, _ korean: String) -> String { isKorean ? korean : english }

    /// Returns the text after one of `words` at the beginning of the prompt; nil without such a word, or without a text.
    private func text(after words: String...) -> String? {
        let name = prompt.prefix { !$0.isWhitespace }
        let rest = prompt[name.endIndex...].dropFirst()
        return words.contains(name.lowercased()) && !rest.isEmpty ? String(rest) : nil
    }

    private func end(_ text: String) async throws -> String {
        try await say(text)
        return text
    }

    // MARK: Scripts

    private func help() async throws -> String {
        try await end(
            words(
                """
                I am the **demo agent**: a script, not a model. I understand single words:

                - `list`, `read`, `edit`: files of this project
                - `question`, `plan`: I ask you
                - `run` and a command: I ask to run it, and run nothing
                - `save` and a text: I write it to `\(Self.file)`
                - `subagent`: another agent works for me
                - `code`, `table`, `slow`: texts
                - `error`: a turn that fails
                - `earlier`: your earlier prompts

                Anything else gets the tour.
                """,
                """
                저는 **데모 에이전트**입니다. 모델이 아니라 스크립트이며, 다음 단어를 이해합니다.

                - `목록`, `읽기`, `수정`: 이 프로젝트의 파일
                - `질문`, `계획`: 제가 여쭤봅니다
                - `실행`과 명령: 실행해도 되는지 여쭤보지만, 실제로는 아무것도 실행하지 않습니다
                - `저장`과 글: `\(Self.file)`에 저장합니다
                - `하위`: 다른 에이전트가 대신 일합니다
                - `코드`, `표`, `천천히`: 글
                - `오류`: 실패하는 작업
                - `이전`: 이전 요청

                그 밖의 말에는 둘러보기를 보여 드립니다.
                """))
    }

    /// Plays everything once: files, a question, a permission, an edit.
    private func tour() async throws -> String {
        try await say(
            words(
                "I am the demo agent, a script without a model. I look at the project first.",
                "저는 모델 없이 스크립트로 움직이는 데모 에이전트입니다. 먼저 프로젝트를 살펴보겠습니다."))
        _ = try await listFiles()
        let kind = try await askForLine()
        return try await write(kind)
    }

    private func list() async throws -> String {
        try await say(words("I list the files of this project.", "이 프로젝트의 파일을 나열합니다."))
        let names = try await listFiles()
        return try await end(words("The project has \(names.count) entries.", "프로젝트에 항목이 \(names.count)개 있습니다."))
    }

    private func read() async throws -> String {
        guard let path = conversation.project.list().first(where: { !$0.hasSuffix("/") }) else {
            return try await end(words("The project has no files yet.", "프로젝트에 아직 파일이 없습니다."))
        }
        let text = try await readFile(path)
        let count = text.split(separator: "\n", omittingEmptySubsequences: false).count
        return try await end(words("`\(path)` has \(count) lines.", "`\(path)` 파일은 \(count)줄입니다."))
    }

    private func question() async throws -> String {
        let kind = try await askForLine()
        return try await end(words("Your answer: \(kind).", "선택하신 답: \(kind)"))
    }

    private func edit() async throws -> String { try await write(words("a greeting", "인사말")) }

    /// Replaces the content of the file, after permission.
    private func save(_ content: String) async throws -> String {
        let input: JSONValue = .object([
            "file_path": .string(conversation.project.absolute(Self.file)), "content": .string(content),
        ])
        return try await change("Write", input, done: words("Done: `\(Self.file)` has your text.", "완료: `\(Self.file)`에 저장했습니다."))
    }

    /// Asks for a command that is never run.
    private func run(_ command: String) async throws -> String {
        let input: JSONValue = .object(["command": .string(command)])
        let use = try await use("Bash", input)
        switch try await permission("Bash", input, use: use, title: words("Run this command?", "이 명령을 실행할까요?")) {
        case .denied(let reason):
            await finish(use, reason, isError: true)
            return try await end(words("I ran nothing. You said: \(reason)", "아무것도 실행하지 않았습니다. 하신 말씀: \(reason)"))
        case .allowed:
            await finish(use, "")
            return try await end(
                words("You allowed it. I am a script, and ran nothing.", "허용하셨습니다. 저는 스크립트이므로 실행하지 않았습니다."))
        }
    }

    private func plan() async throws -> String {
        try await say(words("I make a plan before I change anything.", "변경하기 전에 계획을 세웁니다."))
        let plan = words(
            "1. Read `\(Self.file)`\n2. Add one line\n3. Show the difference", "1. `\(Self.file)` 읽기\n2. 한 줄 추가\n3. 차이 보여 주기")
        let input: JSONValue = .object(["plan": .string(plan)])
        let use = try await use("ExitPlanMode", input)
        let title = words("Start with this plan?", "이 계획으로 시작할까요?")
        switch try await permission("ExitPlanMode", input, use: use, title: title) {
        case .denied(let reason):
            await finish(use, reason, isError: true)
            return try await end(words("Then I leave everything as it is.", "그러면 그대로 두겠습니다."))
        case .allowed:
            await finish(use, words("The user approved the plan.", "사용자가 계획을 승인했습니다."))
            if await conversation.permissionMode == "plan" { await conversation.setMode("default") }
            return try await write(words("a plan", "계획"))
        }
    }

    private func delegate() async throws -> String {
        let input: JSONValue = .object([
            "description": .string(words("Count the files", "파일 세기")), "prompt": .string(words("Count the files.", "파일을 세세요.")),
        ])
        let task = try await use("Task", input)
        try await say(words("I am the sub-agent. I count.", "저는 하위 에이전트입니다. 세어 보겠습니다."), parent: task)
        let names = try await listFiles(parent: task)
        await finish(task, words("\(names.count) entries", "항목 \(names.count)개"))
        return try await end(words("The sub-agent found \(names.count) entries.", "하위 에이전트가 항목 \(names.count)개를 찾았습니다."))
    }

    private func code() async throws -> String {
        try await end(
            words("A function in Swift:", "Swift 함수입니다:") + """


                ```swift
                /// The greatest common divisor.
                func gcd(_ a: Int, _ b: Int) -> Int {
                    b == 0 ? abs(a) : gcd(b, a % b)
                }

                print(gcd(1071, 462))  // 21, a comment that is long enough to leave the screen of a phone in portrait
                ```
                """)
    }

    private func table() async throws -> String {
        try await end(
            words("| word | what I do |\n|---|---|", "| 단어 | 하는 일 |\n|---|---|")
                + "\n| `list` | 📁 |\n| `edit` | ✏️ |\n| `question` | ❓ |")
    }

    private func count() async throws -> String {
        try await end((1...400).map { words("\($0) steps,", "\($0)걸음,") }.joined(separator: " "))
    }

    private func remember() async throws -> String {
        let earlier = await conversation.earlierPrompts
        guard !earlier.isEmpty else { return try await end(words("This conversation is new.", "새 대화입니다.")) }
        let list = earlier.suffix(10).map { "- \($0.prefix(100))" }.joined(separator: "\n")
        return try await end(words("You asked before:", "이전에 물어보신 것:") + "\n\n" + list)
    }

    private func fail() async throws -> String {
        try await say(words("This turn will fail, as you wish.", "요청대로 이번 작업은 실패합니다."))
        throw Failure(description: words("Demo error: nothing is wrong, you asked for it.", "데모 오류: 요청하신 오류입니다."))
    }

    // MARK: Parts

    private func listFiles(parent: String? = nil) async throws -> [String] {
        let use = try await use("LS", .object(["path": .string(conversation.project.folder.path)]), parent: parent)
        let names = conversation.project.list()
        await finish(use, names.isEmpty ? words("(empty)", "(비어 있음)") : names.joined(separator: "\n"), parent: parent)
        return names
    }

    @discardableResult
    private func readFile(_ path: String) async throws -> String {
        let use = try await use("Read", .object(["file_path": .string(conversation.project.absolute(path))]))
        do {
            let text = try conversation.project.read(path)
            await finish(use, text)
            return text
        } catch {
            await finish(use, "\(error)", isError: true)
            throw Failure(description: "\(error)")
        }
    }

    /// Asks two questions together.
    ///
    /// - Returns: The answers as a phrase.
    private func askForLine() async throws -> String {
        let first = words("Which line shall I add to \(Self.file)?", "\(Self.file)에 어떤 줄을 추가할까요?")
        let second = words("What else?", "또 무엇을 할까요?")
        func option(_ label: String, _ description: String) -> JSONValue {
            .object(["label": .string(label), "description": .string(description)])
        }
        let input: JSONValue = .object([
            "questions": .array([
                .object([
                    "question": .string(first), "header": .string(words("Line", "줄")), "multiSelect": .bool(false),
                    "options": .array([
                        option(words("A greeting", "인사말"), words("Hello from the demo", "데모의 인사")),
                        option(words("A reminder", "알림"), words("Something to do", "할 일")),
                    ]),
                ]),
                .object([
                    "question": .string(second), "header": .string(words("Extras", "추가")), "multiSelect": .bool(true),
                    "options": .array([
                        option(words("A number", "번호"), words("In front of the line", "줄 앞에")),
                        option(words("A star", "별"), words("Behind the line", "줄 뒤에")),
                    ]),
                ]),
            ])
        ])
        let use = try await use("AskUserQuestion", input)
        switch try await permission("AskUserQuestion", input, use: use, title: words("A question", "질문")) {
        case .denied(let reason):
            await finish(use, reason, isError: true)
            return words("nothing special", "특별한 것 없음")
        case .allowed(let input):
            let answers = [first, second].compactMap { input["answers"]?[$0]?.string }
            await finish(use, words("The user answered: ", "사용자의 답: ") + answers.joined(separator: "; "))
            return answers.joined(separator: ", ")
        }
    }

    /// Adds a line to the file, after permission.
    private func write(_ kind: String) async throws -> String {
        let project = conversation.project
        let line = "- \(words("Demo", "데모")): \(kind)"
        let path = project.absolute(Self.file)
        let tool: String
        let input: JSONValue
        if project.exists(Self.file) {
            let text = try await readFile(Self.file)
            let last = text.split(separator: "\n").last.map(String.init) ?? ""
            tool = "Edit"
            input = .object([
                "file_path": .string(path), "old_string": .string(last),
                "new_string": .string(last.isEmpty ? line : "\(last)\n\(line)"),
                "replace_all": .bool(false),
            ])
        } else {
            tool = "Write"
            input = .object([
                "file_path": .string(path), "content": .string("# \(words("Notes", "메모"))\n\n\(line)\n"),
            ])
        }
        let done = words("Done: `\(Self.file)` has a new line, *\(kind)*.", "완료: `\(Self.file)`에 새 줄 *\(kind)*을(를) 추가했습니다.")
        return try await change(tool, input, done: done)
    }

    /// Changes the file, after permission.
    private func change(_ tool: String, _ input: JSONValue, done: String) async throws -> String {
        let use = try await use(tool, input)
        var decision = Decision.allowed(input)
        switch await conversation.permissionMode {
        case "acceptEdits": break
        case "dontAsk": decision = .denied(words("Not allowed without asking.", "묻지 않고는 할 수 없습니다."))
        default:
            let suggestion: JSONValue = .object([
                "type": .string("setMode"), "mode": .string("acceptEdits"), "destination": .string("session"),
            ])
            decision = try await permission(
                tool, input, use: use, title: words("Change \(Self.file)?", "\(Self.file)을(를) 변경할까요?"), suggestions: [suggestion])
        }
        switch decision {
        case .denied(let reason):
            await finish(use, reason, isError: true)
            return try await end(
                words("I changed nothing. You said: \(reason)", "아무것도 변경하지 않았습니다. 답변: \(reason)"))
        case .allowed(let input):
            do {
                try apply(input)
            } catch {
                await finish(use, "\(error)", isError: true)
                throw Failure(description: "\(error)")
            }
            await finish(use, words("\(Self.file) was written.", "\(Self.file)을(를) 저장했습니다."))
            return try await end(done)
        }
    }

    /// Makes the change that the host allowed.
    private func apply(_ input: JSONValue) throws {
        let path = input["file_path"]?.string ?? ""
        if let content = input["content"]?.string { return try conversation.project.write(path, content) }
        let text = try conversation.project.read(path)
        let (old, new) = (input["old_string"]?.string ?? "", input["new_string"]?.string ?? "")
        if old.isEmpty { return try conversation.project.write(path, text + new + "\n") }
        guard let range = text.range(of: old, options: .backwards) else { throw Failure(description: "\(path) changed meanwhile") }
        try conversation.project.write(path, text.replacingCharacters(in: range, with: new))
    }
}
