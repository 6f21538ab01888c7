/// Lets the changes of one thing happen one after the other, in the order in which they came: of a session, of a request.
///
/// A change is stored, then sent to the agent. Two at once could be stored in one order and sent in the other.
struct Gates<Key: Hashable> {
    /// The changes that wait. A key without one that is under way is not in here.
    private var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]

    /// - Returns: False if another change is under way: the caller waits by ``wait(for:_:)``.
    mutating func enter(_ key: Key) -> Bool {
        guard waiting[key] == nil else { return false }
        waiting[key] = []
        return true
    }

    mutating func wait(for key: Key, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[key, default: []].append(continuation)
    }

    mutating func leave(_ key: Key) {
        if waiting[key]?.isEmpty != false {
            waiting[key] = nil
        } else {
            waiting[key]?.removeFirst().resume()
        }
    }
}
