/// The position of a view that is being rendered, and the values from the views around it.
@MainActor
public struct _RenderContext {
    let children: ChildList
    /// The part of the context that a component keeps for its next evaluation.
    private(set) var surroundings: Surroundings
    /// The structural path below the node whose children are rendered.
    private var path: UInt64 = 0

    struct Surroundings {
        var environment: EnvironmentValues
        /// The traits that outer modifiers set for the next element.
        var traits = Traits()
        /// The role of the view in its container.
        var place = Place()
        /// The modifiers of the enclosing section, for each of its rows; nil outside of one.
        var rowModifiers: RowModifiers?

        @MainActor
        func isSame(as other: Surroundings) -> Bool {
            place == other.place && rowModifiers === other.rowModifiers && traits.isSame(as: other.traits)
                && environment.isSame(as: other.environment)
        }
    }

    init(_ children: ChildList, _ surroundings: Surroundings) {
        self.children = children
        self.surroundings = surroundings
    }

    var host: ViewHost { children.node.host }

    var environment: EnvironmentValues {
        get { surroundings.environment }
        set { surroundings.environment = newValue }
    }
    var traits: Traits {
        get { surroundings.traits }
        set { surroundings.traits = newValue }
        _modify { yield &surroundings.traits }
    }
    var place: Place {
        get { surroundings.place }
        set { surroundings.place = newValue }
    }
    var rowModifiers: RowModifiers? {
        get { surroundings.rowModifiers }
        set { surroundings.rowModifiers = newValue }
    }

    /// Returns the context of the child at `index` of a block or a branch.
    func child(_ index: Int) -> _RenderContext {
        var context = self
        context.path = mixed(path, UInt64(index) + 1)
        return context
    }

    /// Returns the existing node for `key`, or a new one.
    private func node<N: Node>(_ key: Node.Key, make: () -> N) -> N {
        if let node = children.claim(key) as? N { return node }
        let node = make()
        children.append(node)
        return node
    }

    // MARK: Scopes

    /// Adds a view with a body.
    func component<V: View>(_ view: V, id: ExplicitID? = nil) {
        let key = Node.Key(path, V.self, id: id)
        if let component = children.claim(key) as? Component<V> {
            component.update(view, context: self)
        } else {
            children.append(Component(view, context: self, key: key, parent: children.node))
        }
    }

    /// Adds content that is created later and tracked separately: a row, a page.
    ///
    /// - Parameter keepsOld: True if content that was created before needs no update.
    func deferred<Content: View>(
        id: ExplicitID? = nil, keepsOld: Bool = false, @ViewBuilder _ content: @escaping @MainActor () -> Content
    ) {
        if keepsOld, children.claim(Node.Key(path, _Component<Void, Content>.self, id: id)) != nil { return }
        component(_Component(fields: ()) { content() }, id: id)
    }

    /// Adds a scope around `content`.
    @discardableResult
    func scope<N: Node>(
        _ make: (Node.Key, Node?, ViewHost) -> N, id: ExplicitID? = nil, content: (N, _RenderContext) -> Void
    ) -> N {
        let key = Node.Key(path, N.self, id: id)
        let scope = node(key) { make(key, children.node, host) }
        render(into: scope, surroundings) { content(scope, $0) }
        return scope
    }

    private func render(into node: Node, _ surroundings: Surroundings, _ content: (_RenderContext) -> Void) {
        let list = ChildList(node)
        content(_RenderContext(list, surroundings))
        list.finish()
    }

    // MARK: Elements

