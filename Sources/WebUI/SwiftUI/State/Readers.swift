import Synchronization

/// The components that read a value during their evaluation. A change of the value invalidates them.
final class Readers: Sendable {
    private struct Contents: ~Copyable {
        var invalidations: [ObjectIdentifier: Invalidation] = [:]
        /// Maximum readers before a sweep for unmounted components.
        var limit = 8
    }
    private let contents = Mutex(Contents())

    /// Adds the component that is being evaluated on this thread, if any.
    func register() {
        guard let reader = Evaluation.current?.invalidation else { return }
        contents.withLock { contents in
            contents.invalidations[ObjectIdentifier(reader)] = reader
            guard contents.invalidations.count > contents.limit else { return }
            contents.invalidations = contents.invalidations.filter { !$0.value.isOver }
            contents.limit = max(8, contents.invalidations.count * 2)
        }
    }

    /// Invalidates all readers. May be called on any thread.
    func invalidate() {
        let readers = contents.withLock { contents in
            defer { contents.invalidations = [:] }
            return contents.invalidations.values.filter { !$0.isOver }
        }
        for reader in readers { reader.invalidate() }
    }
}
