/// The content of toolbars.
@MainActor @preconcurrency
public protocol ToolbarContent {
    associatedtype Body: ToolbarContent
    @ToolbarContentBuilder @MainActor @preconcurrency var body: Body { get }
    static func _renderToolbar(_ content: Self, _ context: _RenderContext)
}

extension ToolbarContent {
    public static func _renderToolbar(_ content: Self, _ context: _RenderContext) {
        context.component(_Component(fields: content) { content in Primitive { Body._renderToolbar(content.body, $0) } })
    }
}

extension Never: ToolbarContent {
    public static func _renderToolbar(_ content: Never, _ context: _RenderContext) {}
}

extension ToolbarContent where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) has no body") }
}

@resultBuilder public struct ToolbarContentBuilder {
    public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: ToolbarContent>(_ content: repeat each Content) -> some ToolbarContent {
        _ToolbarItems((repeat each content)) { content, context in
            var index = 0
            for item in repeat each content {
                render(item, context.child(index))
                index += 1
            }
        }
    }
    public static func buildIf<Content: ToolbarContent>(_ content: Content?) -> some ToolbarContent {
        _ToolbarItems(content) { content, context in
            if let content { render(content, context.child(0)) }
        }
    }
    public static func buildEither<First: ToolbarContent, Second: ToolbarContent>(
        first: First
    ) -> _ToolbarItems<_ToolbarSide<First, Second>> { _ToolbarItems(.first(first), render: renderSide) }
    public static func buildEither<First: ToolbarContent, Second: ToolbarContent>(
        second: Second
    ) -> _ToolbarItems<_ToolbarSide<First, Second>> { _ToolbarItems(.second(second), render: renderSide) }

    @MainActor private static func renderSide<First: ToolbarContent, Second: ToolbarContent>(
        _ side: _ToolbarSide<First, Second>, _ context: _RenderContext
    ) {
        switch side {
        case .first(let content): render(content, context.child(0))
        case .second(let content): render(content, context.child(1))
        }
    }
    @MainActor private static func render<C: ToolbarContent>(_ content: C, _ context: _RenderContext) {
        C._renderToolbar(content, context)
    }
}

nonisolated public struct _ToolbarItems<Value>: ToolbarContent {
    public typealias Body = Never
    private let value: Value
    private let render: @MainActor (Value, _RenderContext) -> Void

    init(_ value: Value, render: @escaping @MainActor (Value, _RenderContext) -> Void) {
        self.value = value
        self.render = render
    }

    @MainActor public static func _renderToolbar(_ content: Self, _ context: _RenderContext) {
        content.render(content.value, context)
    }
}

/// The two sides of an `if` among toolbar items.
public enum _ToolbarSide<First, Second> {
    case first(First)
    case second(Second)
}

/// The placement of a toolbar item.
public struct ToolbarItemPlacement: Sendable {
    let slot: String
    var isEmphasized = false
    public static let automatic = ToolbarItemPlacement(slot: "trailing")
    public static let principal = ToolbarItemPlacement(slot: "principal")
    public static let navigation = ToolbarItemPlacement(slot: "leading")
    public static let primaryAction = ToolbarItemPlacement(slot: "trailing")
    public static let secondaryAction = ToolbarItemPlacement(slot: "trailing")
    public static let confirmationAction = ToolbarItemPlacement(slot: "trailing", isEmphasized: true)
    public static let cancellationAction = ToolbarItemPlacement(slot: "leading")
    public static let destructiveAction = ToolbarItemPlacement(slot: "trailing")
    public static let topBarLeading = ToolbarItemPlacement(slot: "leading")
    public static let topBarTrailing = ToolbarItemPlacement(slot: "trailing")
    public static let navigationBarLeading = ToolbarItemPlacement(slot: "leading")
    public static let navigationBarTrailing = ToolbarItemPlacement(slot: "trailing")
    public static let bottomBar = ToolbarItemPlacement(slot: "bottom")
    public static let keyboard = ToolbarItemPlacement(slot: "keyboard")
}

public struct ToolbarItem<ID, Content: View>: ToolbarContent {
    public typealias Body = Never
    let placement: ToolbarItemPlacement
    let content: Content

    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) where ID == () {
        self.placement = placement
        self.content = content()
    }

    public static func _renderToolbar(_ item: Self, _ context: _RenderContext) {
        context.items(item.placement) { Content._render(item.content, $0) }
    }
}

public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    public typealias Body = Never
    let placement: ToolbarItemPlacement
    let content: Content

    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }

    public static func _renderToolbar(_ group: Self, _ context: _RenderContext) {
        context.items(group.placement) { Content._render(group.content, $0) }
    }
}

extension _RenderContext {
    fileprivate func items(_ placement: ToolbarItemPlacement, content: (_RenderContext) -> Void) {
        var attributes = Attributes()
        attributes[.slot] = .text(placement.slot)
        element(.items, attributes: attributes, layout: .hugging, place: Place(axis: .horizontal)) { inner in
            var inner = inner
            // A label in a bar shows its icon by default.
            inner.environment.labelParts = .icon
            if placement.isEmphasized { inner.environment.fontChanges.weight = .semibold }
            content(inner)
        }
    }

    /// Renders into the bars of the enclosing page.
    fileprivate func bar(_ content: (_RenderContext) -> Void) {
        guard let bar = environment.page?.element else { return }
        scope({ BarScope(bar: bar, key: $0, parent: $1, host: $2) }) { _, inner in
            var inner = inner
            inner.traits = Traits()
            inner.place = Place(axis: .horizontal)
            content(inner)
        }
    }
}

extension View {
    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        let items = content()
        return rendering { content, context in
            content(context.child(0))
            context.child(1).bar { Content._renderToolbar(items, $0) }
        }
    }

    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
        let item = ToolbarItem(content: content)
        return rendering { content, context in
            content(context.child(0))
            context.child(1).bar { ToolbarItem<(), Content>._renderToolbar(item, $0) }
        }
    }
}
