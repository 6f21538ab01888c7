/// A scrolling column of rows, optionally in sections.
public struct List<SelectionValue: Hashable, Content: View>: View {
    let content: Content

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.list { Content._render(view.content, $0) }
    }
}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        content = ForEach(data, content: rowContent)
    }

    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {
        content = ForEach(data, id: id, content: rowContent)
    }
}

/// A grouped list of controls.
public struct Form<Content: View>: View {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.list { Content._render(view.content, $0) }
    }
}

extension _RenderContext {
    fileprivate func list(_ content: (_RenderContext) -> Void) {
        var attributes = Attributes()
        attributes[.look] = .text(environment.listLook.rawValue)
        if environment.hidesScrollBackground { attributes[flag: .clearBackground] = true }
        scroller(
            .list, attributes: attributes, layout: .filling, place: Place(isRow: true, isLazy: true, createsLate: true),
            content: content)
    }
}

/// A group of rows with a header and a footer.
public struct Section<Parent, Content, Footer> {
    let header: Parent
    let content: Content
    let footer: Footer
}

extension Section: View where Parent: View, Content: View, Footer: View {
    public typealias Body = Never

    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer) {
        self.init(header: header(), content: content(), footer: footer())
    }

    public static var _isSection: Bool { true }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        guard context.place.isRow else {
            // Outside of a list the header and footer are above and below the content.
            Parent._render(view.header, context.child(0))
            Content._render(view.content, context.child(1))
            Footer._render(view.footer, context.child(2))
            return
        }
        var outer = context
        outer.place.isRow = false
        let row = outer.traits.row
        let modifiers = outer.rowModifiers
        outer.element(.section, layout: .wide, place: Place(isRow: true, isLazy: true, createsLate: true)) { inner in
            var inner = inner
            if row != RowTraits() { inner.traits.row = row }
            inner.rowModifiers = modifiers
            if Parent.self != EmptyView.self { inner.child(0).words(.header, view.header) }
            Content._render(view.content, inner.child(1))
            if Footer.self != EmptyView.self { inner.child(2).words(.footer, view.footer) }
        }
    }
}

extension _RenderContext {
    fileprivate func words<V: View>(_ kind: ElementKind, _ view: V) {
        element(kind, layout: .wide, place: Place(axis: .horizontal)) { V._render(view, $0) }
    }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), content: content(), footer: footer())
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView())
    }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) { self.init(header: EmptyView(), content: content(), footer: EmptyView()) }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView())
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), content: content(), footer: EmptyView())
    }
}

// MARK: Looks

enum ListLook: String { case inset, grouped, plain }

private enum ListLookKey: LocalKey { static var defaultValue: ListLook { .inset } }
private enum ScrollBackgroundKey: LocalKey { static var defaultValue: Bool { false } }

extension EnvironmentValues {
    var listLook: ListLook {
        get { self[ListLookKey.self] }
        set { self[ListLookKey.self] = newValue }
    }
    var hidesScrollBackground: Bool {
        get { self[ScrollBackgroundKey.self] }
        set { self[ScrollBackgroundKey.self] = newValue }
    }
}

/// The appearance of a ``List``.
public protocol ListStyle: Sendable {}
public struct DefaultListStyle: ListStyle { public init() {} }
public struct PlainListStyle: ListStyle { public init() {} }
public struct GroupedListStyle: ListStyle { public init() {} }
public struct InsetGroupedListStyle: ListStyle { public init() {} }
extension ListStyle where Self == DefaultListStyle { public static var automatic: DefaultListStyle { .init() } }
extension ListStyle where Self == PlainListStyle { public static var plain: PlainListStyle { .init() } }
extension ListStyle where Self == GroupedListStyle { public static var grouped: GroupedListStyle { .init() } }
extension ListStyle where Self == InsetGroupedListStyle { public static var insetGrouped: InsetGroupedListStyle { .init() } }

extension View {
    public func listStyle<S: ListStyle>(_ style: S) -> some View {
        adjusting { $0.environment.listLook = style is PlainListStyle ? .plain : style is GroupedListStyle ? .grouped : .inset }
    }
    public func scrollContentBackground(_ visibility: Visibility) -> some View {
        adjusting { $0.environment.hidesScrollBackground = visibility == .hidden }
    }

    // MARK: Rows

    public func listRowBackground<V: View>(_ view: V?) -> some View {
        adjusting { context in
            // Only a colour can be the background of a row here.
            if let color = view as? Color { context.traits.row.style.append(.background(.color(color))) }
        }
    }
    public func listRowInsets(_ insets: EdgeInsets?) -> some View {
        adjusting { if let insets { $0.traits.row.style.append(.rowInsets(insets)) } }
    }
    public func listRowSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        adjusting { if visibility == .hidden { $0.traits.row.attributes[.separator] = .off } }
    }
}

extension VerticalEdge {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let top = Set(rawValue: 1)
        public static let bottom = Set(rawValue: 2)
        public static let all: Set = [.top, .bottom]
    }
}
