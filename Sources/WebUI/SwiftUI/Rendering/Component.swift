import Glibc
import Observation

/// A view with a body, at its place in the tree.
package class AnyComponent: Node, @unchecked Sendable {
    // Unchecked: other threads only pass it along and use `invalidation`, which is Sendable.
    nonisolated let invalidation: Invalidation
    let slots = _Linker.Slots()
    final var needsEvaluation = false

    override init(key: Key, parent: Node?, host: ViewHost) {
        invalidation = Invalidation(host.invalidations)
        super.init(key: key, parent: parent, host: host)
        host.register(self)
    }

    func evaluate() { preconditionFailure("subclasses evaluate") }

    override func willUnmount() {
        host.unregister(self)
        slots.contents = []
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
        let isSame = surroundings.isSame(as: self.context) && haveSameBits(view, self.view)
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
        let invalidation = invalidation
        withObservationTracking {
            Evaluation.of(self) {
                var linked = view
                withUnsafeMutableBytes(of: &linked) { bytes in
                    if let start = bytes.baseAddress {
                        _Linker(component: self, environment: context.environment).linkFields(of: V.self, at: start)
                    }
                }
                V.Body._render(linked.body, _RenderContext(list, context))
            }
        } onChange: {
            invalidation.invalidate()
        }
        list.finish()
    }
}

/// Whether two values are the same bit for bit. Then they refer to the same objects; otherwise nothing is known.
private func haveSameBits<Value>(_ first: Value, _ second: Value) -> Bool {
    withUnsafeBytes(of: first) { first in
        withUnsafeBytes(of: second) { second in
            guard let one = first.baseAddress, let two = second.baseAddress else { return true }
            return memcmp(one, two, first.count) == 0
        }
    }
}
