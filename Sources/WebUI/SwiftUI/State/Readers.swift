import Synchronization

/// The components that read something while they were evaluated, and are to be evaluated again when it changes.
final class Readers: Sendable {
    private let components = Mutex<[ObjectIdentifier: WeakComponent]>([:])

    struct WeakComponent: Sendable {
        weak let invalidation: Invalidation?
    }

    /// Notes the component that is being evaluated on this thread, if one is.
    func register() {
        guard let reader = Evaluation.current?.invalidation else { return }
        components.withLock { $0[ObjectIdentifier(reader)] = WeakComponent(invalidation: reader) }
    }

    /// May be called on any thread.
    func invalidate() {
        let readers = components.withLock { components in
            let readers = components.values.compactMap(\.invalidation)
            components = [:]
            return readers
        }
        for reader in readers { reader.invalidate() }
    }
}
