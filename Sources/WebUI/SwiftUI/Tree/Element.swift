/// A node that the page shows.
@MainActor
package final class Element: Node {
    private let number: UInt32
    package let kind: ElementKind
    /// The axes on which the element fills the available space. Computed by ``ViewHost`` where the structure changed.
    package private(set) var flags: LayoutFlags = []
    private(set) var layout = LayoutRule.content
    /// True if the page has this element, so that a change is a patch and not part of an insertion.
    private(set) var isOnPage = false
    /// True if the element is a covered page or a hidden tab.
    var isCovered = false
    /// True if the visibility of the children, which are rows, is tracked one by one.
    var isLazy = false
    /// True if the row has been visible. A row that was visible counts as shown from then on.
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

    /// The state of an element on the page.
    @MainActor
    final class Shown {
        let style: [StyleRule]
        var attributes: Attributes
        let flags: LayoutFlags
        /// The children on the page; nil while the list of children is unchanged.
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

    /// The id of the element on the page: positive, never reused in a tree.
    package var id: Int { Int(number) }

    /// The events that the element handles now.
    package var events: [EventName] { handlers.keys.sorted { $0.rawValue < $1.rawValue } }

    // MARK: Children

    /// The child elements, with scopes flattened away. The page has the same list after each flush.
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
        // The row's own handler of `appear` stays.
        if let appear = self.handlers[.appear] { handlers[.appear] = appear }
        // A scroll target that the page has not received yet stays.
        if let target = self.attributes[.scrollTarget], !isOnPage || shown.map({ $0.attributes[.scrollTarget] != target }) ?? false
        {
            attributes[.scrollTarget] = target
            attributes[.scrollAlignment] = self.attributes[.scrollAlignment]
        }
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

    /// Adds a handler for `event` beside those of the view, or removes it.
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

    /// Makes the page scroll this element to a descendant, also to the last target again: the user may have scrolled since.
    func scroll(to target: Element, edge: String?) {
        willChange()
        shown?.attributes[.scrollTarget] = nil
        attributes[.scrollTarget] = .number(Double(target.id))
        attributes[.scrollAlignment] = edge.map { .text($0) }
    }

    func set(_ flags: LayoutFlags) {
        guard self.flags != flags else { return }
        willChange()
        self.flags = flags
    }

    /// Notes that the page already shows `text` in this field.
    func pageDidShow(_ text: String) {
        attributes[.value] = .text(text)
        shown?.attributes[.value] = .text(text)
    }

    /// Prepares a change of the list of page children. Call this method before the change.
    func childrenWillChange() {
        willChange()
        if let shown, shown.children == nil { shown.children = pageChildren }
        host.structureChanged(self)
    }

    /// The state on the page, from the first change until the page receives it; otherwise nil.
    var shown: Shown? { host.shown[id] }

    /// Stores the state on the page. An element that the page does not have yet is inserted as a whole.
    private func willChange() {
        if isOnPage, shown == nil { host.willChange(self, from: Shown(self)) }
    }

    /// Marks this element and its descendants as known to the page.
    func putOnPage() {
        isOnPage = true
        forEachPageChild { $0.putOnPage() }
    }
}

/// The kind of an element. The raw value is the name of the kind in `Docs/Protocols/WebUI.md`.
package enum ElementKind: String, Sendable {
    case root, text, run, symbol, picture, vstack, hstack, zstack, grid, cells, cellrow, spacer, divider, pad, frame, layers, layer,
        shape,
        path
    case button, link, field, toggle, label, progress, scroll, list, section, header, footer, row
    case nav, page, items, tabs, tab, tabbar, tabitem, sheet, alert, confirm, menu, message, picker, gap

    /// True if the element is shown above everything else, outside the layout of its siblings.
    package var isPresentation: Bool { self == .sheet || self == .alert || self == .confirm || self == .menu }

    /// The index of the case.
    var number: UInt8 { unsafeBitCast(self, to: UInt8.self) }
}

/// An event of the user or the page on an element. The raw value is the name in the protocol.
package enum EventName: String, Sendable {
    case tap, double, long, press, drag, pinch, input, submit, focus, blur, back, dismiss, refresh
    /// The browser's back action, where no page or dialog is above the view.
    case escape
    /// The element became visible or is about to.
    case appear
    /// Another child of the scroll targets is at the edge of the scrolling view.
    case place
    /// Return on an attached keyboard, without modifiers, in a field.
    case returnKey = "return"
}

/// The value of an event.
package enum EventValue: Equatable, Sendable {
    case none
    case text(String)
    case number(Double)
    case drag(DragReport)
    case pinch(PinchReport)
}

/// The state of a pinch on an element.
package struct PinchReport: Equatable, Sendable {
    /// The distance of the fingers as a multiple of the distance at the start. Positive.
    package var magnification: CGFloat
    /// The change of ``magnification`` per second.
    package var velocity: CGFloat
    /// The point between the fingers at the start: `start` in points within the element, `anchor` as a fraction of its size.
    package var start: CGPoint
    package var anchor: UnitPoint
    package var isOver: Bool

    package init(magnification: CGFloat, velocity: CGFloat, start: CGPoint, anchor: UnitPoint, isOver: Bool) {
        self.magnification = magnification
        self.velocity = velocity
        self.start = start
        self.anchor = anchor
        self.isOver = isOver
    }
}

/// The state of a drag on an element: positions in points within the element, velocity in points per second.
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
