/// Where a part of code ends, outside of brackets and literals. Each also ends at the closing bracket of what is around it.
enum CodeEnd {
    /// At a comma.
    case argument
    case bracket
    /// At the end of the line.
    case line
    /// At a colon.
    case label
    /// At the end of a line that no modifier follows.
    case modifiers

    /// The part at the beginning of `code`.
    func part(of code: Substring) -> Substring {
        var depth = 0
        var isLiteral = false
        for index in code.indices {
            let character = code[index]
            if character == "\"" { isLiteral.toggle() }
            if isLiteral { continue }
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth < 0 || depth == 0 && isEnd(character, before: code[index...].dropFirst()) { return code[..<index] }
        }
        return code
    }

    private func isEnd(_ character: Character, before rest: Substring) -> Bool {
        switch self {
        case .argument: character == ","
        case .bracket: false
        case .line: character == "\n"
        case .label: character == ":"
        case .modifiers: character == "\n" && rest.first { $0 != " " } != "."
        }
    }
}
