/// Something the page shows.
@MainActor
package final class Element: Node {
    private let number: UInt32
    package let kind: ElementKind
    /// Which axes it wants all room on. Computed by ``ViewHost`` where the structure changed.
    package private(set) var flags: LayoutFlags = []
    private(set) var layout = LayoutRule.content
    /// The page knows this element: a change is a patch, not part of an insertion.
    private(set) var isOnPage = false
    /// A covered page, a hidden tab.
    var isCovered = false
    /// Its children come into sight one by one: rows.
    var isLazy = false
    /// A row that has been in sight. It counts as shown from then on.
    var isSeen = false
    package private(set) var style: [StyleRule] = []
    package private(set) var attributes = Attributes()
    private(set) var handlers: [EventName: Handler] = [:]

    typealias Handler = @MainActor (EventValue) -> Void

    nonisolated static func both(_ first: @escaping Handler, _ second: @escaping Handler) -> Handler {
        { value in
            first(value)
            second(value)
        }
    }

    /// What the page was last told of an element.
    @MainActor
    final class Shown {
        let style: [StyleRule]
        var attributes: Attributes
        let flags: LayoutFlags
        /// Nil while its list of children is the same.
        var children: [Element]?

        init(_ element: Element) {
            style = element.style
            attributes = element.attributes
            flags = element.flags
        }
    }

    init(kind: ElementKind, key: Key, parent: Node?, host: ViewHost) {
        self.kind = kind
        number = host.nextElementNumber()
        super.init(key: key, parent: parent, host: host)
    }

    package override func willUnmount() {
        if attributes[.focused] == .on, let blur = handlers[.blur] { host.afterEvaluation { blur(.none) } }
        handlers = [:]
        host.forget(self)
    }

    /// What the page calls it. Positive, never used again in a tree.
    package var id: Int { Int(number) }

    /// What a person can do with it now.
    package var events: [EventName] { handlers.keys.sorted { $0.rawValue < $1.rawValue } }

    // MARK: Children

    /// The elements below, through scopes, as the page has them after each flush.
    package var pageChildren: [Element] {
        var result: [Element] = []
        forEachPageChild { result.append($0) }
        return result
    }

    func forEachPageChild(_ body: (Element) -> Void) {
        if kind == .page || kind == .tabbar {
            for scope in host.barScopes[id] ?? [] { Self.visit(scope.children, body) }
        }
        Self.visit(children, body)
    }

    static func visit(_ nodes: [Node], _ body: (Element) -> Void) {
        for node in nodes {
            if let element = node as? Element {
                body(element)
            } else if !(node is BarScope) {
                visit(node.children, body)
            }
        }
    }

    // MARK: Changes

    func update(style: [StyleRule], attributes: Attributes, handlers: [EventName: Handler], layout: LayoutRule) {
        var (attributes, handlers) = (attributes, handlers)
        // What the row has to tell is not its view's.
        if let appear = self.handlers[.appear] { handlers[.appear] = appear }
        if !handlers.isEmpty { attributes[.events] = Self.names(of: handlers) }
        if !handlers.isEmpty || !self.handlers.isEmpty {
            self.handlers = handlers
            host.listen(self)
        }
        if self.style != style {
            willChange()
            self.style = host.shared(style)
        }
        if self.attributes != attributes {
            willChange()
            self.attributes = host.shared(attributes)
        }
        if self.layout != layout {
            self.layout = layout
            host.structureChanged(self)
        }
    }

    /// Takes `event` besides those that its view takes, or not any more.
    func take(_ event: EventName, _ handler: Handler?) {
        handlers[event] = handler
        host.listen(self)
        set(.events, Self.names(of: handlers))
    }

    private static func names(of handlers: [EventName: Handler]) -> AttributeValue? {
        handlers.isEmpty ? nil : .text(handlers.keys.map(\.rawValue).sorted().joined(separator: " "))
    }

    func set(_ name: AttributeName, _ value: AttributeValue?) {
        guard attributes[name] != value else { return }
        willChange()
        attributes[name] = value
    }

    func set(_ flags: LayoutFlags) {
        guard self.flags != flags else { return }
        willChange()
        self.flags = flags
    }

    /// The page shows `text` in this field already.
    func pageShows(_ text: String) {
        attributes[.value] = .text(text)
        shown?.attributes[.value] = .text(text)
    }

    /// Called before its list of page children becomes another.
    func childrenWillChange() {
        willChange()
        if let shown, shown.children == nil { shown.children = pageChildren }
        host.structureChanged(self)
    }

    /// What the page has, from the first change on until it is told of it.
    var shown: Shown? { host.shown[id] }

    /// Remembers what the page has. What the page does not have yet is told as a whole.
    private func willChange() {
        if isOnPage, shown == nil { host.willChange(self, from: Shown(self)) }
    }

    /// Takes this element and all below as told to the page, in one piece.
    func putOnPage() {
        isOnPage = true
        forEachPageChild { $0.putOnPage() }
    }
}

/// What kind of thing an element is. The raw value is the kind's name in `Docs/Protocols/WebUI.md`.
package enum ElementKind: String, Sendable {
    case root, text, run, symbol, vstack, hstack, zstack, grid, spacer, divider, pad, frame, layers, layer, shape, path
    case button, link, field, toggle, label, progress, scroll, list, section, header, footer, row
    case nav, page, items, tabs, tab, tabbar, tabitem, sheet, alert, confirm, message

    /// Shown above everything, without a place among its siblings.
    package var isPresentation: Bool { self == .sheet || self == .alert || self == .confirm }

    /// Which case it is.
    var number: UInt8 { unsafeBitCast(self, to: UInt8.self) }
}

/// Something a person does to an element, or that happens to it on the page. The raw value is its name in the protocol.
package enum EventName: String, Sendable {
    case tap, double, long, press, drag, input, submit, focus, blur, back, dismiss, refresh
    /// The browser's way back, where no page or dialog is above the view.
    case escape
    /// It has come into sight, or is about to.
    case appear
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
