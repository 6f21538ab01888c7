/// A property wrapper that reads a value of the environment.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    // Views are compared by their bytes (decision 28): no closures, and no undefined padding.
    private enum Source {
        case keyPath(KeyPath<EnvironmentValues, Value>, filling: UInt = 0)
        case object(any EnvironmentObject.Type)
    }
    private let source: Source
    private var box: Box?

    private final class Box {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { source = .keyPath(keyPath) }

    public init(_ objectType: Value.Type) where Value: AnyObject & Observable { source = .object(ObjectOfType<Value>.self) }

    public init<T: AnyObject & Observable>(_ objectType: T.Type) where Value == T? { source = .object(ObjectOfType<T>.self) }

    public var wrappedValue: Value {
        // Outside of a body nothing is connected.
        box?.value ?? read(EnvironmentValues())
    }

    private func read(_ environment: EnvironmentValues) -> Value {
        switch source {
        case .keyPath(let keyPath, _): return environment[keyPath: keyPath]
        case .object(let object):
            guard let value = object.value(in: environment) as? Value else {
                preconditionFailure(
                    "No \(Value.self) in the environment: a view further out has to put it there with environment(_:)")
            }
            return value
        }
    }

    @MainActor public static func _link(_ pointer: UnsafeMutableRawPointer, _ linker: _Linker) {
        let property = pointer.assumingMemoryBound(to: Self.self)
        property.pointee.box = Box(property.pointee.read(linker.environment))
    }
}

/// A type that finds an object of the environment by the object's type.
private protocol EnvironmentObject {
    static func value(in environment: EnvironmentValues) -> Any
}

private enum ObjectOfType<Object: AnyObject>: EnvironmentObject {
    static func value(in environment: EnvironmentValues) -> Any { environment[object: Object.self] as Any }
}
