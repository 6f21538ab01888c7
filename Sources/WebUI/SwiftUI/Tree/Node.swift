/// One position in the tree. It is kept between renders and changed in place.
///
/// An ``Element`` is a node that the page shows. Every other node (a component, a row, an effect) is a scope: it has a lifetime
/// and an identity, and is flattened away where an element's children are listed.
@MainActor
package class Node {
    /// The identity of a child among its siblings.
    struct Key: Hashable {
        /// A hash of the structural path and the kind.
        let place: UInt64
        let id: ExplicitID?

        init(_ place: UInt64, _ kind: ElementKind) {
            self.place = mixed(place, UInt64(kind.number))
            id = nil
        }
        init(_ place: UInt64, _ type: Any.Type, id: ExplicitID? = nil) {
            self.place = mixed(place, UInt64(UInt(bitPattern: ObjectIdentifier(type))))
            self.id = id
        }
    }

    let key: Key
    unowned let host: ViewHost
    // Cleared by `unmount()`, before a parent releases its children: `Docs/Decisions/0029-unowned-unsafe-references-in-the-tree.md`.
    private(set) unowned(unsafe) var parent: Node?
    package internal(set) final var children: [Node] = []
    private let level: Int32
    private(set) final var isMounted = true

    init(key: Key, parent: Node?, host: ViewHost) {
        self.key = key
        self.parent = parent
        self.host = host
        level = parent.map { $0.level + 1 } ?? 0
    }

    /// Count of ancestors; 0 for the root.
    final var depth: Int { Int(level) }

    /// The element that lists this node's elements as its page children; nil for the root.
    final var container: Element? {
        var node = parent
        while let current = node {
            if let element = current as? Element { return element }
            if let slot = current as? BarScope { return slot.bar }
            node = current.parent
        }
        return nil
    }

    /// The nearest component: this node itself, or the ancestor whose body created it; nil if there is none.
    final var component: AnyComponent? {
        var node: Node? = self
        while let current = node {
            if let component = current as? AnyComponent { return component }
            node = current.parent
        }
        return nil
    }

    /// Ends the lifetime of this node and its descendants, from the leaves up.
    final func unmount() {
        guard isMounted else { return }
        for child in children { child.unmount() }
        isMounted = false
        willUnmount()
        parent = nil
    }

    /// Ends the tasks, handlers and registrations of the node.
    func willUnmount() {}

    /// True if the node is outside covered pages and hidden tabs. Presented content is always shown.
    final var isShown: Bool {
        var node: Node? = self
        while let current = node {
            if let element = current as? Element {
                if element.isCovered { return false }
                if element.kind.isPresentation { return true }
            }
            node = current.parent
        }
        return true
    }

    /// Returns whether this node precedes `other` in the order of the tree. Neither may contain the other.
    final func isBefore(_ other: Node) -> Bool {
        var first = self
        var second = other
        while first.level > second.level, let parent = first.parent { first = parent }
        while second.level > first.level, let parent = second.parent { second = parent }
        while let one = first.parent, let two = second.parent {
            if one === two { return one.children.first { $0 === first || $0 === second } === first }
            first = one
            second = two
        }
        return false
    }
}

/// An explicit id of a view, and its index among siblings with the same id.
class ExplicitID: Hashable {
    fileprivate let copy: Int32
    fileprivate init(copy: Int) { self.copy = Int32(truncatingIfNeeded: copy) }
    fileprivate func isSame(as other: ExplicitID) -> Bool { preconditionFailure("subclasses compare") }
    func hash(into hasher: inout Hasher) { preconditionFailure("subclasses hash") }
    static func == (first: ExplicitID, second: ExplicitID) -> Bool { first === second || first.isSame(as: second) }
}

final class ID<Value: Hashable>: ExplicitID {
    let value: Value
    init(_ value: Value, copy: Int = 0) {
        self.value = value
        super.init(copy: copy)
    }
    override func isSame(as other: ExplicitID) -> Bool { copy == other.copy && (other as? ID<Value>)?.value == value }
    override func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Mixes two hashes. The second half is SplitMix64's finaliser.
func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var number = (first &+ 0x9E37_79B9_7F4A_7C15) ^ (second &* 0xD1B5_4A32_D192_ED03)
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
}

/// A scope without behaviour, for `.id(_:)`.
final class Scope: Node {}

/// A scope whose elements are shown in a bar instead of their own position: toolbar items, tab items.
final class BarScope: Node {
    /// The bar that lists the elements of the scope.
    unowned let bar: Element
    init(bar: Element, key: Key, parent: Node?, host: ViewHost) {
        self.bar = bar
        super.init(key: key, parent: parent, host: host)
        bar.childrenWillChange()
        host.barScopes[bar.id, default: []].append(self)
    }
    override func willUnmount() {
        guard bar.isMounted else { return }
        bar.childrenWillChange()
        host.barScopes[bar.id]?.removeAll { $0 === self }
    }
}
