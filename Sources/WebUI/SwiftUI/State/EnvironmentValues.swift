/// Names one value of the environment and its default.
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

/// Values that views hand down to all views inside them.
///
/// A linked list: setting a value adds one node, and two environments are compared only down to the first node they share.
public struct EnvironmentValues {
    private final class Node {
        let key: ObjectIdentifier
        let value: Any
        let next: Node?
        init(key: ObjectIdentifier, value: Any, next: Node?) {
            self.key = key
            self.value = value
            self.next = next
        }
    }
    private var head: Node?

    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { find(ObjectIdentifier(key)) as? K.Value ?? K.defaultValue }
        set { head = Node(key: ObjectIdentifier(key), value: newValue, next: head) }
    }

    /// The object of this type that a view further out put here.
    subscript<Object: AnyObject>(object type: Object.Type) -> Object? {
        get { find(ObjectIdentifier(type)) as? Object }
        set { head = Node(key: ObjectIdentifier(type), value: newValue as Any, next: head) }
    }

    private func find(_ key: ObjectIdentifier) -> Any? {
        var node = head
        while let current = node {
            if current.key == key { return current.value }
            node = current.next
        }
        return nil
    }

    /// Whether every value set since the two parted is the same in both. Values that cannot be compared count as different.
    func isSame(as other: EnvironmentValues) -> Bool {
        var first = head
        var second = other.head
        while let one = first, let two = second {
            if one === two { return true }
            guard one.key == two.key, Self.areSame(one.value, two.value) else { return false }
            first = one.next
            second = two.next
        }
        return first == nil && second == nil
    }

    private static func areSame(_ first: Any, _ second: Any) -> Bool {
        if let first = first as? any Equatable { return isEqual(first, second) }
        if type(of: first) is AnyClass, type(of: second) is AnyClass {
            return first as AnyObject === second as AnyObject
        }
        return false
    }

    private static func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool { first == second as? Value }
}

extension View {
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        adjusting { $0.environment[keyPath: keyPath] = value }
    }

    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        adjusting { $0.environment[object: T.self] = object }
    }

    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
    ) -> some View {
        adjusting { transform(&$0.environment[keyPath: keyPath]) }
    }
}
