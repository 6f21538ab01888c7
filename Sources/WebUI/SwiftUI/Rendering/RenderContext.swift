/// Where a view is being rendered, and with what from the views around it.
@MainActor
public struct _RenderContext {
    let children: ChildList
    private var surroundingsBase: Surroundings

    /// What a component remembers of its context, to be evaluated again by itself.
    struct Surroundings {
        var environment: EnvironmentValues
        var traits = Traits()
        var place = Place()

        @MainActor
        func isSame(as other: Surroundings) -> Bool {
            place == other.place && traits.isSame(as: other.traits) && environment.isSame(as: other.environment)
        }
    }
    private(set) var path = 0

    init(_ children: ChildList, _ surroundings: Surroundings) {
        self.children = children
        surroundingsBase = surroundings
    }

    var host: ViewHost { children.node.host }
    var surroundings: Surroundings { surroundingsBase }

    var environment: EnvironmentValues {
        get { surroundingsBase.environment }
        set { surroundingsBase.environment = newValue }
    }
    /// What modifiers further out have for the next element.
    var traits: Traits {
        get { surroundingsBase.traits }
        set { surroundingsBase.traits = newValue }
    }
    /// What the container around expects of its children.
    var place: Place {
        get { surroundingsBase.place }
        set { surroundingsBase.place = newValue }
    }

    /// The context of the child at `index` of a block or a branch.
    func child(_ index: Int) -> _RenderContext {
        var context = self
        context.path = path &* 31 &+ index &+ 1
        return context
    }

    /// The node for `key`: the old one, or a new one.
    private func node<N: Node>(_ key: Node.Key, make: () -> N) -> N {
        if let node = children.claim(key) as? N { return node }
        let node = make()
        children.append(node)
        return node
    }

    // MARK: Scopes

    /// A view with a body.
    func component<V: View>(_ view: V) {
        let key = Node.Key(path: path, kind: .type(ObjectIdentifier(V.self)))
        if let component = children.claim(key) as? Component<V> {
            component.update(view, context: self)
        } else {
            children.append(Component(view, context: self, key: key, parent: children.node))
        }
    }

    /// Content that is made later, and tracked by itself: a row, a page, a sheet.
    func deferred<Content: View>(@ViewBuilder _ content: @escaping @MainActor () -> Content) {
        component(_Component(fields: ()) { content() })
    }

    /// A scope of some kind around `content`.
    @discardableResult
    func scope<N: Node>(_ make: (Node.Key, Node) -> N, id: AnyHashable? = nil, content: (_RenderContext) -> Void) -> N {
        let key = Node.Key(path: path, kind: .type(ObjectIdentifier(N.self)), id: id)
        let scope = node(key) { make(key, children.node) }
        render(into: scope, surroundings, content)
        return scope
    }

    /// A plain scope with an explicit id.
    func scope(id: AnyHashable, copy: Int = 0, content: (_RenderContext) -> Void) {
        let key = Node.Key(path: path, kind: .type(ObjectIdentifier(Scope.self)), id: id, copy: copy)
        let scope = node(key) { Scope(key: key, parent: children.node, host: host) }
        render(into: scope, surroundings, content)
    }

    private func render(into node: Node, _ surroundings: Surroundings, _ content: (_RenderContext) -> Void) {
        let list = ChildList(node)
        content(_RenderContext(list, surroundings))
        list.finish()
    }

    // MARK: Elements

