public import Foundation
public import Observation
import WireKit

/// The last events of the client, for the debug screen. Contains no prompts and no answers.
@MainActor
@Observable
public final class DebugLog {
    /// The maximum number of entries; the oldest ones are dropped.
    public static let capacity = 500
    /// The maximum length of an entry's text in characters. A host chooses a part of it.
    static let maximumLength = 300

    public struct Entry: Identifiable, Hashable, Sendable {
        public let id: Int
        public let date: Date
        public let text: String
    }

    public private(set) var entries: [Entry] = []
    @ObservationIgnored private var count = 0

    nonisolated init() {}

    func add(_ text: String, at date: Date) {
        count += 1
        if entries.count >= Self.capacity { entries.removeFirst(entries.count - Self.capacity + 1) }
        entries.append(Entry(id: count, date: date, text: String(text.prefix(Self.maximumLength)).printableInOneRow))
    }

    /// The entries that contain `filter`, without regard to case; all of them for an empty one.
    public func entries(matching filter: String) -> [Entry] {
        filter.isEmpty ? entries : entries.filter { $0.text.localizedCaseInsensitiveContains(filter) }
    }

    public func clear() { entries = [] }
}
