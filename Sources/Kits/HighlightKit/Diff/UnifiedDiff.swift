/// A parsed patch in the unified format, as `git diff` and `diff -u` write it, for display.
///
/// Lines that belong to no file are ignored. A hunk ends after the line counts in its header, so a deleted line `-- a` is not a
/// file's header. A truncated or invalid patch yields the parts that could be read.
package struct UnifiedDiff: Hashable, Sendable {
    package let files: [DiffFile]

    /// Reads a patch. The time is linear in its length.
    package init(_ text: String) {
        var parser = DiffParser()
        parser.parse(text)
        files = parser.finish()
    }
}

/// The changes of one file.
package struct DiffFile: Hashable, Sendable, Identifiable {
    package enum Change: Hashable, Sendable { case added, deleted, modified, renamed, copied }

    /// The index in the diff.
    package let id: Int
    package let change: Change
    /// The path before the change, without the prefix `a/`; nil for an added file.
    package let oldPath: String?
    /// The path after the change, without the prefix `b/`; nil for a deleted file.
    package let newPath: String?
    /// True if the content is not text. There are no hunks then.
    package let isBinary: Bool
    /// The permissions before and after in octal, for example `100755`, if they differ.
    package let oldMode: String?
    package let newMode: String?
    package let hunks: [DiffHunk]
    package let insertedLineCount: Int
    package let deletedLineCount: Int

    /// The path after the change; for a deleted file, the path before.
    package var path: String { newPath ?? oldPath ?? "" }
    package var language: CodeLanguage? { CodeLanguage(fileName: path) }
}

/// Successive changed lines of a file, with the lines around them.
package struct DiffHunk: Hashable, Sendable, Identifiable {
    /// The index in the file.
    package let id: Int
    /// The number of the first line in the old file, counted from 1; 0 if there are no lines.
    package let oldStart: Int
    /// The number of the first line in the new file, counted from 1; 0 if there are no lines.
    package let newStart: Int
    /// The text after the second `@@`: usually the function around the hunk.
    package let section: String
    package let lines: [DiffLine]
}

/// A line of a hunk.
package struct DiffLine: Hashable, Sendable, Identifiable {
    package enum Kind: Hashable, Sendable { case context, inserted, deleted }

    /// The index in the hunk.
    package let id: Int
    package let kind: Kind
    /// The line number in the old file, counted from 1; nil for an inserted line.
    package let oldNumber: Int?
    /// The line number in the new file, counted from 1; nil for a deleted line.
    package let newNumber: Int?
    /// The line without its mark and line ending.
    package let text: String
    package let ending: LineEnding

    /// False for the last line of a file that does not end with a line ending.
    package var hasLineEnding: Bool { ending != .missing }
}

/// The end of a line.
package enum LineEnding: Hashable, Sendable {
    case lineFeed
    case carriageReturnLineFeed
    /// The text ends without a line ending.
    case missing
}
