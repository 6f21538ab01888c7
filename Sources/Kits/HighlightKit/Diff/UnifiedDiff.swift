/// A patch in the unified format, as `git diff` and `diff -u` write it, for showing.
///
/// Lines that belong to no file are ignored. A hunk ends after the number of lines in its header, so a deleted line `-- a` is not a file's
/// header. A patch that was cut off, or is not one, gives what could be read of it.
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
    /// The path before; nil for an added file. Without the prefix `a/`.
    package let oldPath: String?
    /// The path after; nil for a deleted file. Without the prefix `b/`.
    package let newPath: String?
    /// True if the content is not text. There are no hunks then.
    package let isBinary: Bool
    /// The permissions before and after in octal, for example `100755`, if they differ.
    package let oldMode: String?
    package let newMode: String?
    package let hunks: [DiffHunk]
    package let insertedLineCount: Int
    package let deletedLineCount: Int

    /// The path after, or the path before of a deleted file.
    package var path: String { newPath ?? oldPath ?? "" }
    package var language: CodeLanguage? { CodeLanguage(fileName: path) }
}

/// Successive lines of a file, with those around them.
package struct DiffHunk: Hashable, Sendable, Identifiable {
    /// The index in the file.
    package let id: Int
    /// The first line before, counted from 1; 0 if there are none.
    package let oldStart: Int
    /// The first line after, counted from 1; 0 if there are none.
    package let newStart: Int
    /// The text behind the second `@@`: usually the function around the hunk.
    package let section: String
    package let lines: [DiffLine]
}

/// A line of a hunk.
package struct DiffLine: Hashable, Sendable, Identifiable {
    package enum Kind: Hashable, Sendable { case context, inserted, deleted }

    /// The index in the hunk.
    package let id: Int
    package let kind: Kind
    /// The number of the line before, counted from 1; nil for an inserted line.
    package let oldNumber: Int?
    /// The number of the line after, counted from 1; nil for a deleted line.
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
    /// The end of the text.
    case missing
}
