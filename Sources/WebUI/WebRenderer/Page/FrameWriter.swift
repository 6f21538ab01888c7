package import SwiftUI

/// The encoding of a tree's changes for the page. See `Docs/Protocols/WebUI.md`.
@MainActor
package enum FrameWriter {
    package static func write(_ change: Change, to json: inout JSONWriter) {
        switch change {
        case .replaced: preconditionFailure("a whole tree is a snapshot")
        case .appended(let element, let suffix):
            json.array {
                $0.string("a")
                $0.integer(element.id)
                $0.string(suffix)
            }
        case .updated(let element, let isRestyled, let attributes):
            json.array {
                $0.string("p")
                $0.integer(element.id)
                $0.object { json in
                    if isRestyled {
                        json.key("s")
                        let style = CSS.declarations(of: element)
                        if style.isEmpty { json.null() } else { json.string(style) }
                    }
                    for (name, value) in attributes { write(name, value, to: &json) }
                }
            }
        case .flags(let element):
            json.array {
                $0.string("g")
                $0.integer(element.id)
                $0.integer(element.flags.rawValue)
            }
        case .inserted:
            var body = FrameBody(CollectionOfOne(change))
            body.write()
            json.raw(body.json)
        case .moved(let element, let parent, let before):
            json.array {
                $0.string("m")
                $0.integer(parent.id)
                $0.integer(before?.id ?? 0)
                $0.integer(element.id)
            }
        case .removed(let id):
            json.array {
                $0.string("r")
                $0.integer(id)
            }
        }
    }

    /// Writes an element with its descendants.
    package static func write(_ element: Element, to json: inout JSONWriter) {
        var body = FrameBody(root: element)
        body.write()
        json.raw(body.json)
    }

    /// Writes an element up to its children, and leaves its object open.
    fileprivate static func begin(_ element: Element, in json: inout JSONWriter) {
        json.begin("{")
        json.key("i")
        json.integer(element.id)
        json.key("k")
        json.string(element.kind.rawValue)
        if !element.flags.isEmpty {
            json.key("g")
            json.integer(element.flags.rawValue)
        }
        let style = CSS.declarations(of: element)
        if !style.isEmpty || !element.attributes.isEmpty {
            json.key("p")
            json.object { json in
                if !style.isEmpty {
                    json.key("s")
                    json.string(style)
                }
                for (name, value) in element.attributes { write(name, value, to: &json) }
            }
        }
    }

    private static func write(_ name: AttributeName, _ value: AttributeValue?, to json: inout JSONWriter) {
        json.key(name.rawValue)
        switch value {
        case .text(let text): json.string(text)
        case .number(let number): json.number(number)
        case .on: json.integer(1)
        case .off: json.integer(0)
        case .list(let items):
            json.array { json in
                for item in items { json.string(item) }
            }
        case nil: json.null()
        }
    }
}

/// The operations of a frame, or the tree of a snapshot, written in several turns of the main actor, since trees may be large.
///
/// Unwritten elements must not get or lose children between the turns.
@MainActor
struct FrameBody {
    /// The operations, without brackets around them, or the tree. Complete once ``isComplete`` is true.
    private(set) var json = JSONWriter()
    /// The unwritten changes, the next one last.
    private var changes: [Change] = []
    /// The unwritten children of each begun element, the next one last. The outermost element comes first.
    private var rest: [[Element]] = []
    /// True if the outermost element belongs to an operation.
    private var isInserting = false

    /// Maximum elements and length, in bytes, of one turn. The last element may exceed the length.
    static let turn = (elements: 50, bytes: 8_192)

    /// Creates an empty body.
    init() {}

    init(root: Element) { begin(root) }

    init(_ changes: some BidirectionalCollection<Change>) { self.changes = changes.reversed() }

    var isComplete: Bool { changes.isEmpty && rest.isEmpty }

    /// Adds changes to a complete body.
    mutating func add(_ changes: [Change]) { self.changes = changes.reversed() }

    /// Writes all remaining turns.
    mutating func write() { while !isComplete { writeTurn() } }

    /// Writes one turn.
    mutating func writeTurn() {
        let end = json.bytes.count + Self.turn.bytes
        var count = 0
        while count < Self.turn.elements, json.bytes.count < end, !isComplete {
            count += 1
            if rest.isEmpty { beginChange() } else { continueElement() }
        }
    }

    private mutating func beginChange() {
        guard let change = changes.popLast() else { return }
        guard case .inserted(let element, let parent, let before) = change else { return FrameWriter.write(change, to: &json) }
        json.begin("[")
        json.string("i")
        json.integer(parent.id)
        json.integer(before?.id ?? 0)
        isInserting = true
        begin(element)
    }

    private mutating func begin(_ element: Element) {
        FrameWriter.begin(element, in: &json)
        let children = element.pageChildren
        if !children.isEmpty {
            json.key("c")
            json.begin("[")
        }
        rest.append(children.reversed())
        if children.isEmpty { end(hasChildren: false) }
    }

    private mutating func continueElement() {
        if let child = rest[rest.count - 1].popLast() { begin(child) } else { end(hasChildren: true) }
    }

    private mutating func end(hasChildren: Bool) {
        rest.removeLast()
        if hasChildren { json.end("]") }
        json.end("}")
        guard rest.isEmpty, isInserting else { return }
        isInserting = false
        json.end("]")
    }
}
