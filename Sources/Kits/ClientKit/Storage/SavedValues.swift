import Foundation
import WireKit

/// The values that a client must not lose, kept in memory and written to the phone's database with the next transaction.
///
/// A new value is visible at once, and dirty until a transaction has written it; a transaction writes the values current at that
/// moment. Values that can be fetched again, such as a service's offer, are *incidental*: no database is created for them alone.
package final class SavedValues: Sendable {
    private struct State {
        var values: [String: Data] = [:]
        var dirty: Set<String> = []
        /// The dirty keys of incidental values.
        var incidental: Set<String> = []
        /// The keys that the transaction of an outbox item writes, by the item's id.
        var held: [String: Set<String>] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package func value<Value: Decodable>(_: Value.Type = Value.self, for key: String) -> Value? {
        // A value that cannot be decoded, as from another version, counts as missing.
        state.withLock { $0.values[key] }.flatMap { try? JSONDecoder().decode([Value].self, from: $0).first }
    }

    /// - Parameter isIncidental: True if this value alone is no reason to create the database.
    package func set<Value: Encodable>(_ value: Value?, for key: String, isIncidental: Bool = false) {
        set(SavedChange(value, for: key), isIncidental: isIncidental)
    }

    /// - Parameter item: The id of the outbox item whose transaction writes the value; nil for the next transaction.
    func set(_ change: SavedChange, with item: String? = nil, isIncidental: Bool = false) {
        state.withLock { state in
            guard state.values[change.key] != change.data else {
                // The same value may be worth a database now.
                if !isIncidental { state.incidental.remove(change.key) }
                return
            }
            state.values[change.key] = change.data
            if isIncidental, item == nil {
                if !state.dirty.contains(change.key) { state.incidental.insert(change.key) }
            } else {
                state.incidental.remove(change.key)
            }
            if let item {
                state.dirty.remove(change.key)
                state.held[item, default: []].insert(change.key)
            } else {
                state.dirty.insert(change.key)
            }
        }
    }

    package func removeAll(except retained: Set<String> = []) {
        state.withLock { state in
            let removed = state.values.keys.filter { !retained.contains($0) }
            for key in removed { state.values[key] = nil }
            state.dirty.formUnion(removed)
        }
    }

    var isDirty: Bool { state.withLock { !$0.dirty.isEmpty } }
    /// True if a dirty value is a reason to create the database.
    var isWorthADatabase: Bool {
        state.withLock { state in state.dirty.contains { state.values[$0] != nil && !state.incidental.contains($0) } }
    }

    /// Adds the stored values. Values that were set before stay.
    func load(_ stored: [String: Data]) {
        state.withLock { state in
            for (key, data) in stored where state.values[key] == nil && !state.dirty.contains(key) { state.values[key] = data }
        }
    }

    /// Returns the dirty values, nil for those to remove, and marks them clean. Called inside the transaction that writes them.
    func takeDirty(with item: String? = nil) -> [String: Data?] {
        state.withLock { state in
            let keys = state.dirty.union(item.flatMap { state.held.removeValue(forKey: $0) } ?? [])
            (state.dirty, state.incidental) = ([], [])
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, state.values[$0]) })
        }
    }

    /// Marks values as dirty again after their transaction failed.
    func putBack(_ keys: [String]) { state.withLock { $0.dirty.formUnion(keys) } }

    /// Moves the values of an item that was not stored to the next transaction.
    func release(_ item: String) {
        state.withLock { $0.dirty.formUnion($0.held.removeValue(forKey: item) ?? []) }
    }
}

/// A change of one saved value.
package struct SavedChange: Sendable {
    let key: String
    /// The encoded value; nil to remove it.
    let data: Data?

    package init<Value: Encodable>(_ value: Value?, for key: String) {
        self.key = key
        // An array, because a bare value is not JSON for every decoder. Values that are kept here can be encoded.
        data = value.flatMap { try? JSONEncoder().encode([$0]) }
    }
}
