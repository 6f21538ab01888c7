import Observation

/// Ends what Observation tracks for components that have been evaluated again, or are gone.
///
/// `withObservationTracking` cannot be cancelled: each object that was read keeps a note until it changes, some 1 to 4 KiB for an evaluation.
/// A view that is evaluated for other reasons, as with every keystroke, or views that come and go would leave more and more of them behind. So an
/// evaluation also reads a ``Tracker``, whose change ends the evaluation's tracking: the component's own where it has left a note before,
/// otherwise the one that all share.
@MainActor
package final class Tracking {
    let shared = Tracker()
    /// Components whose last evaluation is tracked.
    private var tracked = 0
    /// Evaluations that are still tracked although they do not count any more.
    package private(set) var leftoverCount = 0

    func began() { tracked += 1 }
    func ended(leavesNote: Bool) {
        tracked -= 1
        if leavesNote { leftoverCount += 1 }
    }

    /// Ends all tracking by the shared tracker if that is due. It invalidates the components that are there, so it takes place at most once for
    /// as many leftovers as there are components.
    func sweepIfDue() { if leftoverCount > max(64, tracked) { sweep() } }

    func sweep() {
        leftoverCount = 0
        shared.end()
    }

    /// The types of views that have read an observable object so far. For others nothing is tracked.
    private static var types: Set<ObjectIdentifier> = []

    static func isNeeded<V: View>(by type: V.Type) -> Bool { types.contains(ObjectIdentifier(type)) }
    static func note<V: View>(_ type: V.Type) { types.insert(ObjectIdentifier(type)) }
}

/// An object that changes when tracking has to end, and has no other content.
@MainActor
final class Tracker: Observable {
    private let registrar = ObservationRegistrar()
    private var ends: Int { 0 }

    /// Has ``end()`` end the tracking of the evaluation under way.
    func read() { registrar.access(self, keyPath: \.ends) }
    func end() { registrar.withMutation(of: self, keyPath: \.ends) {} }
}
