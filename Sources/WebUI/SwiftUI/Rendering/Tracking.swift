import Observation

/// The cleanup of Observation tracking after components were evaluated again or unmounted.
///
/// `withObservationTracking` cannot be cancelled: each object that was read keeps a registration until it changes, some 1 to 4 KiB for an evaluation.
/// A view that is evaluated for other reasons, as with every keystroke, and views that come and go would leave more and more registrations behind.
/// Each evaluation therefore also reads a ``Tracker``, whose change ends the tracking: the component's own tracker if the component has left a
/// registration before, otherwise the shared one.
@MainActor
package final class Tracking {
    let shared = Tracker()
    /// Count of components whose last evaluation is tracked.
    private var trackedCount = 0
    /// Count of outdated evaluations that are still tracked.
    package private(set) var leftoverCount = 0

    func began() { trackedCount += 1 }
    func ended(leavesRegistration: Bool) {
        trackedCount -= 1
        if leavesRegistration { leftoverCount += 1 }
    }

    /// Ends all tracking by the shared tracker once there are more leftovers than tracked components. A sweep invalidates all of these components.
    func sweepIfDue() { if leftoverCount > max(64, trackedCount) { sweep() } }

    func sweep() {
        leftoverCount = 0
        shared.end()
    }

    /// The types of views that have read an observable object. Other types are not tracked.
    private static var types: Set<ObjectIdentifier> = []

    static func isNeeded<V: View>(by type: V.Type) -> Bool { types.contains(ObjectIdentifier(type)) }
    static func note<V: View>(_ type: V.Type) { types.insert(ObjectIdentifier(type)) }
}

/// An observable object without content, whose change ends tracking.
@MainActor
final class Tracker: Observable {
    private let registrar = ObservationRegistrar()
    private var ends: Int { 0 }

    /// Makes ``end()`` end the tracking of the current evaluation.
    func read() { registrar.access(self, keyPath: \.ends) }
    func end() { registrar.withMutation(of: self, keyPath: \.ends) {} }
}
