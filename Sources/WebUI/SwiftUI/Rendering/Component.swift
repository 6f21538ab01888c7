import Glibc
import Observation

/// A view with a body, at its place in the tree.
package class AnyComponent: Node, @unchecked Sendable {
    final var needsEvaluation = false
    final var isTracked = false
    // Unchecked: other threads only pass it along and use `invalidation`, which is Sendable.
    nonisolated let invalidation: Invalidation
    /// What its dynamic properties keep here, in the order of its fields.
    final var slots: [AnyObject] = []

    /// Ends the tracking of the last evaluation. Made once an evaluation has left a note behind: most components never do.
    private(set) final var tracker: Tracker?

    override init(key: Key, parent: Node?, host: ViewHost) {
        invalidation = Invalidation(host.invalidations)
        super.init(key: key, parent: parent, host: host)
        invalidation.component = self
    }

    func evaluate() { preconditionFailure("subclasses evaluate") }

    override func willUnmount() {
        invalidation.component = nil
        let isInVain = !invalidation.hasFired
        invalidation.end()
        endTracking(isInVain: isInVain)
        slots = []
    }

    /// Ends the tracking of what the last evaluation read. To be called when that evaluation cannot be invalidated any more.
    ///
    /// - Parameter isInVain: Nothing that it read has changed; otherwise its tracking has ended by itself.
    final func endTracking(isInVain: Bool) {
        guard isTracked else { return }
        isTracked = false
        host.tracking.ended(leavesNote: isInVain && tracker == nil)
        guard isInVain else { return }
        if let tracker { tracker.end() } else if isMounted { tracker = Tracker() }
    }
}

final class Component<V: View>: AnyComponent, @unchecked Sendable {
    /// The view as it was handed in, before its properties were connected: what the next one is compared with.
    private var view: V
    private var context: _RenderContext.Surroundings

    init(_ view: V, context: _RenderContext, key: Key, parent: Node) {
        self.view = view
        self.context = context.surroundings
        super.init(key: key, parent: parent, host: context.host)
        host.enqueue(self)
    }

    /// Takes over a new value of the view; evaluates it only where it, its environment or its traits can be different.
    func update(_ view: V, context: _RenderContext) {
        let surroundings = context.surroundings
        let isSame = surroundings.isSame(as: self.context) && haveSameBits(view, self.view, Fields.of(V.self).bytes)
        // Kept even so: holding on to the old value is what makes equal bits mean equal objects.
        if !isSame {
            self.view = view
            self.context = surroundings
            host.enqueue(self)
        }
    }

    override func evaluate() {
        needsEvaluation = false
        let list = ChildList(self)
        let isInVain = !invalidation.hasFired
        let number = invalidation.begin()
        endTracking(isInVain: isInVain)
        withObservationTracking(
            { render(into: list) },
            // Asked for only if something was read.
            onChange: whenChanged(number))
        list.finish()
    }

    private func render(into list: ChildList) {
        if Tracking.isNeeded(by: V.self) { (tracker ?? host.tracking.shared).read() }
        Evaluation.of(self) {
            var linked = view
            withUnsafeMutableBytes(of: &linked) { bytes in
                if let start = bytes.baseAddress {
                    _Linker(component: self, environment: context.environment).linkFields(of: V.self, at: start)
                }
            }
            V.Body._render(linked.body, _RenderContext(list, context))
        }
    }

    private func whenChanged(_ number: Int) -> @Sendable () -> Void {
        Tracking.note(V.self)
        isTracked = true
        host.tracking.began()
        return { [invalidation] in invalidation.invalidate(ifLast: number) }
    }
}

/// Whether two values are the same bit for bit. Then they refer to the same objects; otherwise nothing is known.
///
/// - Parameter fields: Of the type, where gaps between them are not to count.
func haveSameBits<Value>(_ first: Value, _ second: Value, _ fields: [Range<Int>]? = nil) -> Bool {
    withUnsafeBytes(of: first) { first in
        withUnsafeBytes(of: second) { second in
            guard let one = first.baseAddress, let two = second.baseAddress else { return true }
            guard let fields else { return memcmp(one, two, first.count) == 0 }
            return fields.allSatisfy { memcmp(one + $0.lowerBound, two + $0.lowerBound, $0.count) == 0 }
        }
    }
}