    /// Adds an element, which takes the pending traits.
    @discardableResult
    func element(
        _ kind: ElementKind, style: [StyleRule] = [], attributes: Attributes = Attributes(),
        handlers: [EventName: Element.Handler] = [:], layout: LayoutRule = .content, place: Place? = nil,
        content: (_RenderContext) -> Void = { _ in }
    ) -> Element {
        if self.place.isOption { return option(kind, style, attributes, handlers, layout, place, content) }
        if self.place.isRow, !kind.staysOutsideRows { return row(kind, style, attributes, handlers, layout, place, content) }

        let key = Node.Key(path, kind)
        let element = node(key) { () -> Element in
            let element = Element(kind: kind, key: key, parent: children.node, host: host)
            // Scopes around a row may be older than the row.
            if self.place.isLazy, host.awaitsRowVisibility, children.node.lifetimes.contains(where: { !$0.hasAppeared }) {
                element.awaitVisibility()
            }
            return element
        }
        var style = style
        var attributes = attributes
        var handlers = handlers
        let (traits, traitsInside) = kind.isWrapping ? self.traits.split() : (self.traits, Traits())
        if !traits.isEmpty {
            style = traits.style + style
            attributes.fill(from: traits.attributes)
            var gestures = traits.gestures.handlers
            // The press of a control takes precedence over its own long press.
            if kind.isControl { (gestures[.long], gestures[.press]) = (nil, nil) }
            handlers.merge(gestures) { own, _ in own }
            handlers.merge(traits.simultaneous.handlers, uniquingKeysWith: Element.both)
            handlers.merge(traits.exclusive.handlers) { _, exclusive in exclusive }
            if traits.exclusive.handlers[.long] != nil {
                attributes[.longPress] = "first"
            } else if traits.simultaneous.handlers[.long] != nil {
                attributes[.longPress] = "beside"
            }
            for gestures in [traits.gestures, traits.simultaneous, traits.exclusive] { attributes.fill(from: gestures.attributes) }
            if let focus = traits.focus, kind == .field { focus.connect(&attributes, &handlers) }
            if let shortcut = traits.shortcut, kind.acceptsShortcuts { attributes[.keys] = .text(shortcut.names) }
        }
        if let motion = environment[MotionKey.self] { style.append(.motion(motion)) }
        if !environment.isEnabled {
            for event in [EventName.tap, .double, .long, .press, .drag, .pinch, .input, .submit, .returnKey, .escape] {
                handlers[event] = nil
            }
            attributes[flag: .disabled] = kind.canBeDisabled
        }
        host.countElement()
        element.isLazy = place?.isLazy ?? false
        element.update(style: style, attributes: attributes, handlers: handlers, layout: layout)

        var inner = surroundings
        inner.traits = traitsInside
        inner.place = place ?? Place()
        inner.rowModifiers = nil
        render(into: element, inner, content)
        return element
    }

    /// Adds the button around an option of a picker.
    private func option(
        _ kind: ElementKind, _ style: [StyleRule], _ attributes: Attributes, _ handlers: [EventName: Element.Handler],
        _ layout: LayoutRule, _ place: Place?, _ content: (_RenderContext) -> Void
    ) -> Element {
        var outer = self
        outer.place.isOption = false
        guard let choice = environment.choice, !choice.onlySelected || choice.selected == traits.tag else {
            outer.traits = Traits()
            return outer.element(.spacer, layout: .hugging)
        }
        let tag = traits.tag
        let traits = traits
        var made: Element?
        if choice.onlySelected {
            return outer.element(
                kind, style: style, attributes: attributes, handlers: handlers, layout: layout, place: place, content: content)
        }
        let dialog = environment.dialog
        var actions: [EventName: Element.Handler] = [:]
        if let tag {
            actions[.tap] = { _ in
                dialog?.dismissal.perform()
                choice.model.select(tag)
            }
        }
        var own = Attributes()
        own[.selected] = choice.selected == tag ? .on : .off
        own[.look] = "option"
        outer.traits = Traits()
        outer.element(.button, attributes: own, handlers: actions, layout: .wide, place: Place(axis: .horizontal)) {
            var inner = $0
            inner.traits = traits
            inner.environment.dialog = nil
            made = inner.element(
                kind, style: style, attributes: attributes, handlers: handlers, layout: layout, place: place, content: content)
        }
        return made!
    }

