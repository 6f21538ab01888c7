import Synchronization

/// A value that a view owns. It lives as long as the view's position in the tree.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    let initial: Value
    var box: StateBox<Value>?

    public init(wrappedValue value: Value) { initial = value }
    public init(initialValue value: Value) { initial = value }

    public var wrappedValue: Value {
        get { box?.read() ?? initial }
        nonmutating set { box?.write(newValue) }
    }

    public var projectedValue: Binding<Value> {
        guard let box else { return .constant(initial) }
        return Binding(location: box)
    }

    @MainActor public static func _link(_ pointer: UnsafeMutableRawPointer, _ linker: _Linker) {
        let state = pointer.assumingMemoryBound(to: Self.self)
        state.pointee.box = linker.slot { StateBox(state.pointee.initial) }
    }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

/// The storage of a ``State``, and its readers.
// Unchecked: `value` is only accessed under `lock`.
final class StateBox<Value>: Location<Value>, @unchecked Sendable {
    private let lock = Mutex(())
    private var value: Value
    private let readers = Readers()

    init(_ value: Value) { self.value = value }

    override func read() -> Value {
        readers.register()
        return lock.withLock { _ in value }
    }

    override func write(_ newValue: Value) {
        // The old value is released outside the lock: its deinit may read or write state.
        var old = newValue
        let isSame = lock.withLock { _ in
            swap(&value, &old)
            return haveSameBits(value, old)
        }
        if !isSame { readers.invalidate() }
    }
}

extension StateBox where Value: Equatable {
    func write(ifNew newValue: Value) {
        if lock.withLock({ _ in value != newValue }) { write(newValue) }
    }
}

/// The storage of a value, for bindings. One reference, so that two bindings to it are bitwise equal.
class Location<Value> {
    func read() -> Value { preconditionFailure("subclasses read") }
    func write(_ newValue: Value) { preconditionFailure("subclasses write") }
}

final class ClosureLocation<Value>: Location<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void
    init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }
    override func read() -> Value { get() }
    override func write(_ newValue: Value) { set(newValue) }
}
