import HighlightKit
import TestKit
import Testing

@Suite(.seeded) struct UnifiedDiffTests {
    private static let patch = #"""
        commit 0123
            a message with
            --- a/line that is none
        diff --git a/Sources/A.swift b/Sources/A.swift
        index 111..222 100755
        --- a/Sources/A.swift
        +++ b/Sources/A.swift
        @@ -10,4 +10,5 @@ struct A {
         one
        --- deleted comment
        +++ inserted
        +two
         three

        @@ -100 +101,0 @@
        -gone
        \ No newline at end of file
        diff --git a/old name.py b/new name.py
        similarity index 90%
        rename from old name.py
        rename to new name.py
        diff --git a/bin b/bin
        old mode 100644
        new mode 100755
        Binary files a/bin and b/bin differ
        diff --git "a/\303\244 \"q\".txt" "b/\303\244 \"q\".txt"
        new file mode 100644
        --- /dev/null
        +++ "b/\303\244 \"q\".txt"
        @@ -0,0 +1 @@
        +x
        diff --git a/gone b/gone
        deleted file mode 100644
        index 1..0
        """#

    private let diff = UnifiedDiff(Self.patch)

    @Test func filesHaveTheirPathsAndChanges() {
        #expect(diff.files.map(\.path) == ["Sources/A.swift", "new name.py", "bin", "ä \"q\".txt", "gone"])
        #expect(diff.files.map(\.change) == [.modified, .renamed, .modified, .added, .deleted])
        #expect(diff.files.map(\.oldPath) == ["Sources/A.swift", "old name.py", "bin", nil, "gone"])
        #expect(diff.files.map(\.newPath) == ["Sources/A.swift", "new name.py", "bin", "ä \"q\".txt", nil])
        #expect(diff.files.map(\.language) == [.swift, .python, nil, nil, nil])
        #expect(diff.files.map(\.isBinary) == [false, false, true, false, false])
        #expect(diff.files[2].oldMode == "100644")
        #expect(diff.files[2].newMode == "100755")
        #expect(diff.files.map(\.id) == [0, 1, 2, 3, 4])
    }

    @Test func linesHaveTheirNumbersAndKinds() throws {
        let hunks = diff.files[0].hunks
        try #require(hunks.count == 2)
        #expect(hunks[0].section == "struct A {")
        #expect(hunks[0].lines.map(\.text) == ["one", "-- deleted comment", "++ inserted", "two", "three", ""])
        #expect(hunks[0].lines.map(\.kind) == [.context, .deleted, .inserted, .inserted, .context, .context])
        #expect(hunks[0].lines.map(\.oldNumber) == [10, 11, nil, nil, 12, 13])
        #expect(hunks[0].lines.map(\.newNumber) == [10, nil, 11, 12, 13, 14])
        #expect(hunks[1].lines.map(\.hasLineEnding) == [false])
        #expect((hunks[1].oldStart, hunks[1].newStart) == (100, 101))
        #expect((diff.files[0].insertedLineCount, diff.files[0].deletedLineCount) == (2, 2))
    }

    @Test func linesHaveTheirEndings() {
        let lines = UnifiedDiff("--- a\n+++ b\n@@ -1,3 +1,3 @@\n same\r\n-a\r\n+a\n-b\r\n\\ No newline at end of file\n+b\n").files[
            0
        ].hunks[0].lines
        #expect(lines.map(\.ending) == [.carriageReturnLineFeed, .carriageReturnLineFeed, .lineFeed, .missing, .lineFeed])
        // A carriage return at the end of a file is no line ending.
        #expect(lines.map(\.text) == ["same", "a", "a", "b\r", "b"])
    }

    @Test func patchesWithoutGitHaveNoPrefixes() {
        let diff = UnifiedDiff(
            "--- x.c\t2024-01-01 00:00:00\n+++ x.c\t2024-01-02\n@@ -1 +1 @@\n-a\r\n+b\r\n--- y.c\n+++ y.c\n@@ -1 +1 @@\n-a\n+b\n")
        #expect(diff.files.map(\.path) == ["x.c", "y.c"])
        #expect(diff.files[0].hunks[0].lines.map(\.text) == ["a", "b"])
        #expect(diff.files[1].insertedLineCount == 1)
    }

    @Test func aMergesDiffGivesItsFile() {
        let diff = UnifiedDiff("diff --cc a b.c\nindex 1,2..3\n--- a/a b.c\n+++ b/a b.c\n@@@ -1,1 -1,1 +1,1 @@@\n++x\n")
        #expect(diff.files.map(\.path) == ["a b.c"])
        #expect(diff.files.first?.hunks.isEmpty == true)
    }

    @Test(arguments: [
        "", "text", "@@ -1 +1 @@\n-a", "diff --git", "diff --git ", "--- ", "+++ b/x", "\\ No newline",
        "--- a\n@@ -1,99999999999 +1 @@\n-a",
    ])
    func whatIsNoPatchGivesNoLines(_ text: String) {
        #expect(UnifiedDiff(text).files.allSatisfy { $0.hunks.isEmpty })
    }

    /// Cut and mixed patches neither trap nor lose the count of lines.
    @Test func anyTextIsRead() {
        var generator = SeededGenerator(seed: Seed.current)
        let lines = Self.patch.split(separator: "\n", omittingEmptySubsequences: false)
        for _ in 0..<Effort.count(300, soak: 50_000) {
            let count = Int.random(in: 1...30, using: &generator)
            var text = (0..<count).map { _ in String(lines.randomElement(using: &generator) ?? "") }.joined(separator: "\n")
            text = String(text.dropFirst(Int.random(in: 0...5, using: &generator)))
            for file in UnifiedDiff(text).files {
                let lines = file.hunks.flatMap(\.lines)
                #expect(lines.count { $0.kind == .inserted } == file.insertedLineCount)
                #expect(lines.count { $0.kind == .deleted } == file.deletedLineCount)
            }
        }
    }
}
