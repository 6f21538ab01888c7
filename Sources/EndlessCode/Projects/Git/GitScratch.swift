import Foundation

/// A private git folder that replaces a project's `.git`, of which git then reads only the objects.
///
/// The project's configuration could run programs (`core.fsmonitor`, `filter.*`, `diff.*.textconv`, hooks, …) or lead elsewhere
/// (`core.worktree`, includes), also by new keys of a later git. So git never sees it. This folder has a configuration that only
/// describes the work tree, the commit of `HEAD`, and copies of the index and `info/exclude`. The objects are used in place if none
/// leads elsewhere: ``GitLocation``. `.gitattributes` may name drivers and filters; none is configured.
///
/// The folder is deleted when the instance is released.
final class GitScratch: Sendable {
    /// The refusal to read a repository, with a sentence for developers.
    struct Refusal: Error {
        var reason: String
    }

    private static let maximumTextSize = 1 << 20
    private static let maximumReferencesSize = 32 << 20
    private static let maximumIndexSize = 256 << 20

    let path: String
    let location: GitLocation

    /// - Parameter roots: See ``GitLocation``.
    /// - Returns: nil if the project has no repository.
    /// - Throws: ``Refusal``; ``ProjectError`` if git itself does not run.
    convenience init?(for folder: ProjectFolder, roots: [String], with git: GitProgram) async throws {
        guard let location = try GitLocation(of: folder, roots: roots) else { return nil }
        try await self.init(location, with: git)
    }

