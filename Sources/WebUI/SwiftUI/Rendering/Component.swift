import Glibc
@_spi(SwiftUI) import Observation

/// A view with a body, and its position in the tree.
package class AnyComponent: Node, @unchecked Sendable {
    final var needsEvaluation = false
    final var isTracked = false
    // Unchecked: other threads only pass the reference on and use `invalidation`, which is Sendable.
    nonisolated let invalidation: Invalidation
    /// The storage of the dynamic properties, in the order of the fields.
    final var slots: [AnyObject] = []

    /// The object that ends the tracking of the last evaluation; nil until an evaluation leaves a registration behind.
    private(set) final var tracker: Tracker?

    override init(key: Key, parent: Node?, host: ViewHost) {
        invalidation = Invalidation(host.invalidations)
        super.init(key: key, parent: parent, host: host)
        invalidation.component = self
    }

    func evaluate() { preconditionFailure("subclasses evaluate") }

    override func willUnmount() {
        invalidation.component = nil
        let isActive = !invalidation.hasFired
        invalidation.end()
        endTracking(isActive: isActive)
        slots = []
    }

    final func beginTracking() {
        isTracked = true
        host.tracking.began()
    }

    /// Ends the tracking of the last evaluation. Call it once that evaluation can no longer be invalidated.
    ///
    /// - Parameter isActive: True if no tracked property has changed. A change ends the tracking by itself.
    final func endTracking(isActive: Bool) {
        guard isTracked else { return }
        isTracked = false
        host.tracking.ended(leavesRegistration: isActive && tracker == nil)
        guard isActive else { return }
        if let tracker { tracker.end() } else if isMounted { tracker = Tracker() }
    }
}

final class Component<V: View>: AnyComponent, @unchecked Sendable {
    /// The view before its properties were connected, to be compared with the next value.
    private var view: V
    private var context: _RenderContext.Surroundings

    init(_ view: V, context: _RenderContext, key: Key, parent: Node) {
        self.view = view
        self.context = context.surroundings
        super.init(key: key, parent: parent, host: context.host)
        host.enqueue(self)
    }

    /// Stores a new value of the view, and evaluates it if the value, the environment or the traits may differ.
    func update(_ view: V, context: _RenderContext) {
        let surroundings = context.surroundings
        let isSame = surroundings.isSame(as: self.context) && haveSameBits(view, self.view, Fields.of(V.self).bytes)
        // Otherwise the old value is retained, so that equal bits mean equal objects.
        if !isSame {
            self.view = view
            self.context = surroundings
            host.enqueue(self)
        }
    }

    override func evaluate() {
        needsEvaluation = false
        let list = ChildList(self)
        let isActive = !invalidation.hasFired
        let number = invalidation.begin()
        endTracking(isActive: isActive)
        if Tracking.isNeeded(by: V.self) {
            beginTracking()
            track(number) { render(into: list) }
        } else {
            // The argument is evaluated only if a property was read.
            withObservationTracking({ track(number) { render(into: list) } }, onChange: foundReader())
        }
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

    /// Runs `body`, and requests another evaluation after, not before, any thread has changed a property that `body` read.
    private func track(_ number: Int, _ body: () -> Void) {
        withObservationTracking(
            body,
            didSet: { [invalidation] tracking in
                tracking.cancel()
                invalidation.invalidate(ifLast: number)
            })
    }

    /// Begins the tracking of a view whose type has not read an observable object before.
    private func foundReader() -> @Sendable () -> Void {
        Tracking.note(V.self)
        beginTracking()
        return {}
    }
}

/// Returns whether two values are equal bit for bit. Equal bits refer to the same objects; different bits prove nothing.
///
/// - Parameter fields: The byte ranges to compare; nil for all bytes.
/// - SeeAlso: `Docs/Decisions/0028-views-are-compared-by-bytes.md`
func haveSameBits<Value>(_ first: Value, _ second: Value, _ fields: [Range<Int>]? = nil) -> Bool {
    withUnsafeBytes(of: first) { first in
        withUnsafeBytes(of: second) { second in
            guard let one = first.baseAddress, let two = second.baseAddress else { return true }
            guard let fields else { return memcmp(one, two, first.count) == 0 }
            return fields.allSatisfy { memcmp(one + $0.lowerBound, two + $0.lowerBound, $0.count) == 0 }
        }
    }
}
