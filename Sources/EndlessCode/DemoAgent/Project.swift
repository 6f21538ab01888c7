import Foundation

/// The folder in which the agent was started. Paths outside the folder are refused.
struct Project: Sendable {
    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    static let maximumFileLength = 1_048_576
    let folder: URL

    /// Returns the relative paths of at most 200 files and folders, without hidden ones.
    func list() -> [String] {
        var names: [String] = []
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
        while names.count < 200, let file = files?.nextObject() as? URL {
            let isFolder = (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
            names.append(relative(file) + (isFolder ? "/" : ""))
        }
        return names.sorted()
    }

    func read(_ path: String) throws -> String {
        let file = try url(path)
        guard let handle = try? FileHandle(forReadingFrom: file), let data = try? handle.read(upToCount: Self.maximumFileLength)
        else {
            throw Refusal(description: "\(path) cannot be read")
        }
        return String(decoding: data, as: UTF8.self)
    }

    func write(_ path: String, _ content: String) throws {
        let file = try url(path)
        do {
            try Data(content.utf8).write(to: file)
        } catch {
            throw Refusal(description: "\(path) cannot be written")
        }
    }

    func exists(_ path: String) -> Bool { (try? url(path)).map { FileManager.default.fileExists(atPath: $0.path) } ?? false }

    /// Returns the absolute path of a file, as tools use it.
    func absolute(_ path: String) -> String { folder.appending(path: path).path }

    private func relative(_ file: URL) -> String {
        let path = file.resolvingSymlinksInPath().path
        return path.hasPrefix(folder.path + "/") ? String(path.dropFirst(folder.path.count + 1)) : file.lastPathComponent
    }

    /// Returns the file at a path inside the project. The file's folder must exist.
    private func url(_ path: String) throws -> URL {
        let file = (path.hasPrefix("/") ? URL(filePath: path) : folder.appending(path: path)).standardizedFileURL
        let refusal = Refusal(description: "\(path) is outside of the project")
        // A link may lead outside, also in the middle of the path.
        guard let parent = Self.resolved(file.deletingLastPathComponent()), isInside(parent) else { throw refusal }
        let entry = parent.appending(path: file.lastPathComponent)
        if let target = Self.resolved(entry) {
            guard isInside(target) else { throw refusal }
            return target
        }
        // Writing to a broken link would create its target.
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: entry.path)) == nil else { throw refusal }
        return entry
    }

    private func isInside(_ file: URL) -> Bool { file.path == folder.path || file.path.hasPrefix(folder.path + "/") }

    /// Returns the file without links; nil if the file does not exist.
    private static func resolved(_ file: URL) -> URL? {
        guard let path = realpath(file.path, nil) else { return nil }
        defer { free(path) }
        return URL(filePath: String(cString: path))
    }
}