    init(_ location: GitLocation, with git: GitProgram) async throws {
        self.location = location
        path = try Self.temporaryFolder()
        var settings: [String: String]
        do {
            try write("refs/none", [])
            try write("HEAD", Array((head() + "\n").utf8))
            if let exclude = try text("info/exclude", common: true) { try write("info/exclude", exclude) }
            try copyIndex()
            settings = try await self.settings(text("config", common: true), with: git)
            if settings["extensions.worktreeconfig"].flatMap(Self.boolean) == true {
                settings.merge(try await self.settings(text("config.worktree"), with: git)) { $1 }
            }
        } catch let error as ProjectError {
            throw Refusal(reason: error.detail)
        }
        try write("config", Array(try configuration(settings).utf8))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private static func temporaryFolder() throws -> String {
        var template = Array(FileManager.default.temporaryDirectory.appending(path: "switchboard-git-XXXXXX").path.utf8CString)
        guard mkdtemp(&template) != nil else { throw ProjectError.system(errno, "the temporary folder") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: Running git

    /// Returns the environment of git. Nothing is inherited.
    static func variables(home: String) -> [String: String] {
        [
            "HOME": home, "XDG_CONFIG_HOME": home, "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_ATTR_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat", "GIT_PROTOCOL_FROM_USER": "0",
            "GIT_ALLOW_PROTOCOL": "none",
            // `home` is the scratch folder. Git does not search for a repository around it.
            "GIT_CEILING_DIRECTORIES": URL(filePath: home).deletingLastPathComponent().path,
        ]
    }

    /// Runs a command on the project's work tree.
    ///
    /// - Throws: ``Refusal`` if git reports an error; ``ProjectError``.
    func run(_ git: GitProgram, _ arguments: [String], outputLimit: Int) async throws -> GitProgram.Ending {
        var variables = Self.variables(home: path)
        variables["GIT_OBJECT_DIRECTORY"] = location.objects
        let ending = try await git.run(
            ["--git-dir=\(path)", "--work-tree=\(location.workTree)", "--no-pager", "--no-optional-locks", "--literal-pathspecs"]
                + arguments,
            in: path, variables: variables, outputLimit: outputLimit)
        guard ending.code == 0 || ending.truncated else {
            throw Refusal(reason: "git failed: \(ending.errors.prefix(300).trimmingCharacters(in: .whitespacesAndNewlines))")
        }
        return ending
    }

    /// Returns the paths of submodules from the work tree, as in `.gitmodules`.
    func submodules(_ git: GitProgram) async throws -> [String] {
        let text: [UInt8]
        do {
            let (descriptor, _) = try FolderWalk(".gitmodules", below: location.workTree).file()
            text = try descriptor.read(Self.maximumTextSize)
        } catch {
            return []
        }
        return try await settings(text, with: git).filter { $0.key.hasPrefix("submodule.") && $0.key.hasSuffix(".path") }.map(
            \.value
        ).sorted()
    }

    /// The branch of `HEAD`; nil for a detached `HEAD`.
    var branch: String? {
        guard let head = try? line("HEAD"), head.hasPrefix("ref: refs/heads/") else { return nil }
        return String(head.dropFirst("ref: refs/heads/".count).prefix(200))
    }

    // MARK: Parts of the repository

    /// Returns the values of a configuration file by lower-case name; empty without the file.
    private func settings(_ text: [UInt8]?, with git: GitProgram) async throws -> [String: String] {
        guard let text else { return [:] }
        // Git only parses the copy here: it follows no include, and acts on no value.
        try write("theirs", text)
        let ending = try await git.run(
            ["config", "--file", "\(path)/theirs", "--no-includes", "--null", "--list"], in: path,
            variables: Self.variables(home: path), outputLimit: 4 * Self.maximumTextSize)
        guard ending.code == 0, !ending.truncated else {
            throw Refusal(reason: "the configuration of the repository cannot be read")
        }
        var values: [String: String] = [:]
        for entry in ending.output.split(separator: 0) {
            let parts = String(decoding: entry, as: UTF8.self).split(
                separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            values[parts[0].lowercased()] = parts.count > 1 ? String(parts[1]) : "true"
        }
        return values
    }

    /// Returns the configuration of this folder, with the repository's values that describe its work tree.
    private func configuration(_ values: [String: String]) throws -> String {
        if let references = values["extensions.refstorage"], references != "files" {
            throw Refusal(
                reason: "the repository keeps its references in the form \(references.prefix(20)), which is not supported")
        }
        let isSHA256 = values["extensions.objectformat"]?.lowercased() == "sha256"
        var lines = [
            "[core]", "repositoryFormatVersion = \(isSHA256 ? 1 : 0)", "bare = false", "quotePath = false", "fsmonitor = false",
        ]
        lines += ["untrackedCache = false", "bigFileThreshold = \(FileContent.maximumSize)", "commitGraph = false"]
        lines += ["hooksPath", "attributesFile", "excludesFile"].map { "\($0) = /dev/null" }
        for key in ["filemode", "symlinks", "ignorecase", "precomposeunicode", "trustctime"] {
            if let value = values["core.\(key)"].flatMap(Self.boolean) { lines.append("\(key) = \(value)") }
        }
        if let value = values["core.autocrlf"] {
            lines.append("autocrlf = \(value.lowercased() == "input" ? "input" : String(Self.boolean(value) ?? false))")
        }
        if let value = values["core.eol"]?.lowercased(), ["lf", "crlf", "native"].contains(value) {
            lines.append("eol = \(value)")
        }
        if isSHA256 { lines += ["[extensions]", "objectFormat = sha256"] }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func boolean(_ value: String) -> Bool? {
        switch value.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0", "": false
        default: nil
        }
    }

    /// Returns the commit of `HEAD` as hexadecimal digits, or a reference that does not exist if there is no commit.
    private func head() throws -> String {
        var content = try line("HEAD") ?? ""
        for _ in 0..<5 {
            guard content.hasPrefix("ref:") else { break }
            let name = content.dropFirst(4).trimmingCharacters(in: .whitespaces)
            guard name.hasPrefix("refs/"), !name.split(separator: "/").contains("..") else { break }
            guard let next = try line(name) ?? line(name, common: true) ?? packed(name) else { return "ref: refs/heads/unborn" }
            content = next
        }
        guard [40, 64].contains(content.utf8.count), content.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw Refusal(reason: "HEAD of the repository cannot be read")
        }
        return content
    }

    private func packed(_ name: String) throws -> String? {
        guard let references = try text("packed-refs", common: true, limit: Self.maximumReferencesSize) else { return nil }
        let wanted = Array(" \(name)".utf8)
        for line in references.split(separator: UInt8(ascii: "\n"))
        where line.count > wanted.count && line.suffix(wanted.count) == wanted[...] {
            return String(decoding: line.dropLast(wanted.count), as: UTF8.self)
        }
        return nil
    }

    private func line(_ path: String, common: Bool = false) throws -> String? {
        try text(path, common: common, limit: 4096).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Returns the bytes of a file; nil if there is no such file.
    ///
    /// - Parameter common: True for the folder that work trees share.
    private func text(_ path: String, common: Bool = false, limit: Int = maximumTextSize) throws(ProjectError) -> [UInt8]? {
        do throws(ProjectError) {
            let (descriptor, _) = try FolderWalk(path, below: common ? location.commonFolder : location.gitFolder).file()
            let bytes = try descriptor.read(limit + 1)
            guard bytes.count <= limit else { throw ProjectError(.failed, "\(path) is too large") }
            return bytes
        } catch {
            // `refs/heads/a` may be a folder while the branch `a` is packed.
            if error.code == .notFound || error.code == .notAFile || error.code == .notAFolder { return nil }
            throw error
        }
    }

    private func copyIndex() throws {
        try copy(index: "index")
        // A split index has further files.
        let (descriptor, _) = try FolderWalk([], below: location.gitFolder).folder()
        var parts: [String] = []
        try descriptor.forEachEntry { name, _ throws(ProjectError) in
            if name.starts(with: "sharedindex.".utf8), parts.count < 100 { parts.append(FileName.text(name)) }
        }
        for part in parts { try copy(index: part) }
    }

    private func copy(index name: String) throws(ProjectError) {
        let descriptor: Descriptor
        do { (descriptor, _) = try FolderWalk(name, below: location.gitFolder).file() } catch {
            if error.code == .notFound { return }
            throw error
        }
        let status = try descriptor.status()
        guard status.st_size <= Self.maximumIndexSize else { throw ProjectError(.failed, "the index is too large") }
        let number = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .system(errno, "the copy of the index") }
        let copy = Descriptor(number)
        var offset: Int64 = 0
        while offset <= Int64(Self.maximumIndexSize) {
            let bytes = try descriptor.read(1 << 20, at: offset)
            if bytes.isEmpty { break }
            try copy.write(bytes)
            offset += Int64(bytes.count)
        }
        // Git compares this time with those of files, and reads files that changed at the same moment.
        let times = [status.modificationTime, status.modificationTime]
        guard futimens(number, times) == 0 else { throw .system(errno, "the copy of the index") }
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }
}

extension Descriptor {
    func write(_ bytes: [UInt8]) throws(ProjectError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress!, $0.count) }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .system(errno, "the file")
            }
            rest = rest.dropFirst(count)
        }
    }
}
