/// Reads a value of the environment.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private enum Source {
        case keyPath(KeyPath<EnvironmentValues, Value>)
        case object((EnvironmentValues) -> Value)
    }
    private let source: Source
    private var value: Value?

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { source = .keyPath(keyPath) }

    public init(_ objectType: Value.Type) where Value: AnyObject & Observable {
        source = .object { environment in
            guard let object = environment[object: Value.self] else {
                preconditionFailure(
                    "No \(Value.self) in the environment: a view further out has to put it there with environment(_:)")
            }
            return object
        }
    }

    public init<T: AnyObject & Observable>(_ objectType: T.Type) where Value == T? {
        source = .object { $0[object: T.self] }
    }

    public var wrappedValue: Value {
        if let value { return value }
        // Read outside of a body, where nothing is connected.
        switch source {
        case .keyPath(let keyPath): return EnvironmentValues()[keyPath: keyPath]
        case .object(let read): return read(EnvironmentValues())
        }
    }

    @MainActor public static func _link(_ pointer: UnsafeMutableRawPointer, _ linker: _Linker) {
        let property = pointer.assumingMemoryBound(to: Self.self)
        switch property.pointee.source {
        case .keyPath(let keyPath): property.pointee.value = linker.environment[keyPath: keyPath]
        case .object(let read): property.pointee.value = read(linker.environment)
        }
    }
}
