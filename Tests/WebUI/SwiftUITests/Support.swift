import SwiftUI
import Testing

/// Records named events in order.
final class Tally: @unchecked Sendable {
    private(set) var log: [String] = []
    func add(_ name: String) { log.append(name) }
    func count(_ name: String) -> Int { log.count { $0 == name } }
    func clear() { log = [] }
}

/// The state of a page, built from the changes only.
@MainActor
final class Mirror {
    final class Node {
        let id: Int
        let kind: ElementKind
        var style: [StyleRule]
        var attributes: Attributes
        var flags: LayoutFlags
        var children: [Node]
        weak var parent: Node?

        @MainActor
        init(_ element: Element) {
            id = element.id
            kind = element.kind
            style = element.style
            attributes = element.attributes
            flags = element.flags
            children = element.pageChildren.map { Node($0) }
            for child in children { child.parent = self }
        }
    }
    private(set) var root: Node
    private(set) var changes: [Change] = []
    private(set) var flushes = 0
    private(set) var problems: [String] = []

    init(of host: ViewHost) {
        root = Node(host.root)
        host.onChanges = { [weak self] changes, _ in self?.apply(changes) }
    }

    func clear() {
        changes = []
        flushes = 0
    }

    private func apply(_ changes: [Change]) {
        flushes += 1
        self.changes += changes
        for change in changes {
            switch change {
            case .replaced(let element): root = Node(element)
            case .appended(let element, let suffix):
                let node = node(element.id)
                node?.attributes[.text] = .text((node?.attributes[.text]?.text ?? "") + suffix)
            case .updated(let element, let isRestyled, let attributes):
                let node = node(element.id)
                if isRestyled { node?.style = element.style }
                for (name, value) in attributes { node?.attributes[name] = value }
            case .flags(let element): node(element.id)?.flags = element.flags
            case .inserted(let element, let parent, let before):
                if find(element.id, in: root) != nil { problems.append("\(element.id) is inserted twice") }
                insert(Node(element), into: parent, before: before)
            case .moved(let element, let parent, let before):
                guard let node = node(element.id) else { continue }
                if node.parent?.id != parent.id { problems.append("\(element.id) moves between parents") }
                node.parent?.children.removeAll { $0 === node }
                insert(node, into: parent, before: before)
            case .removed(let id):
                guard let node = node(id) else { continue }
                node.parent?.children.removeAll { $0 === node }
            }
        }
    }

    private func insert(_ node: Node, into parent: Element, before: Element?) {
        guard let parent = self.node(parent.id) else { return }
        node.parent = parent
        if let before {
            guard let index = parent.children.firstIndex(where: { $0.id == before.id }) else {
                return problems.append("\(before.id) is not a child of \(parent.id)")
            }
            parent.children.insert(node, at: index)
        } else {
            parent.children.append(node)
        }
    }

    private func node(_ id: Int) -> Node? {
        let node = find(id, in: root)
        if node == nil { problems.append("there is no \(id)") }
        return node
    }

    private func find(_ id: Int, in node: Node) -> Node? {
        if node.id == id { return node }
        for child in node.children { if let found = find(id, in: child) { return found } }
        return nil
    }

    /// The differences from the tree.
    func differences(from element: Element) -> [String] {
        var result = problems
        func compare(_ node: Node, _ element: Element) {
            if node.id != element.id { return result.append("\(node.id) instead of \(element.id)") }
            if node.kind != element.kind { result.append("\(node.id) is a \(node.kind)") }
            if node.style != element.style { result.append("style of \(node.id)") }
            if node.attributes != element.attributes { result.append("attributes of \(node.kind) \(node.id)") }
            if node.flags != element.flags { result.append("flags of \(node.kind) \(node.id)") }
            let children = element.pageChildren
            if node.children.map(\.id) != children.map(\.id) {
                return result.append("children of \(node.id): \(node.children.map(\.id)) instead of \(children.map(\.id))")
            }
            for (child, element) in zip(node.children, children) { compare(child, element) }
        }
        compare(root, element)
        return result
    }
}

extension Change {
    var isInsertion: Bool { if case .inserted = self { true } else { false } }
    var isMove: Bool { if case .moved = self { true } else { false } }
    var isRemoval: Bool { if case .removed = self { true } else { false } }
    var isUpdate: Bool { if case .updated = self { true } else { false } }
    var suffix: String? { if case .appended(_, let suffix) = self { suffix } else { nil } }
}

extension Element {
    /// All descendants in reading order, visible or not.
    @MainActor
    var all: [Element] { [self] + pageChildren.flatMap(\.all) }

    @MainActor
    func first(_ kind: ElementKind) -> Element? { all.first { $0.kind == kind } }
}

/// A deterministic generator (SplitMix64).
struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
