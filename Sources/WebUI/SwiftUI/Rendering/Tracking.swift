import Observation

/// Ends what Observation tracks for components that have been evaluated again, or are gone.
///
/// `withObservationTracking` cannot be cancelled: what it noted stays in each object until that object changes. Views that are evaluated
/// often for other reasons, or come and go, would leave more and more behind in objects that live long. So each evaluation reads this
/// object as well, and when too much is left behind, this object changes: all notes go, and the components that are there make new ones.
@MainActor
final class Tracking: Observable {
    private let registrar = ObservationRegistrar()
    private var sweeps: Int { 0 }
    /// Components whose last evaluation is tracked.
    private var tracked = 0
    /// Evaluations that are tracked in vain.
    private var leftovers = 0

    func read() { registrar.access(self, keyPath: \.sweeps) }
    func began() { tracked += 1 }
    func ended(inVain: Bool) {
        tracked -= 1
        if inVain { leftovers += 1 }
    }

    /// Ends all tracking if that is due. Components that are there are invalidated by it.
    func sweepIfDue() { if leftovers > max(256, 2 * tracked) { sweep() } }

    func sweep() {
        leftovers = 0
        registrar.withMutation(of: self, keyPath: \.sweeps) {}
    }

    /// The types of views that have read an observable object so far. For others nothing is tracked.
    private static var types: Set<ObjectIdentifier> = []

    static func isNeeded<V: View>(by type: V.Type) -> Bool { types.contains(ObjectIdentifier(type)) }
    static func note<V: View>(_ type: V.Type) { types.insert(ObjectIdentifier(type)) }
}
