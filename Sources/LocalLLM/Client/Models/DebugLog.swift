package import Foundation
import Observation
import WireKit

/// The last events of the client, for the debug screen. Contains no prompts and no answers.
@MainActor
@Observable
package final class DebugLog {
    /// Maximum entries; the oldest ones are dropped.
    package static let capacity = 500
    /// Maximum length of an entry's text in characters. A host chooses a part of the text.
    static let maximumLength = 300

    package struct Entry: Identifiable, Hashable, Sendable {
        package let id: Int
        package let date: Date
        package let text: String
    }

    package private(set) var entries: [Entry] = []
    @ObservationIgnored private var count = 0

    nonisolated init() {}

    func add(_ text: String, at date: Date) {
        count += 1
        if entries.count >= Self.capacity { entries.removeFirst(entries.count - Self.capacity + 1) }
        entries.append(Entry(id: count, date: date, text: String(text.prefix(Self.maximumLength)).printableInOneRow))
    }

    /// Returns the entries that contain `filter`, without regard to case; all entries for an empty filter.
    package func entries(matching filter: String) -> [Entry] {
        filter.isEmpty ? entries : entries.filter { $0.text.localizedCaseInsensitiveContains(filter) }
    }

    package func clear() { entries = [] }
}
