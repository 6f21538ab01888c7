import Foundation
import ServerKit
import WireKit

/// A list of the program's owner in a private file of a data folder: one entry a line. A running program sees changes at once.
struct OwnerList: Sendable {
    /// Maximum entries of a list.
    static let maximumCount = 1_000

    let file: URL

    /// The entries in the order in which they were added. None if the file is missing, cannot be read, or belongs to another user.
    var entries: [String] {
        guard FileManager.default.fileExists(atPath: file.path), let text = try? PrivateFiles.secret(in: file) else { return [] }
        return Self.entries(of: text)
    }

    private static func entries(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.hasPrefix("#") }.suffix(maximumCount)
    }

    /// Adds entries that are missing.
    ///
    /// - Throws: `StartupError`, also for an entry with a line ending, and for an unreadable file, whose entries would be lost.
    func add(_ new: [String]) throws(StartupError) {
        for entry in new where entry.contains(where: \.isNewline) || entry.isEmpty || entry.hasPrefix("#") {
            throw StartupError("\"\(entry.printableInOneRow)\" cannot be an entry of \(file.path)")
        }
        let known = try stored()
        let missing = new.filter { !known.contains($0) }
        if !missing.isEmpty { try replace(known + missing) }
    }

    /// - Returns: False if there is no such entry.
    func remove(_ entry: String) throws(StartupError) -> Bool {
        let known = try stored()
        guard known.contains(entry) else { return false }
        try replace(known.filter { $0 != entry })
        return true
    }

    private func stored() throws(StartupError) -> [String] {
        FileManager.default.fileExists(atPath: file.path) ? Self.entries(of: try PrivateFiles.secret(in: file)) : []
    }

    /// Replaces the file as a whole.
    private func replace(_ entries: [String]) throws(StartupError) {
        guard entries.count <= Self.maximumCount else {
            throw StartupError("\(file.path) already has \(Self.maximumCount) entries; remove some first")
        }
        let new = file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent)-\(UUID().uuidString)")
        try PrivateFiles.create(new, text: entries.map { $0 + "\n" }.joined())
        guard rename(new.path, file.path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(new.path)
            throw StartupError("Cannot write \(file.path): \(reason)")
        }
    }
}