    /// Adds the row around the first element in row position.
    private func row(
        _ kind: ElementKind, _ style: [StyleRule], _ attributes: Attributes, _ handlers: [EventName: Element.Handler],
        _ layout: LayoutRule, _ place: Place?, _ content: (_RenderContext) -> Void
    ) -> Element {
        if let rowModifiers {
            var outer = self
            outer.rowModifiers = nil
            var made: Element?
            rowModifiers.render(outer) { made = $0.row(kind, style, attributes, handlers, layout, place, content) }
            return made!
        }
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

/// The role of a view in its container.
struct Place: Equatable {
    /// The axis of the enclosing stack; nil in other containers.
    var axis: Axis?
    /// True if the next element creates a row.
    var isRow = false
    /// True if the view is in a row, which a button fills completely.
    var insideRow = false
    /// True if the next element is an option of a picker.
    var isOption = false
    /// True if the next element is a row of a lazy container, whose visibility is tracked separately.
    var isLazy = false
    /// True if a `ForEach` creates rows when they are nearly visible.
    var createsLate = false
}

/// The values that modifiers set for the next element. Stored by reference, since contexts are often copied and seldom have traits.
@dynamicMemberLookup
struct Traits {
    struct Values {
        var style: [StyleRule] = []
        var attributes = Attributes()
        /// Gestures. The events of a control and inner gestures take precedence.
        var gestures = _GestureHandlers()
        /// Simultaneous gestures, which run beside others.
        var simultaneous = _GestureHandlers()
        /// High-priority gestures, which exclude others.
        var exclusive = _GestureHandlers()
        var focus: FocusTarget?
        var shortcut: KeyboardShortcut?
        var row = RowTraits()
        var tag: AnyHashable?
        /// The tab whose content is rendered next.
        weak var tab: TabScope?
    }
    private final class Storage {
        var values: Values
        init(_ values: Values) { self.values = values }
    }
    private var storage: Storage?

    var isEmpty: Bool { storage == nil }

    private var values: Values { storage?.values ?? Values() }

    subscript<Value>(dynamicMember keyPath: WritableKeyPath<Values, Value>) -> Value {
        get { values[keyPath: keyPath] }
        set {
            if storage == nil || !isKnownUniquelyReferenced(&storage) { storage = Storage(values) }
            storage?.values[keyPath: keyPath] = newValue
        }
    }

    /// Returns whether both sets of traits are equal. Handlers cannot be compared, so traits with a handler count as different.
    func isSame(as other: Traits) -> Bool {
        if storage === other.storage { return true }
        let one = values
        let two = other.values
        return !one.hasHandlers && !two.hasHandlers && one.style == two.style
            && one.attributes == two.attributes && one.shortcut == two.shortcut && one.row == two.row && one.tag == two.tag
            && one.tab === two.tab
    }

    /// Splits the traits of a box or a layer into those of the box and those of its content: accessibility labels, keyboard shortcuts and focus.
    /// A box that handles taps, or that is one accessibility element, keeps the labels.
    func split() -> (box: Traits, content: Traits) {
        let values = values
        var box = self
        var content = Traits()
        if let focus = values.focus {
            content.focus = focus
            box.focus = nil
        }
        if let shortcut = values.shortcut {
            content.shortcut = shortcut
            box.shortcut = nil
        }
        guard values.gestures.handlers[.tap] == nil, !values.attributes.isOneAccessibilityElement else { return (box, content) }
        for (name, value) in values.attributes where name.isSpoken {
            content.attributes[name] = value
            box.attributes[name] = nil
        }
        return (box, content)
    }
}

extension Traits.Values {
    fileprivate var hasHandlers: Bool {
        !gestures.handlers.isEmpty || !simultaneous.handlers.isEmpty || !exclusive.handlers.isEmpty || focus != nil
    }
}

extension Attributes {
    /// True if `accessibilityElement(children:)` made the element one accessibility element.
    fileprivate var isOneAccessibilityElement: Bool { self[.role]?.text == "group" || self[.role]?.text == "image" }
}

extension AttributeName {
    fileprivate var isSpoken: Bool {
        switch self {
        case .identifier, .accessibilityLabel, .accessibilityHint, .accessibilityValue, .role, .headingLevel, .selected: true
        default: false
        }
    }
}

/// The values that modifiers set for the next row.
struct RowTraits: Equatable {
    var style: [StyleRule] = []
    var attributes = Attributes()
}

extension ElementKind {
    /// True if the element stays outside rows in a list.
    fileprivate var staysOutsideRows: Bool {
        switch self {
        case .row, .section, .header, .footer, .items, .sheet, .alert, .confirm, .menu, .gap: true
        default: false
        }
    }
    /// True if the element wraps the modified content.
    fileprivate var isWrapping: Bool { self == .pad || self == .frame || self == .layers }

    /// True if keyboard shortcuts can tap the element.
    fileprivate var acceptsShortcuts: Bool { isControl }

    /// True if the element has a press of its own.
    var isControl: Bool { self == .button || self == .link || self == .toggle }

    /// True if the element is marked disabled in a disabled environment.
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
