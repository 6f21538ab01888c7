/// A patch in the unified format, as `git diff` and `diff -u` write it, for showing.
///
/// Lines that belong to no file are ignored. A hunk ends after the number of lines in its header, so a deleted line `-- a` is not a file's
/// header. A patch that was cut off, or is not one, gives what could be read of it.
public struct UnifiedDiff: Hashable, Sendable {
    public let files: [DiffFile]

    /// Reads a patch. The time is linear in its length.
    public init(_ text: String) {
        var parser = DiffParser()
        parser.parse(text)
        files = parser.finish()
    }
}

/// The changes of one file.
public struct DiffFile: Hashable, Sendable, Identifiable {
    public enum Change: Hashable, Sendable { case added, deleted, modified, renamed, copied }

    /// The index in the diff.
    public let id: Int
    public let change: Change
    /// The path before; nil for an added file. Without the prefix `a/`.
    public let oldPath: String?
    /// The path after; nil for a deleted file. Without the prefix `b/`.
    public let newPath: String?
    /// True if the content is not text. There are no hunks then.
    public let isBinary: Bool
    /// The permissions before and after in octal, for example `100755`, if they differ.
    public let oldMode: String?
    public let newMode: String?
    public let hunks: [DiffHunk]
    public let insertedLineCount: Int
    public let deletedLineCount: Int

    /// The path after, or the path before of a deleted file.
    public var path: String { newPath ?? oldPath ?? "" }
    public var language: CodeLanguage? { CodeLanguage(fileName: path) }
}

/// Successive lines of a file, with those around them.
public struct DiffHunk: Hashable, Sendable, Identifiable {
    /// The index in the file.
    public let id: Int
    /// The first line before, counted from 1; 0 if there are none.
    public let oldStart: Int
    /// The first line after, counted from 1; 0 if there are none.
    public let newStart: Int
    /// The text behind the second `@@`: usually the function around the hunk.
    public let section: String
    public let lines: [DiffLine]
}

/// A line of a hunk.
public struct DiffLine: Hashable, Sendable, Identifiable {
    public enum Kind: Hashable, Sendable { case context, inserted, deleted }

    /// The index in the hunk.
    public let id: Int
    public let kind: Kind
    /// The number of the line before, counted from 1; nil for an inserted line.
    public let oldNumber: Int?
    /// The number of the line after, counted from 1; nil for a deleted line.
    public let newNumber: Int?
    /// The line without its mark and line ending.
    public let text: String
    public let ending: LineEnding

    /// False for the last line of a file that does not end with a line ending.
    public var hasLineEnding: Bool { ending != .missing }
}

/// The end of a line.
public enum LineEnding: Hashable, Sendable {
    case lineFeed
    case carriageReturnLineFeed
    /// The end of the text.
    case missing
}
