import Foundation
import WireKit

/// The values that a client must not lose: in memory, and with the next transaction in the database of the phone.
///
/// A value that is set is visible at once. It is dirty until a transaction has written it; a transaction writes the values of that moment.
/// Values that can be had again, such as what a service offers, are *incidental*: they are written as well, but no database is made for them.
package final class SavedValues: Sendable {
    private struct State {
        var values: [String: Data] = [:]
        var dirty: Set<String> = []
        /// The dirty keys for which no database is made.
        var incidental: Set<String> = []
        /// Keys that are written together with an item of the outbox, by the item.
        var held: [String: Set<String>] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package func value<Value: Decodable>(_: Value.Type = Value.self, for key: String) -> Value? {
        // A value of another version is as good as none.
        state.withLock { $0.values[key] }.flatMap { try? JSONDecoder().decode([Value].self, from: $0).first }
    }

    /// - Parameter isIncidental: True if the value alone is not worth a database.
    package func set<Value: Encodable>(_ value: Value?, for key: String, isIncidental: Bool = false) {
        set(SavedChange(value, for: key), isIncidental: isIncidental)
    }

    /// - Parameter item: The item of the outbox whose transaction writes the value; nil: the next transaction.
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
    /// True if a value is dirty that a database is made for.
    var isWorthADatabase: Bool {
        state.withLock { state in state.dirty.contains { state.values[$0] != nil && !state.incidental.contains($0) } }
    }

    /// Adds what the database holds. Values that were set before stay.
    func load(_ stored: [String: Data]) {
        state.withLock { state in
            for (key, data) in stored where state.values[key] == nil && !state.dirty.contains(key) { state.values[key] = data }
        }
    }

    /// Takes the values to write, nil for those to remove. To be called inside the transaction that writes them.
    func takeDirty(with item: String? = nil) -> [String: Data?] {
        state.withLock { state in
            let keys = state.dirty.union(item.flatMap { state.held.removeValue(forKey: $0) } ?? [])
            (state.dirty, state.incidental) = ([], [])
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, state.values[$0]) })
        }
    }

    /// Marks values dirty again whose transaction failed.
    func putBack(_ keys: [String]) { state.withLock { $0.dirty.formUnion(keys) } }

    /// Leaves the values of an item that was not stored to the next transaction.
    func release(_ item: String) {
        state.withLock { $0.dirty.formUnion($0.held.removeValue(forKey: item) ?? []) }
    }
}

/// A change of one saved value.
package struct SavedChange: Sendable {
    let key: String
    /// The encoded value; nil: it is removed.
    let data: Data?

    package init<Value: Encodable>(_ value: Value?, for key: String) {
        self.key = key
        // An array, because a bare value is not JSON for every decoder. Values that are kept here can be encoded.
        data = value.flatMap { try? JSONEncoder().encode([$0]) }
    }
}
