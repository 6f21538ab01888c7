import EndlessCodeWire

/// Lets the changes of one session happen one after the other, in the order in which they came.
///
/// A change is stored, then sent to the agent. Two at once could be stored in one order and sent in the other.
struct SessionGates {
    /// The changes that wait. A session without one that is under way is not in here.
    private var waiting: [Session.ID: [CheckedContinuation<Void, Never>]] = [:]

    /// - Returns: False if another change is under way: the caller waits by ``wait(for:_:)``.
    mutating func enter(_ id: Session.ID) -> Bool {
        guard waiting[id] == nil else { return false }
        waiting[id] = []
        return true
    }

    mutating func wait(for id: Session.ID, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[id, default: []].append(continuation)
    }

    mutating func leave(_ id: Session.ID) {
        if waiting[id]?.isEmpty != false {
            waiting[id] = nil
        } else {
            waiting[id]?.removeFirst().resume()
        }
    }
}
