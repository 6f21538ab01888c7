import Foundation
import WireKit

/// The names of all entries of a folder, sorted. Sizes and times are read for one page only.
struct FolderListing {
    private struct Item {
        var name: [UInt8]
        /// The lower-case name, by which items are sorted.
        var key: [UInt8]
        var isFolder: Bool
        var isDeleted = false
    }

    /// The folder of git's own data, which is not shown.
    private static let repository = Array(".git".utf8)

    /// The names of the path that the caller gave.
    private let asked: [[UInt8]]
    /// The walk to the folder, without links.
    private let walk: FolderWalk
    private let marks: GitMarks
    private var items: [Item] = []

    init(of folder: ProjectFolder, at path: String, marks: GitMarks) throws(ProjectError) {
        let asked = try FolderWalk(path, below: folder.path)
        let (descriptor, place) = try asked.folder()
        let walk = FolderWalk(place.names, below: folder.path)
        (self.asked, self.walk, self.marks) = (asked.names, walk, marks)
        var items: [Item] = []
        try descriptor.forEachEntry { name, type throws(ProjectError) in
            guard name != Self.repository, let isFolder = Self.isFolder(name, type, walk) else { return }
            items.append(Item(name: name, key: Self.key(name), isFolder: isFolder))
        }
        let deleted = marks.deleted(in: place.names)
        if !deleted.isEmpty {
            let present = Set(items.map(\.name))
            for name in deleted where !present.contains(name) {
                items.append(Item(name: name, key: Self.key(name), isFolder: false, isDeleted: true))
            }
        }
        items.sort(by: Self.precedes)
        self.items = items
    }

    func page(offset: Int, limit: Int) -> FolderPage {
        let rest = items.dropFirst(offset)
        let entries = rest.prefix(limit).compactMap(entry)
        return FolderPage(entries: entries, totalCount: items.count, hasMore: rest.count > limit)
    }

    /// Returns the entry of an item; nil if the file has disappeared since the listing.
    private func entry(_ item: Item) -> FolderEntry? {
        let path = (asked + [item.name]).map(FileName.text).joined(separator: "/")
        var entry = FolderEntry(name: FileName.text(item.name), path: path, kind: item.isFolder ? .directory : .file, size: 0)
        entry.git = marks.mark(walk.names + [item.name])
        if item.isDeleted { return entry }
        guard let status = try? walk.child(item.name).place().status else { return nil }
        entry.modified = Timestamp(milliseconds: status.modifiedMilliseconds)
        entry.size = item.isFolder ? 0 : Int64(status.st_size)
        return entry
    }

    /// Returns true for a folder, false for a regular file, and nil for other entries, which are not shown.
    private static func isFolder(_ name: [UInt8], _ type: Int, _ walk: FolderWalk) -> Bool? {
        if type == Int(DT_REG) { return false }
        if type == Int(DT_DIR) { return true }
        guard type == Int(DT_LNK) || type == Int(DT_UNKNOWN), let status = try? walk.child(name).place().status else { return nil }
        return status.isFolder ? true : status.isRegular ? false : nil
    }

    private static func key(_ name: [UInt8]) -> [UInt8] { Array(String(decoding: name, as: UTF8.self).lowercased().utf8) }

    private static func precedes(_ a: Item, _ b: Item) -> Bool {
        if a.isFolder != b.isFolder { return a.isFolder }
        let order = compare(a.key, b.key)
        return order == 0 ? compare(a.name, b.name) < 0 : order < 0
    }

    private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
        let order = a.withUnsafeBytes { a in
            b.withUnsafeBytes { b in
                guard let first = a.baseAddress, let second = b.baseAddress else { return 0 }
                return Int(memcmp(first, second, min(a.count, b.count)))
            }
        }
        return order == 0 ? a.count - b.count : order
    }
}
