/// The tokens of a line, made from left to right without gaps.
struct TokenOutput {
    private(set) var tokens: [Token] = []
    private var covered = 0

    /// Appends a token of a kind up to `end`, or extends the last token if it is of that kind.
    mutating func take(_ kind: Token.Kind, to end: Int) {
        guard end > covered else { return }
        let start = covered
        covered = end
        if let last = tokens.last {
            if last.kind == kind {
                tokens[tokens.count - 1] = Token(kind: kind, range: last.range.lowerBound..<end)
                return
            }
            if tokens.count == Highlighter.maximumTokenCount {
                tokens[tokens.count - 1] = Token(kind: .plain, range: last.range.lowerBound..<end)
                return
            }
        }
        tokens.append(Token(kind: kind, range: start..<end))
    }

    /// Gives the tokens from an offset, at which one of them begins, another kind.
    mutating func recolour(from start: Int, _ kind: Token.Kind) {
        guard tokens.count < Highlighter.maximumTokenCount else { return }
        var first = covered
        while let last = tokens.last, last.range.lowerBound >= start {
            first = last.range.lowerBound
            tokens.removeLast()
        }
        let end = covered
        covered = first
        take(kind, to: end)
    }
}
