/// A parser that reads a patch line by line.
struct DiffParser {
    private struct Hunk {
        var oldStart: Int
        var newStart: Int
        var section: String
        var oldLeft: Int
        var newLeft: Int
        var oldNumber: Int
        var newNumber: Int
        var lines: [DiffLine] = []
    }

    private struct File {
        var oldPath: String?
        var newPath: String?
        var oldMode: String?
        var newMode: String?
        var isAdded = false
        var isDeleted = false
        var isRenamed = false
        var isCopied = false
        var isBinary = false
        var hunks: [DiffHunk] = []
        var inserted = 0
        var deleted = 0
        /// True after the lines `---` and `+++`.
        var hasPaths = false
    }

    private var files: [DiffFile] = []
    private var file: File?
    private var hunk: Hunk?

    mutating func parse(_ text: String) {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: .lineFeed) ?? bytes.count
            line(bytes[start..<end])
            start = end + 1
        }
    }

    mutating func finish() -> [DiffFile] {
        endFile()
        return files
    }

    // MARK: Lines

    private mutating func line(_ bytes: ArraySlice<UInt8>) {
        if hunk != nil, hunkLine(bytes) { return }
        var bytes = bytes
        if bytes.last == .carriageReturn { bytes.removeLast() }
        let text = String(decoding: bytes, as: UTF8.self)
        func rest(_ prefix: String) -> String? { text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil }

        if let paths = rest("diff --git ") {
            endFile()
            let (oldPath, newPath) = Self.gitPaths(paths)
            file = File(oldPath: oldPath, newPath: newPath)
        } else if let path = rest("diff --cc ") ?? rest("diff --combined ") {
            endFile()
            file = File(oldPath: Self.path(path, prefix: ""), newPath: Self.path(path, prefix: ""))
        } else if let path = rest("--- ") {
            // A `---` line without a preceding Git header begins a file.
            if file == nil || file?.hasPaths == true || file?.hunks.isEmpty == false {
                endFile()
                file = File()
            }
            file?.hasPaths = true
            let path = Self.path(path, prefix: "a/")
            if path == nil { file?.isAdded = true }
            file?.oldPath = path
        } else if let path = rest("+++ "), file != nil {
            let path = Self.path(path, prefix: "b/")
            if path == nil { file?.isDeleted = true }
            file?.newPath = path
        } else if let counts = Self.hunkCounts(Array(bytes)), file != nil {
            endHunk()
            hunk = Hunk(
                oldStart: counts.old.start, newStart: counts.new.start, section: counts.section, oldLeft: counts.old.count,
                newLeft: counts.new.count, oldNumber: counts.old.start, newNumber: counts.new.start)
        } else if file != nil {
            extendedHeader(text, rest)
        }
    }

    private mutating func extendedHeader(_ text: String, _ rest: (String) -> String?) {
        if let mode = rest("old mode ") { file?.oldMode = mode }
        if let mode = rest("new mode ") { file?.newMode = mode }
        if rest("new file mode ") != nil {
            file?.isAdded = true
            file?.oldPath = nil
        }
        if rest("deleted file mode ") != nil {
            file?.isDeleted = true
            file?.newPath = nil
        }
        if let path = rest("rename from ") {
            file?.isRenamed = true
            file?.oldPath = Self.path(path, prefix: "")
        }
        if let path = rest("rename to ") { file?.newPath = Self.path(path, prefix: "") }
        if let path = rest("copy from ") {
            file?.isCopied = true
            file?.oldPath = Self.path(path, prefix: "")
        }
        if let path = rest("copy to ") { file?.newPath = Self.path(path, prefix: "") }
        if text.hasPrefix("Binary files ") && text.hasSuffix(" differ") || text == "GIT binary patch" { file?.isBinary = true }
    }

    /// Takes a line of the open hunk. Returns false if the hunk has ended.
    private mutating func hunkLine(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard var hunk else { return false }
        if bytes.first == .backslash {
            guard let last = hunk.lines.popLast() else { return true }
            // A carriage return at the end of a file is no line ending.
            hunk.lines.append(
                DiffLine(
                    id: last.id, kind: last.kind, oldNumber: last.oldNumber, newNumber: last.newNumber,
                    text: last.ending == .carriageReturnLineFeed ? last.text + "\r" : last.text, ending: .missing))
            self.hunk = hunk
            return true
        }
        let kind: DiffLine.Kind
        switch bytes.first {
        case .plus where hunk.newLeft > 0: kind = .inserted
        case .minus where hunk.oldLeft > 0: kind = .deleted
        // Some tools drop the space of an empty line.
        case .space where hunk.oldLeft > 0 && hunk.newLeft > 0, nil where hunk.oldLeft > 0 && hunk.newLeft > 0: kind = .context
        default:
            endHunk()
            return false
        }
        let hasReturn = bytes.count > 1 && bytes.last == .carriageReturn
        let text = String(decoding: bytes.dropFirst().dropLast(hasReturn ? 1 : 0), as: UTF8.self)
        hunk.lines.append(
            DiffLine(
                id: hunk.lines.count, kind: kind, oldNumber: kind == .inserted ? nil : hunk.oldNumber,
                newNumber: kind == .deleted ? nil : hunk.newNumber, text: text,
                ending: hasReturn ? .carriageReturnLineFeed : .lineFeed))
        if kind != .inserted {
            hunk.oldNumber += 1
            hunk.oldLeft -= 1
        }
        if kind != .deleted {
            hunk.newNumber += 1
            hunk.newLeft -= 1
        }
        self.hunk = hunk
        return true
    }

    // MARK: Ends

    private mutating func endHunk() {
        guard let hunk, file != nil else { return }
        self.hunk = nil
        file?.inserted += hunk.lines.count { $0.kind == .inserted }
        file?.deleted += hunk.lines.count { $0.kind == .deleted }
        let id = file?.hunks.count ?? 0
        file?.hunks.append(
            DiffHunk(id: id, oldStart: hunk.oldStart, newStart: hunk.newStart, section: hunk.section, lines: hunk.lines))
    }

    private mutating func endFile() {
        endHunk()
        hunk = nil
        guard let file else { return }
        self.file = nil
        let change: DiffFile.Change =
            file.isAdded ? .added : file.isDeleted ? .deleted : file.isRenamed ? .renamed : file.isCopied ? .copied : .modified
        files.append(
            DiffFile(
                id: files.count, change: change, oldPath: file.isAdded ? nil : file.oldPath,
                newPath: file.isDeleted ? nil : file.newPath,
                isBinary: file.isBinary, oldMode: file.oldMode, newMode: file.newMode, hunks: file.hunks,
                insertedLineCount: file.inserted,
                deletedLineCount: file.deleted))
    }

    // MARK: Headers

    /// Reads `@@ -1,2 +3,4 @@ section`; nil for another line. Numbers have at most nine digits.
    static func hunkCounts(_ bytes: [UInt8]) -> (old: (start: Int, count: Int), new: (start: Int, count: Int), section: String)? {
        var index = 0
        func byte() -> UInt8 { index < bytes.count ? bytes[index] : 0 }
        func take(_ text: String) -> Bool {
            guard bytes[min(index, bytes.count)...].starts(with: text.utf8) else { return false }
            index += text.utf8.count
            return true
        }
        func number() -> Int? {
            var (value, count) = (0, 0)
            while byte().isDigit {
                guard count < 9 else { return nil }
                value = value * 10 + Int(byte() - 0x30)
                count += 1
                index += 1
            }
            return count > 0 ? value : nil
        }
        func range() -> (start: Int, count: Int)? {
            guard let start = number() else { return nil }
            guard take(",") else { return (start, 1) }
            guard let count = number() else { return nil }
            return (start, count)
        }
        guard take("@@ -"), let old = range(), take(" +"), let new = range(), take(" @@") else { return nil }
        _ = take(" ")
        var section = bytes[index...]
        if section.last == .carriageReturn { section.removeLast() }
        return (old, new, String(decoding: section, as: UTF8.self))
    }

    /// Returns the paths of `a/x b/x`. Two unquoted paths are split into equal halves; other header lines name a renamed file.
    private static func gitPaths(_ text: String) -> (old: String?, new: String?) {
        if text.hasPrefix("\"") {
            let parts = quotedPrefix(text)
            return (path(parts.quoted, prefix: "a/"), path(String(parts.rest.drop { $0 == " " }), prefix: "b/"))
        }
        if text.hasSuffix("\""), let quote = text.range(ofText: " \"") {
            return (path(String(text[..<quote]), prefix: "a/"), path(String(text[text.index(after: quote)...]), prefix: "b/"))
        }
        let bytes = Array(text.utf8)
        let middle = bytes.count / 2
        if bytes.count % 2 == 1, bytes[middle] == .space {
            let (old, new) = (
                String(decoding: bytes[..<middle], as: UTF8.self), String(decoding: bytes[(middle + 1)...], as: UTF8.self)
            )
            return (path(old, prefix: "a/"), path(new, prefix: "b/"))
        }
        guard let space = text.range(ofText: " b/") else { return (nil, nil) }
        return (path(String(text[..<space]), prefix: "a/"), path(String(text[text.index(after: space)...]), prefix: "b/"))
    }

    /// Splits a text after its first, quoted part.
    private static func quotedPrefix(_ text: String) -> (quoted: String, rest: String) {
        var (isEscaped, index) = (false, text.index(after: text.startIndex))
        while index < text.endIndex {
            let character = text[index]
            index = text.index(after: index)
            if isEscaped { isEscaped = false } else if character == "\\" { isEscaped = true } else if character == "\"" { break }
        }
        return (String(text[..<index]), String(text[index...]))
    }

    /// Returns the path of a header without quotes, prefix, and the time that `diff -u` adds; nil for `/dev/null`.
    private static func path(_ text: String, prefix: String) -> String? {
        var path = text
        if path.hasPrefix("\"") {
            path = unquoted(quotedPrefix(path).quoted)
        } else if let tab = path.firstIndex(of: "\t") {
            path = String(path[..<tab])
        }
        if path == "/dev/null" { return nil }
        return !prefix.isEmpty && path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    /// Returns the text of a C string: `"a\303\244\t"`.
    private static func unquoted(_ text: String) -> String {
        let bytes = Array(text.utf8.dropFirst().dropLast(text.utf8.count > 1 && text.hasSuffix("\"") ? 1 : 0))
        let escapes: [UInt8: UInt8] = [0x61: 7, 0x62: 8, 0x74: 9, 0x6E: 10, 0x76: 11, 0x66: 12, 0x72: 13]
        var (result, index) = ([UInt8](), 0)
        while index < bytes.count {
            guard bytes[index] == .backslash, index + 1 < bytes.count else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let digits = bytes[(index + 1)...].prefix(3).prefix { $0 >= 0x30 && $0 <= 0x37 }
            if digits.isEmpty {
                result.append(escapes[bytes[index + 1]] ?? bytes[index + 1])
                index += 2
            } else {
                result.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }))
                index += 1 + digits.count
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension String {
    /// Returns the index at which `text` begins; nil if it does not occur.
    fileprivate func range(ofText text: String) -> Index? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { return index }
            index = self.index(after: index)
        }
        return nil
    }
}
