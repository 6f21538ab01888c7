/// Pages with a tab bar.
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    private let selection: Binding<SelectionValue>?
    private let content: Content
    @State private var own: AnyHashable?
    @State private var model = TabsModelBox()

    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }

    public init(@ViewBuilder content: () -> Content) where SelectionValue == Int {
        selection = nil
        self.content = content()
    }

    public var body: some View {
        Primitive { context in
            let model = model.model
            let selection = selection
            let own = $own
            model.selected = selection.map { AnyHashable($0.wrappedValue) } ?? own.wrappedValue
            model.select = { tag in
                if let selection, let value = tag.base as? SelectionValue {
                    selection.wrappedValue = value
                } else {
                    own.wrappedValue = tag
                }
            }
            context.element(.tabs, layout: .filling) { inner in
                model.bar = inner.child(0).element(.tabbar, layout: .wide)
                var inner = inner.child(1)
                inner.environment.tabs = model
                inner.environment.page = nil
                inner.environment.navigation = nil
                Content._render(content, inner)
            }
            context.host.afterRound(of: model) { [weak model] in model?.updateLayout() }
        }
    }
}

private final class TabsModelBox {
    @MainActor lazy var model = TabsModel()
    nonisolated init() {}
}

/// The state of a ``TabView``.
@MainActor
final class TabsModel {
    var bar: Element?
    var selected: AnyHashable?
    var select: @MainActor (AnyHashable) -> Void = { _ in }
    private var tabs: [TabScope] = []

    func add(_ tab: TabScope) {
        tabs.append(tab)
        tab.host.afterRound(of: self) { [weak self] in self?.updateLayout() }
    }
    func remove(_ tab: TabScope) {
        tabs.removeAll { $0 === tab }
        tab.host.afterRound(of: self) { [weak self] in self?.updateLayout() }
    }

    /// Returns the tag of a tab, or its index without a tag.
    private func tag(of tab: TabScope, at index: Int) -> AnyHashable { tab.outerTag ?? tab.innerTag ?? AnyHashable(index) }

    /// Selects a tab. A tab that is already selected pops to the root page of its stack.
    func choose(_ tab: TabScope) {
        guard let index = tabs.firstIndex(where: { $0 === tab }) else { return }
        if tab === chosen { tab.stack.navigation?.pop(to: 1) } else { select(tag(of: tab, at: index)) }
    }

    private var chosen: TabScope? { tabs.enumerated().first { tag(of: $1, at: $0) == selected }?.element ?? tabs.first }

    func updateLayout() {
        if zip(tabs, tabs.dropFirst()).contains(where: { !$0.isBefore($1) }) { tabs.sort { $0.isBefore($1) } }
        let chosen = chosen
        for tab in tabs {
            tab.page?.set(.selected, tab === chosen ? .on : .off)
            tab.item?.set(.selected, tab === chosen ? .on : .off)
        }
        // Views disappear before others appear.
        for tab in tabs where tab !== chosen { tab.page?.setCovered(true) }
        chosen?.page?.setCovered(false)
    }
}

/// A reference to the outermost navigation stack in a tab. The object is outside the tree, so that views may retain it.
@MainActor
final class TabStack {
    weak var navigation: NavigationModel?
    nonisolated init() {}
}

/// A tab: its page and its item in the tab bar.
final class TabScope: Node {
    weak var model: TabsModel?
    /// The tags outside and inside `tabItem`. The outer one takes precedence.
    var outerTag: AnyHashable?
    private(set) var innerTag: AnyHashable?
    var badge: AttributeValue?
    weak var page: Element?
    weak var item: Element?
    let stack = TabStack()
    override func willUnmount() { model?.remove(self) }

    func offer(_ tag: AnyHashable) {
        guard tag != innerTag else { return }
        innerTag = tag
        if let model { host.afterRound(of: model) { [weak model] in model?.updateLayout() } }
    }
}

private enum TabsKey: LocalKey { static var defaultValue: TabsModel? { nil } }
private enum TabStackKey: LocalKey { static var defaultValue: TabStack? { nil } }

extension EnvironmentValues {
    /// The place for the outermost stack of pages in the tab; nil inside that stack.
    var tabStack: TabStack? {
        get { self[TabStackKey.self] }
        set { self[TabStackKey.self] = newValue }
    }
    var tabs: TabsModel? {
        get { self[TabsKey.self] }
        set { self[TabsKey.self] = newValue }
    }
}

extension View {
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
        let label = label()
        return rendering { content, context in
            guard let tabs = context.environment.tabs, let bar = tabs.bar else { return content(context) }
            var context = context
            context.environment.tabs = nil
            let outer = context.traits
            context.traits.attributes[.badge] = nil
            let scope = context.scope(TabScope.init) { scope, inner in
                scope.outerTag = outer.tag
                scope.badge = outer.attributes[.badge]
                scope.page = inner.child(0).element(
                    .tab, attributes: scope.page?.attributes.only(.selected) ?? Attributes(), layout: .filling
                ) { inner in
                    var inner = inner
                    inner.traits.tab = scope
                    inner.environment.tabStack = scope.stack
                    content(inner)
                }
                var beside = inner.child(1)
                beside.traits = Traits()
                beside.scope({ BarScope(bar: bar, key: $0, parent: $1, host: $2) }) { _, slot in
                    var attributes = scope.item?.attributes.only(.selected) ?? Attributes()
                    attributes[.badge] = scope.badge
                    scope.item = slot.element(
                        .tabitem, attributes: attributes,
                        handlers: [.tap: { [weak scope] _ in scope.map { $0.model?.choose($0) } }], layout: .hugging
                    ) { V._render(label, $0) }
                }
            }
            if scope.model == nil {
                scope.model = tabs
                tabs.add(scope)
            }
        }
    }

    public func badge(_ count: Int) -> some View {
        adjusting {
            let value: AttributeValue? = count == 0 ? nil : .text(String(count))
            if let tab = $0.traits.tab { tab.badge = value } else { $0.traits.attributes[.badge] = value }
        }
    }
}
