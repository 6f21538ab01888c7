import Foundation
import WireKit

/// The conversation of a session's file: the positions of the records of its parent chain.
///
/// The file is a log, not a list: a user who goes back and asks again starts a new branch. The conversation is the chain of parents
/// that ends with the newest leaf. Added to it are further tool uses of a message, stored as several records whose results are
/// branches.
///
/// The file is read line by line; a record takes less than 100 bytes of memory.
struct SessionIndex: Sendable {
    /// A record with messages.
    struct Item: Sendable {
        var offset: Int64
        var length: Int
        var time: Timestamp
        /// The number of the record's first message, from 1.
        var firstNumber: Int
        var messageCount: Int
    }

    /// Maximum records. Of a file with more, the newest are kept.
    static let maximumRecords = 400_000
    /// Maximum bytes read at the end of a file: 256 MiB. Bounds the cost of endless and of sparse files.
    static let maximumSize: Int64 = 256 << 20

    private(set) var items: [Item] = []
    private(set) var messageCount = 0

    init(_ descriptor: Descriptor) async throws(ProjectError) {
        let status = try descriptor.status()
        var graph = RecordGraph(start: Timestamp(milliseconds: status.modifiedMilliseconds))
        let size = Int64(status.st_size)
        var reader = LineReader(descriptor, from: max(0, size - Self.maximumSize), limit: size)
        var count = 0
        while let lines = try reader.next() {
            for (offset, bytes) in lines {
                bytes.withUnsafeBufferPointer { bytes in
                    if let record = HistoryRecord(JSONBytes(bytes: bytes)) {
                        graph.add(record, offset: offset, length: bytes.count)
                    }
                }
            }
            count += 1
            if Task.isCancelled { throw ProjectError(.failed, "the reading of a session was cancelled") }
            // Reading a large file takes seconds.
            if count % 16 == 0 { await Task.yield() }
        }
        for entry in graph.conversation() where entry.messageCount > 0 {
            let first = messageCount + 1
            items.append(
                Item(
                    offset: entry.offset, length: entry.length, time: entry.time, firstNumber: first,
                    messageCount: entry.messageCount))
            messageCount += entry.messageCount
        }
    }

    /// Returns the last messages before number `end`.
    ///
    /// Fewer than `limit` if their records have more than ``HistoryPage/maximumSize`` bytes.
    func messages(before end: Int, limit: Int, from descriptor: Descriptor) throws(ProjectError) -> [HistoryMessage] {
        var pieces: [[HistoryMessage]] = []
        var (count, size) = (0, 0)
        let last = items.firstIndex { $0.firstNumber >= end } ?? items.endIndex
        for item in items[..<last].reversed() {
            if count >= limit || (count > 0 && size + item.length > HistoryPage.maximumSize) { break }
            let line = try descriptor.read(item.length, at: item.offset)
            let messages = line.withUnsafeBufferPointer {
                HistoryRecord.messages(
                    JSONBytes(bytes: $0), count: item.messageCount, firstNumber: item.firstNumber, time: item.time)
            }
            let wanted = messages.filter { $0.number < end }.suffix(limit - count)
            pieces.append(Array(wanted))
            (count, size) = (count + wanted.count, size + item.length)
        }
        return pieces.reversed().flatMap { $0 }
    }
}

/// The records of one file and their parents.
struct RecordGraph {
    struct Entry {
        var id: HistoryRecord.ID
        var parent: HistoryRecord.ID?
        var messageID: HistoryRecord.ID?
        var kind: HistoryRecord.Kind
        var isToolResult: Bool
        var offset: Int64
        var length: Int
        var messageCount: Int
        var time: Timestamp
    }

    private var entries: [Entry] = []
    /// The time of the last record that has one, for records without a time.
    private var time: Timestamp

    init(start: Timestamp) { time = start }

    mutating func add(_ record: HistoryRecord, offset: Int64, length: Int) {
        time = record.time ?? time
        entries.append(
            Entry(
                id: record.id, parent: record.parent, messageID: record.messageID, kind: record.kind,
                isToolResult: record.isToolResult,
                offset: offset, length: length, messageCount: record.messageCount, time: time))
        if entries.count > SessionIndex.maximumRecords + SessionIndex.maximumRecords / 4 {
            entries.removeFirst(entries.count - SessionIndex.maximumRecords)
        }
    }

    /// Returns the records of the conversation, oldest first.
    func conversation() -> [Entry] {
        // Of a repeated identifier the first record counts: the program repeats records when it copies a conversation.
        let index = Dictionary(entries.indices.map { (entries[$0].id, $0) }) { first, _ in first }
        var children: [Int: [Int]] = [:]
        var parents = [Int?](repeating: nil, count: entries.count)
        for (position, entry) in entries.enumerated() where index[entry.id] == position {
            guard let parent = entry.parent else { continue }
            // A record whose parent is lost follows the record before it.
            let found = index[parent] ?? (position > 0 ? position - 1 : nil)
            guard let found, found != position else { continue }
            parents[position] = found
            children[found, default: []].append(position)
        }
        let leaves = entries.indices.filter { children[$0] == nil && index[entries[$0].id] == $0 }
        // Of equal times the last counts: a record without a time has that of the record before. All records may form cycles.
        guard
            let leaf = (leaves.isEmpty ? Array(entries.indices) : leaves).max(by: {
                (entries[$0].time, $0) < (entries[$1].time, $1)
            })
        else { return [] }
        var chain: [Int] = []
        var visited: Set<Int> = []
        var next: Int? = leaf
        while let position = next, visited.insert(position).inserted {
            chain.append(position)
            next = parents[position]
        }
        var conversation: [Entry] = []
        for (number, position) in chain.reversed().enumerated() {
            conversation.append(entries[position])
            let follower = number + 1 < chain.count ? chain[chain.count - 2 - number] : nil
            append(branches: position, follower, children, &visited, to: &conversation)
        }
        return conversation
    }

    /// Adds the records of a model's message that are not in the chain: further tool uses of the same message, and results.
    private func append(
        branches position: Int, _ follower: Int?, _ children: [Int: [Int]], _ visited: inout Set<Int>,
        to conversation: inout [Entry]
    ) {
        guard entries[position].kind == .assistant else { return }
        let hasResult = follower.map { entries[$0].isToolResult } ?? false
        var pending = [(position, hasResult)]
        while let (position, hasResult) = pending.popLast() {
            for child in children[position] ?? [] where !visited.contains(child) {
                let entry = entries[child]
                let isPart = entry.kind == .assistant && entry.messageID != nil && entry.messageID == entries[position].messageID
                guard isPart || (entry.kind == .user && entry.isToolResult && !hasResult) else { continue }
                visited.insert(child)
                conversation.append(entry)
                if isPart { pending.append((child, false)) }
            }
        }
    }
}
