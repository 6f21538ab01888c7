import Synchronization

/// The components that read something while they were evaluated, and are to be evaluated again when it changes.
final class Readers: Sendable {
    private struct Contents: ~Copyable {
        var invalidations: [ObjectIdentifier: Invalidation] = [:]
        /// How many there may be before those of components that are gone are looked for.
        var limit = 8
    }
    private let contents = Mutex(Contents())

    /// Notes the component that is being evaluated on this thread, if one is.
    func register() {
        guard let reader = Evaluation.current?.invalidation else { return }
        contents.withLock { contents in
            contents.invalidations[ObjectIdentifier(reader)] = reader
            guard contents.invalidations.count > contents.limit else { return }
            contents.invalidations = contents.invalidations.filter { !$0.value.isOver }
            contents.limit = max(8, contents.invalidations.count * 2)
        }
    }

    /// May be called on any thread.
    func invalidate() {
        let readers = contents.withLock { contents in
            defer { contents.invalidations = [:] }
            return contents.invalidations.values.filter { !$0.isOver }
        }
        for reader in readers { reader.invalidate() }
    }
}
