/// The field that has the focus.
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
    @propertyWrapper
    public struct Binding {
        let location: Location<Value>
        public var wrappedValue: Value {
            get { location.read() }
            nonmutating set { location.write(newValue) }
        }
        public var projectedValue: Binding { self }
    }

    private let initial: Value
    private var box: StateBox<Value>?

    public init() where Value == Bool { initial = false }
    public init<T: Hashable>() where Value == T? { initial = nil }

    public var wrappedValue: Value {
        get { box?.read() ?? initial }
        nonmutating set { box?.write(newValue) }
    }

    public var projectedValue: Binding {
        Binding(location: box ?? StateBox(initial))
    }

    @MainActor public static func _link(_ pointer: UnsafeMutableRawPointer, _ linker: _Linker) {
        let state = pointer.assumingMemoryBound(to: Self.self)
        state.pointee.box = linker.slot { StateBox(state.pointee.initial) }
    }
}

/// The link between a field and a ``FocusState``.
struct FocusTarget {
    var isFocused: @MainActor () -> Bool
    var change: @MainActor (Bool) -> Void
}

extension View {
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
        adjusting {
            $0.traits.focus = FocusTarget(
                isFocused: { condition.wrappedValue }, change: { if condition.wrappedValue != $0 { condition.wrappedValue = $0 } })
        }
    }

    public func focused<Value: Hashable>(_ binding: FocusState<Value>.Binding, equals value: Value) -> some View {
        adjusting {
            $0.traits.focus = FocusTarget(isFocused: { binding.wrappedValue == value }) { isFocused in
                if isFocused {
                    if binding.wrappedValue != value { binding.wrappedValue = value }
                } else if binding.wrappedValue == value, let none = Value.none {
                    binding.wrappedValue = none
                }
            }
        }
    }
}

extension Hashable {
    /// The value nil of an optional type; nil for a type that is not optional.
    fileprivate static var none: Self? {
        (Self.self as? any ExpressibleByNilLiteral.Type).flatMap { $0.init(nilLiteral: ()) as? Self }
    }
}
