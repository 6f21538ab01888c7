/// One place in the tree that is kept from render to render and changed in place.
///
/// An ``Element`` is something the page shows. Everything else (a component, a row, an effect) is a scope: it has a life
/// and an identity, and is flattened away where an element's children are listed.
@MainActor
package class Node {
    /// What makes a child the same as before: its place in the structure, its type, and its explicit id where it has one.
    struct Key: Hashable {
        enum Kind: Hashable {
            case element(ElementKind)
            case type(ObjectIdentifier)
        }
        var path: Int
        var kind: Kind
        var id: AnyHashable?
        var copy = 0
    }

    let key: Key
    let depth: Int
    let host: ViewHost
    // A parent holds its children, and lets go of them by unmounting, which clears this.
    private(set) unowned(unsafe) var parent: Node?
    package internal(set) final var children: [Node] = []
    private(set) final var isMounted = true

    init(key: Key, parent: Node?, host: ViewHost) {
        self.key = key
        self.parent = parent
        self.host = host
        depth = parent.map { $0.depth + 1 } ?? 0
    }

    /// The element in whose list of page children this node's elements stand.
    final var container: Element? {
        var node = parent
        while let current = node {
            if let element = current as? Element { return element }
            if let slot = current as? BarScope { return slot.bar }
            node = current.parent
        }
        return nil
    }

    /// The component in whose body this node was made.
    final var component: AnyComponent? {
        var node: Node? = self
        while let current = node {
            if let component = current as? AnyComponent { return component }
            node = current.parent
        }
        return nil
    }

    /// Ends the life of this node and of all below it, from the leaves up.
    final func unmount() {
        guard isMounted else { return }
        for child in children { child.unmount() }
        isMounted = false
        willUnmount()
        parent = nil
    }

    /// What ends with the node: tasks, handlers, registrations.
    func willUnmount() {}

    /// Whether a person could see this node: not in a covered page, and not in a hidden tab.
    final var isShown: Bool {
        var node: Node? = self
        while let current = node {
            if let element = current as? Element, element.isCovered { return false }
            node = current.parent
        }
        return true
    }
}

/// A scope without behaviour: a row of a `ForEach`, an `.id(_:)`.
final class Scope: Node {}

/// A scope whose elements are not shown where they stand but in a bar: toolbar items, tab items.
final class BarScope: Node {
    /// The element that lists them.
    unowned let bar: Element
    init(bar: Element, key: Key, parent: Node, host: ViewHost) {
        self.bar = bar
        super.init(key: key, parent: parent, host: host)
        bar.barScopes.append(self)
        host.structureChanged(bar)
    }
    override func willUnmount() {
        bar.barScopes.removeAll { $0 === self }
        if bar.isMounted { host.structureChanged(bar) }
    }
}
