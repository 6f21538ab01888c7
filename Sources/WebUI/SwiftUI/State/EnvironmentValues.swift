/// A key of one environment value, with its default.
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
    /// True if presented content (a sheet, an alert) starts with the default again.
    static var _isLocal: Bool { get }
}

extension EnvironmentKey {
    public static var _isLocal: Bool { false }
}

/// The key of a value for the appearance or the container of a view.
protocol LocalKey: EnvironmentKey {}

extension LocalKey {
    static var _isLocal: Bool { true }
}

/// The values that views pass down to the views inside them.
///
/// A linked list: setting a value adds one node, and a comparison ends at the first shared node.
public struct EnvironmentValues {
    private class Node {
        let key: ObjectIdentifier
        let next: Node?
        init(key: ObjectIdentifier, next: Node?) {
            self.key = key
            self.next = next
        }
        var isLocal: Bool { false }
        func copy(before next: Node?) -> Node { preconditionFailure("subclasses copy") }
        func isSame(as other: Node) -> Bool { preconditionFailure("subclasses compare") }
    }

    private final class ValueNode<K: EnvironmentKey>: Node {
        let value: K.Value
        init(_ value: K.Value, next: Node?) {
            self.value = value
            super.init(key: ObjectIdentifier(K.self), next: next)
        }
        override var isLocal: Bool { K._isLocal }
        override func copy(before next: Node?) -> Node { ValueNode(value, next: next) }
        override func isSame(as other: Node) -> Bool {
            guard let other = other as? ValueNode else { return false }
            if haveSameBits(value, other.value) { return true }
            return (value as? any Equatable).map { EnvironmentValues.isEqual($0, other.value) } ?? false
        }
    }

    private final class ObjectNode<Object: AnyObject>: Node {
        let object: Object?
        init(_ object: Object?, next: Node?) {
            self.object = object
            super.init(key: ObjectIdentifier(Object.self), next: next)
        }
        override func copy(before next: Node?) -> Node { ObjectNode(object, next: next) }
        override func isSame(as other: Node) -> Bool { (other as? ObjectNode)?.object === object }
    }

    private var head: Node?

    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { (find(ObjectIdentifier(key)) as? ValueNode<K>)?.value ?? K.defaultValue }
        set { head = ValueNode<K>(newValue, next: head) }
    }

    /// The nearest object of this type from an outer view; nil if there is none.
    subscript<Object: AnyObject>(object type: Object.Type) -> Object? {
        get { (find(ObjectIdentifier(type)) as? ObjectNode<Object>)?.object }
        set { head = ObjectNode(newValue, next: head) }
    }

    private func find(_ key: ObjectIdentifier) -> Node? {
        var node = head
        while let current = node {
            if current.key == key { return current }
            node = current.next
        }
        return nil
    }

    /// The values for presented content: all but those of a ``LocalKey``.
    var forPresentation: EnvironmentValues {
        var kept: [Node] = []
        var seen: Set<ObjectIdentifier> = []
        var node = head
        while let current = node {
            if seen.insert(current.key).inserted, !current.isLocal { kept.append(current) }
            node = current.next
        }
        var result = EnvironmentValues()
        for node in kept.reversed() { result.head = node.copy(before: result.head) }
        return result
    }

    /// Returns whether all values above the first shared node are equal. Values that cannot be compared count as different.
    func isSame(as other: EnvironmentValues) -> Bool {
        var first = head
        var second = other.head
        while let one = first, let two = second {
            if one === two { return true }
            guard one.key == two.key, one.isSame(as: two) else { return false }
            first = one.next
            second = two.next
        }
        return first == nil && second == nil
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
