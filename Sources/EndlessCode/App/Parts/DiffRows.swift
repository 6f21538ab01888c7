import HighlightKit
import ViewKit

/// A line of a diff with its colours.
nonisolated struct DiffRow: Identifiable, Hashable, Sendable {
    /// The index among the rows.
    let id: Int
    let kind: DiffLine.Kind
    /// The number after the change, or of a deleted line the number before; nil where the file's other lines are unknown.
    let number: Int?
    let runs: [CodeRun]
}

/// Lines for a ``DiffView``.
nonisolated enum DiffRows {
    /// The number of lines on each side, between those at the start and the end that are equal, up to which a change is divided into lines that stay
    /// and lines that differ.
    static let lineLimit = 500

    /// The first rows of a part of a patch.
    static func rows(of hunk: DiffHunk, _ language: CodeLanguage?, limit: Int = .max) -> [DiffRow] {
        rows(hunk.lines.prefix(limit).map { ($0.kind, $0.newNumber ?? $0.oldNumber, $0.text) }, language)
    }

    /// The rows of an edit that replaces one text by another one.
    static func rows(replacing old: String, with new: String, _ language: CodeLanguage?) -> [DiffRow] {
        let (old, new) = (lines(of: old), lines(of: new))
        return rows(merged(old, new).map { ($0.0, nil, $0.1) }, language)
    }

    private static func lines(of text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        // By bytes: a carriage return with its line feed is one character.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    private static func merged(_ old: [String], _ new: [String]) -> [(DiffLine.Kind, String)] {
        let shorter = min(old.count, new.count)
        let start = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
        let end = (0..<shorter - start).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? shorter - start
        let middle = different(Array(old[start..<old.count - end]), Array(new[start..<new.count - end]))
        return old[..<start].map { (.context, $0) } + middle + old[(old.count - end)...].map { (.context, $0) }
    }

    private static func different(_ old: [String], _ new: [String]) -> [(DiffLine.Kind, String)] {
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
        var result: [(DiffLine.Kind, String)] = []
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

    private static func rows(_ lines: [(DiffLine.Kind, Int?, String)], _ language: CodeLanguage?) -> [DiffRow] {
        let highlighter = language.map(Highlighter.init)
        // Each side is a text of its own.
        var (old, new) = (Highlighter.State(), Highlighter.State())
        return lines.enumerated().map { index, line in
            let (kind, number, text) = line
            guard let highlighter else {
                return DiffRow(id: index, kind: kind, number: number, runs: [CodeRun(kind: .plain, text: text)])
            }
            let before = highlighter.tokens(of: text, old)
            let after = highlighter.tokens(of: text, new)
            if kind != .inserted { old = before.state }
            if kind != .deleted { new = after.state }
            let tokens = kind == .deleted ? before.tokens : after.tokens
            var runs: [CodeRun] = []
            for token in tokens { runs.add(token.kind, token.text(in: text)) }
            return DiffRow(id: index, kind: kind, number: number, runs: runs)
        }
    }
}
