import HighlightKit
import ViewKit

/// A line of a diff with its colours.
nonisolated struct DiffRow: Identifiable, Hashable, Sendable {
    /// The index among the rows.
    let id: Int
    let kind: DiffLine.Kind
    /// The line number after the change, or before it for a deleted line; nil if the file's other lines are unknown.
    let number: Int?
    /// The ending of the line if it is part of the change; otherwise nil.
    let ending: LineEnding?
    let runs: [CodeRun]
}

/// A line without colours.
nonisolated private struct PlainLine: Hashable {
    let text: String
    var ending: LineEnding
}

/// Lines for a ``DiffView``.
nonisolated enum DiffRows {
    /// Maximum lines on each side, except equal ones at the start and the end, of a change that is compared line by line.
    static let lineLimit = 500

    /// Returns the first rows of a hunk.
    static func rows(of hunk: DiffHunk, _ language: CodeLanguage?, limit: Int = .max) -> [DiffRow] {
        let lines = hunk.lines.prefix(limit).map { line in
            (line.kind, line.newNumber ?? line.oldNumber, PlainLine(text: line.text.visible, ending: line.ending))
        }
        return rows(lines, language)
    }

    /// Returns the rows of an edit that replaces one text by another.
    static func rows(replacing old: String, with new: String, _ language: CodeLanguage?) -> [DiffRow] {
        var (old, new) = (lines(of: old), lines(of: new))
        // The texts are parts of a file: if both end inside a line, that line continues.
        let endings = [old.last?.ending, new.last?.ending].compactMap(\.self)
        if endings.allSatisfy({ $0 == .missing }) {
            if !old.isEmpty { old[old.count - 1].ending = .lineFeed }
            if !new.isEmpty { new[new.count - 1].ending = .lineFeed }
        }
        return rows(merged(old, new).map { ($0.0, nil, $0.1) }, language)
    }

    private static func lines(of text: String) -> [PlainLine] {
        guard !text.isEmpty else { return [] }
        // Split by bytes, because a carriage return with its line feed is one character.
        let parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var lines = parts.dropLast().map { line in
            let hasReturn = line.last == UInt8(ascii: "\r")
            return PlainLine(
                text: String(decoding: hasReturn ? line.dropLast() : line, as: UTF8.self),
                ending: hasReturn ? .carriageReturnLineFeed : .lineFeed)
        }
        if let last = parts.last, !last.isEmpty {
            lines.append(PlainLine(text: String(decoding: last, as: UTF8.self), ending: .missing))
        }
        return lines
    }

    private static func merged(_ old: [PlainLine], _ new: [PlainLine]) -> [(DiffLine.Kind, PlainLine)] {
        let shorter = min(old.count, new.count)
        let start = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
        let end = (0..<shorter - start).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? shorter - start
        let middle = different(Array(old[start..<old.count - end]), Array(new[start..<new.count - end]))
        return old[..<start].map { (.context, $0) } + middle + old[(old.count - end)...].map { (.context, $0) }
    }

    private static func different(_ old: [PlainLine], _ new: [PlainLine]) -> [(DiffLine.Kind, PlainLine)] {
        guard old.count <= lineLimit, new.count <= lineLimit else {
            return old.map { (.deleted, $0) } + new.map { (.inserted, $0) }
        }
        let difference = new.difference(from: old)
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var result: [(DiffLine.Kind, PlainLine)] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if before < old.count, removed.contains(before) {
                result.append((.deleted, old[before]))
                before += 1
            } else if after < new.count, inserted.contains(after) {
                result.append((.inserted, new[after]))
                after += 1
            } else if before < old.count {
                result.append((.context, old[before]))
                (before, after) = (before + 1, after + 1)
            } else {
                break
            }
        }
        return result
    }

    private static func rows(_ lines: [(DiffLine.Kind, Int?, PlainLine)], _ language: CodeLanguage?) -> [DiffRow] {
        let endings = Set(lines.filter { $0.0 != .context }.map(\.2.ending)).subtracting([.missing])
        // If changed lines have both endings, the ending is part of the change.
        func marked(_ kind: DiffLine.Kind, _ ending: LineEnding) -> LineEnding? {
            ending == .missing || kind != .context && endings.count > 1 ? ending : nil
        }
        let highlighter = language.map(Highlighter.init)
        // Each side is highlighted as a text of its own.
        var (old, new) = (Highlighter.State(), Highlighter.State())
        return lines.enumerated().map { index, line in
            let (kind, number, text, ending) = (line.0, line.1, line.2.text, marked(line.0, line.2.ending))
            guard let highlighter else {
                return DiffRow(id: index, kind: kind, number: number, ending: ending, runs: [CodeRun(kind: .plain, text: text)])
            }
            let before = highlighter.tokens(of: text, old)
            let after = highlighter.tokens(of: text, new)
            if kind != .inserted { old = before.state }
            if kind != .deleted { new = after.state }
            let tokens = kind == .deleted ? before.tokens : after.tokens
            var runs: [CodeRun] = []
            for token in tokens { runs.add(token.kind, token.text(in: text)) }
            return DiffRow(id: index, kind: kind, number: number, ending: ending, runs: runs)
        }
    }
}
