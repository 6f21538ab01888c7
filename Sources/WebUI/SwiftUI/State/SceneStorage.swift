/// A value that a scene keeps across a restart of the program. Not for secrets.
///
/// In a browser a scene is a tab: the page keeps the value, and a closed tab loses it.
@propertyWrapper
public struct SceneStorage<Value>: DynamicProperty {
    private let key: String
    private let initial: Value
    private let form: any StoredForm.Type
    private var location: SceneLocation<Value>?

    private init(_ key: String, _ initial: Value, _ form: any StoredForm.Type) {
        self.key = key
        self.initial = initial
        self.form = form
    }

    public var wrappedValue: Value {
        get { location?.read() ?? initial }
        nonmutating set { location?.write(newValue) }
    }

    public var projectedValue: Binding<Value> {
        guard let location else { return .constant(initial) }
        return Binding(location: location)
    }

    @MainActor public static func _link(_ pointer: UnsafeMutableRawPointer, _ linker: _Linker) {
        let storage = pointer.assumingMemoryBound(to: Self.self)
        storage.pointee.location = linker.slot {
            let (key, initial, form) = (storage.pointee.key, storage.pointee.initial, storage.pointee.form)
            return SceneLocation(linker.environment.scene?.store ?? SceneStore(), key, initial, form)
        }
    }
}

extension SceneStorage {
    public init(wrappedValue: Value, _ key: String) where Value == Bool { self.init(key, wrappedValue, FlagForm.self) }
    public init(wrappedValue: Value, _ key: String) where Value == Int { self.init(key, wrappedValue, IntegerForm.self) }
    public init(wrappedValue: Value, _ key: String) where Value == Double { self.init(key, wrappedValue, NumberForm.self) }
    public init(wrappedValue: Value, _ key: String) where Value == String { self.init(key, wrappedValue, TextForm.self) }
    public init(wrappedValue: Value, _ key: String) where Value: RawRepresentable, Value.RawValue == Int {
        self.init(key, wrappedValue, RawForm<Value, IntegerForm>.self)
    }
    public init(wrappedValue: Value, _ key: String) where Value: RawRepresentable, Value.RawValue == String {
        self.init(key, wrappedValue, RawForm<Value, TextForm>.self)
    }
}

extension SceneStorage where Value: ExpressibleByNilLiteral {
    public init(_ key: String) where Value == Bool? { self.init(key, nil, FlagForm.self) }
    public init(_ key: String) where Value == Int? { self.init(key, nil, IntegerForm.self) }
    public init(_ key: String) where Value == Double? { self.init(key, nil, NumberForm.self) }
    public init(_ key: String) where Value == String? { self.init(key, nil, TextForm.self) }
    public init<R>(_ key: String) where Value == R?, R: RawRepresentable, R.RawValue == Int {
        self.init(key, nil, RawForm<R, IntegerForm>.self)
    }
    public init<R>(_ key: String) where Value == R?, R: RawRepresentable, R.RawValue == String {
        self.init(key, nil, RawForm<R, TextForm>.self)
    }
}

/// One value of a scene's store. A stored value of another type counts as missing.
private final class SceneLocation<Value>: Location<Value> {
    private let store: SceneStore
    private let key: String
    private let initial: Value
    private let form: any StoredForm.Type

    init(_ store: SceneStore, _ key: String, _ initial: Value, _ form: any StoredForm.Type) {
        self.store = store
        self.key = key
        self.initial = initial
        self.form = form
    }

    override func read() -> Value { store.read(key).flatMap(form.value) as? Value ?? initial }
    override func write(_ newValue: Value) { store.write(form.stored(newValue), for: key) }
}

// A type rather than closures: views are compared by their bytes (decision 28).
private protocol StoredForm {
    static func value(_ stored: SceneStore.Value) -> Any?
    /// Returns the stored form of `value`; nil for an optional without a value.
    static func stored(_ value: Any) -> SceneStore.Value?
}

private enum FlagForm: StoredForm {
    static func value(_ stored: SceneStore.Value) -> Any? { if case .flag(let flag) = stored { flag } else { nil } }
    static func stored(_ value: Any) -> SceneStore.Value? { (value as? Bool).map { .flag($0) } }
}

private enum IntegerForm: StoredForm {
    static func value(_ stored: SceneStore.Value) -> Any? { if case .integer(let number) = stored { number } else { nil } }
    static func stored(_ value: Any) -> SceneStore.Value? { (value as? Int).map { .integer($0) } }
}

private enum NumberForm: StoredForm {
    static func value(_ stored: SceneStore.Value) -> Any? {
        switch stored {
        case .number(let number): number
        // JSON does not distinguish integers from other numbers.
        case .integer(let number): Double(number)
        default: nil
        }
    }
    static func stored(_ value: Any) -> SceneStore.Value? { (value as? Double).map { .number($0) } }
}

private enum TextForm: StoredForm {
    static func value(_ stored: SceneStore.Value) -> Any? { if case .text(let text) = stored { text } else { nil } }
    static func stored(_ value: Any) -> SceneStore.Value? { (value as? String).map { .text($0) } }
}

private enum RawForm<Raw: RawRepresentable, Form: StoredForm>: StoredForm {
    static func value(_ stored: SceneStore.Value) -> Any? { (Form.value(stored) as? Raw.RawValue).flatMap(Raw.init(rawValue:)) }
    static func stored(_ value: Any) -> SceneStore.Value? { (value as? Raw).flatMap { Form.stored($0.rawValue) } }
}
