/// A property wrapper that reads and writes a value with another owner.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    let location: Location<Value>

    init(location: Location<Value>) { self.location = location }

    // Apple's initializer also takes closures of any isolation. With state of the main actor prefer `$model.property`.
    @preconcurrency
    public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
        location = ClosureLocation(get: get, set: set)
    }

    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(location: ClosureLocation(get: { value }, set: { _ in }))
    }

    public var wrappedValue: Value {
        get { location.read() }
        nonmutating set { location.write(newValue) }
    }

    public var projectedValue: Binding<Value> { self }

    public init(projectedValue: Binding<Value>) { self = projectedValue }

    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            location: ClosureLocation(
                get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 }))
    }

    /// Creates a binding to the unwrapped value; nil if the value is nil now.
    public init?(_ base: Binding<Value?>) {
        guard let last = base.wrappedValue else { return nil }
        self.init(location: ClosureLocation(get: { base.wrappedValue ?? last }, set: { base.wrappedValue = $0 }))
    }

    public init<V>(_ base: Binding<V>) where Value == V? {
        self.init(location: ClosureLocation(get: { base.wrappedValue }, set: { if let value = $0 { base.wrappedValue = value } }))
    }

    /// Returns a binding whose changes are animated.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        Binding(
            location: ClosureLocation(get: { wrappedValue }, set: { value in withAnimation(animation) { wrappedValue = value } }))
    }
}

extension Binding: Identifiable where Value: Identifiable {
    public var id: Value.ID { wrappedValue.id }
}

extension Binding: @unchecked Sendable where Value: Sendable {}
