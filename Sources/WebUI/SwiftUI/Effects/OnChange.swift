private final class ChangeScope<Value: Equatable>: Node {
    var last: Value?
}

extension View {
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View {
        rendering { content, context in
            let scope = context.scope(ChangeScope<V>.init) { _, inner in content(inner) }
            let old = scope.last
            scope.last = value
            if let old {
                if old != value { context.host.afterEvaluation { action(old, value) } }
            } else if initial {
                context.host.afterEvaluation { action(value, value) }
            }
        }
    }
    public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping () -> Void) -> some View {
        onChange(of: value, initial: initial) { _, _ in action() }
    }
}
