/// Goes through the children of one node while they are rendered again: finds each in the old ones, or makes room for a new one.
@MainActor
final class ChildList {
    let node: Node
    private let old: [Node]
    private var cursor = 0
    /// Those that the cursor went past.
    private var passed: [Node] = []
    /// Those and the old children from the cursor on, once an order was found that walking cannot follow.
    private var rest: [Node.Key: Node]?
    private var new: [Node] = []

    init(_ node: Node) {
        self.node = node
        old = node.children
        new.reserveCapacity(old.count)
    }

    /// The old child with `key`, which is then a child again.
    ///
    /// A match at the cursor or right after it is immediate. Otherwise a dictionary of the rest is made, once.
    func claim(_ key: Node.Key) -> Node? {
        if let found = find(key) {
            new.append(found)
            return found
        }
        return nil
    }

    private func find(_ key: Node.Key) -> Node? {
        if rest == nil {
            if cursor < old.count, old[cursor].key == key {
                cursor += 1
                return old[cursor - 1]
            }
            if cursor + 1 < old.count, old[cursor + 1].key == key {
                passed.append(old[cursor])
                cursor += 2
                return old[cursor - 1]
            }
            guard cursor < old.count || !passed.isEmpty else { return nil }
            rest = Dictionary((passed + old[cursor...]).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        }
        return rest?.removeValue(forKey: key)
    }

    func append(_ node: Node) { new.append(node) }

    /// Unmounts what was not claimed and keeps the new list.
    func finish() {
        let isSame = old.count == new.count && zip(old, new).allSatisfy { $0 === $1 }
        guard !isSame else { return }
        // Before anything changes: what the page has is read from the tree.
        (node as? Element ?? (node as? BarScope)?.bar ?? node.container)?.childrenWillChange()
        if !old.isEmpty {
            let kept = Set(new.map(ObjectIdentifier.init))
            for child in old where !kept.contains(ObjectIdentifier(child)) { child.unmount() }
        }
        // Of exactly its size: there are many small ones.
        node.children = new.count == 1 ? [new[0]] : new
    }
}
