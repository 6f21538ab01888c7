/// A type-erased list of values, one for each page.
public struct NavigationPath: Equatable {
    var values: [AnyHashable] = []

    public init() {}
    public init<S: Sequence>(_ elements: S) where S.Element: Hashable { values = elements.map { AnyHashable($0) } }

    public var count: Int { values.count }
    public var isEmpty: Bool { values.isEmpty }
    public mutating func append<V: Hashable>(_ value: V) { values.append(AnyHashable(value)) }
    /// - Precondition: `k` is not larger than ``count``.
    public mutating func removeLast(_ k: Int = 1) { values.removeLast(k) }
}
