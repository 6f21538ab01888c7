/// The matching of a node's new children with its old ones during a render.
@MainActor
final class ChildList {
    let node: Node
    private let old: [Node]
    private var cursor = 0
    /// The old children before the cursor that were not claimed.
    private var passed: [Node] = []
    /// All unclaimed old children, once their order differs from the new one.
    private var rest: [Node.Key: Node]?
    private var new: [Node] = []

    init(_ node: Node) {
        self.node = node
        old = node.children
        new.reserveCapacity(old.count)
    }

    /// Returns the old child with `key`, and makes it a child again; nil if there is none.
    ///
    /// A match at the cursor or right after it is immediate. Otherwise a dictionary of the rest is created, once.
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

    /// Unmounts the unclaimed children and stores the new list.
    func finish() {
        let isSame = old.count == new.count && zip(old, new).allSatisfy { $0 === $1 }
        guard !isSame else { return }
        // Before any change, since the state of the page is read from the tree.
        (node as? Element ?? (node as? BarScope)?.bar ?? node.container)?.childrenWillChange()
        if !old.isEmpty {
            let kept = Set(new.map(ObjectIdentifier.init))
            for child in old where !kept.contains(ObjectIdentifier(child)) { child.unmount() }
        }
        // With exactly the capacity needed: most lists have one element.
        node.children = new.count == 1 ? [new[0]] : new
    }
}