    /// An element, which takes the traits that wait for one.
    @discardableResult
    func element(
        _ kind: ElementKind, style: [StyleRule] = [], attributes: Attributes = Attributes(),
        handlers: [EventName: Element.Handler] = [:], layout: LayoutRule = .content, place: Place? = nil,
        content: (_RenderContext) -> Void = { _ in }
    ) -> Element {
        if self.place.isRow, !kind.standsBesideRows { return row(kind, style, attributes, handlers, layout, place, content) }

        let key = Node.Key(path: path, kind: .element(kind))
        let element = node(key) { Element(kind: kind, key: key, parent: children.node, host: host) }
        var taken = traits
        var attributes = attributes
        attributes.fill(from: taken.attributes)
        var handlers = handlers.merging(taken.handlers) { inner, _ in inner }
        if let motion = environment[MotionKey.self] { taken.style.append(.motion(motion)) }
        if let focus = taken.focus, kind == .field { focus.connect(&attributes, &handlers) }
        if !environment.isEnabled {
            for event in [EventName.tap, .long, .press, .drag, .input, .submit] { handlers[event] = nil }
            attributes[flag: .disabled] = kind.canBeDisabled
        }
        if !handlers.isEmpty { attributes[.events] = .text(handlers.keys.map(\.rawValue).sorted().joined(separator: " ")) }
        element.update(style: taken.style + style, attributes: attributes, handlers: handlers, layout: layout)

        var inner = surroundings
        inner.traits = Traits()
        inner.place = place ?? Place()
        render(into: element, inner, content)
        return element
    }

    /// The first element in row position makes the row.
    private func row(
        _ kind: ElementKind, _ style: [StyleRule], _ attributes: Attributes, _ handlers: [EventName: Element.Handler],
        _ layout: LayoutRule, _ place: Place?, _ content: (_RenderContext) -> Void
    ) -> Element {
        var outer = self
        let row = outer.traits.row
        outer.traits = Traits()
        outer.place.isRow = false
        var made: Element?
        let traits = traits
        outer.element(
            .row, style: row.style, attributes: row.attributes, layout: .wide, place: Place(axis: .horizontal, insideRow: true)
        ) {
            var inner = $0
            inner.traits = traits
            inner.traits.row = RowTraits()
            inner.place = Place(axis: .horizontal, insideRow: true)
            made = inner.element(
                kind, style: style, attributes: attributes, handlers: handlers, layout: layout, place: place, content: content)
        }
        return made!
    }
}

/// What the container around a view expects of it.
struct Place: Equatable {
    /// The axis of the stack it stands in; nil in other containers.
    var axis: Axis?
    /// The next element makes a row.
    var isRow = false
    /// In a row, where a button takes all of it.
    var insideRow = false
}

/// What modifiers hand to the next element.
struct Traits {
    var style: [StyleRule] = []
    var attributes = Attributes()
    var handlers: [EventName: Element.Handler] = [:]
    var focus: FocusTarget?
    var row = RowTraits()
    var tag: AnyHashable?
    /// The tab that this is the page of, until an element begins.
    var tab: TabScope?

    /// Handlers cannot be compared: with one, nothing counts as the same.
    func isSame(as other: Traits) -> Bool {
        handlers.isEmpty && other.handlers.isEmpty && focus == nil && other.focus == nil && style == other.style
            && attributes == other.attributes && row == other.row && tag == other.tag && tab === other.tab
    }
}

/// What modifiers hand to the next row.
struct RowTraits: Equatable {
    var style: [StyleRule] = []
    var attributes = Attributes()
}

extension ElementKind {
    /// Not wrapped in a row where rows are expected.
    fileprivate var standsBesideRows: Bool {
        switch self {
        case .row, .section, .header, .footer, .items, .sheet, .alert, .confirm: true
        default: false
        }
    }
    /// Says so while its environment is disabled.
    fileprivate var canBeDisabled: Bool {
        switch self {
        case .button, .link, .field, .toggle: true
        default: false
        }
    }
}

extension FocusTarget {
    @MainActor fileprivate func connect(_ attributes: inout Attributes, _ handlers: inout [EventName: Element.Handler]) {
        attributes[flag: .focused] = isFocused()
        let change = change
        handlers[.focus] = { _ in change(true) }
        handlers[.blur] = { _ in change(false) }
    }
}

extension Element {
    fileprivate func update(style: [StyleRule], attributes: Attributes, handlers: [EventName: Handler], layout: LayoutRule) {
        self.handlers = handlers
        if self.style != style {
            self.style = style
            host.changed(self)
        }
        if self.attributes != attributes {
            self.attributes = attributes
            host.changed(self)
        }
        if self.layout != layout {
            self.layout = layout
            host.structureChanged(self)
        }
    }
}
