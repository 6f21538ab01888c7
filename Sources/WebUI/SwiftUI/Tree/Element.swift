/// Something the page shows.
@MainActor
package final class Element: Node {
    /// What the page calls it. Positive, never used again in a tree.
    package let id: Int
    package let kind: ElementKind
    package internal(set) var style: [StyleRule] = []
    package internal(set) var attributes = Attributes()
    /// Which axes it wants all room on. Computed by ``ViewHost`` where the structure changed.
    package internal(set) var flags: LayoutFlags = []
    /// Its children as the page has them.
    package internal(set) var pageChildren: [Element] = []

    /// Its children as they are to be, until the page is told.
    var pageChildrenWaiting: [Element]?

    var handlers: [EventName: Handler] = [:]
    var layout = LayoutRule.content
    /// What the page was last told; shares its storage with `style` and `attributes` while nothing changed.
    var shownStyle: [StyleRule] = []
    var shownAttributes = Attributes()
    var shownFlags: LayoutFlags = []
    /// The page knows this element: a change is a patch, not part of an insertion.
    var isOnPage = false
    /// In the set of elements that the next flush looks at.
    var isMarked = false
    /// A covered page, a hidden tab.
    var isCovered = false
    /// Where the items stand that this element shows in a bar.
    var barScopes: [BarScope] = []

    typealias Handler = @MainActor (EventValue) -> Void

    init(kind: ElementKind, key: Key, parent: Node?, host: ViewHost) {
        self.kind = kind
        id = host.nextElementID()
        super.init(key: key, parent: parent, host: host)
    }

    package override func willUnmount() {
        handlers = [:]
        host.forget(self)
    }

    /// What a person can do with it now.
    package var events: [EventName] { handlers.keys.sorted { $0.rawValue < $1.rawValue } }

    /// The elements below, through scopes, as the page is to have them.
    func flattened() -> [Element] {
        var result: [Element] = []
        for scope in barScopes { Self.collect(scope.children, into: &result) }
        Self.collect(children, into: &result)
        return result
    }

    private static func collect(_ nodes: [Node], into result: inout [Element]) {
        for node in nodes {
            if let element = node as? Element {
                result.append(element)
            } else if !(node is BarScope) {
                collect(node.children, into: &result)
            }
        }
    }
}

/// What kind of thing an element is. The raw value is the kind's name in `Docs/Protocols/WebUI.md`.
package enum ElementKind: String, Sendable {
    case root, text, run, symbol, vstack, hstack, zstack, grid, spacer, divider, pad, frame, layers, layer, shape, path
    case button, link, field, toggle, label, progress, scroll, list, section, header, footer, row
    case nav, page, items, tabs, tab, tabbar, tabitem, sheet, alert, confirm, message

    /// Shown above everything, without a place among its siblings.
    package var isPresentation: Bool { self == .sheet || self == .alert || self == .confirm }
}

/// Something a person does to an element. The raw value is its name in the protocol.
package enum EventName: String, Sendable {
    case tap, long, press, drag, input, submit, focus, blur, back, dismiss, refresh
}

/// What comes with an event.
package enum EventValue: Equatable, Sendable {
    case none
    case text(String)
    case number(Double)
    case drag(DragReport)
}

/// One report of a finger that moves on an element: points within the element, points a second.
package struct DragReport: Equatable, Sendable {
    package var location: CGPoint
    package var start: CGPoint
    package var velocity: CGSize
    package var isOver: Bool

    package init(location: CGPoint, start: CGPoint, velocity: CGSize, isOver: Bool) {
        self.location = location
        self.start = start
        self.velocity = velocity
        self.isOver = isOver
    }
}
