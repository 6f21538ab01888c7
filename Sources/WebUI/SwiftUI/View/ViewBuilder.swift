/// A result builder that combines the views of a closure or a `body`.
@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content)) { content, context in
            var index = 0
            for view in repeat each content {
                render(view, context.child(index))
                index += 1
            }
        }
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        _ConditionalContent(side: .first(first))
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        _ConditionalContent(side: .second(second))
    }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }

    @MainActor private static func render<V: View>(_ view: V, _ context: _RenderContext) { V._render(view, context) }
}

/// The views of one block, each with its own structural position.
nonisolated public struct TupleView<T>: View {
    public var value: T
    private let render: @MainActor (T, _RenderContext) -> Void

    init(_ value: T, render: @escaping @MainActor (T, _RenderContext) -> Void) {
        self.value = value
        self.render = render
    }

    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) { view.render(view.value, context) }
}

/// The two sides of an `if`, which are different views even when they have the same type.
nonisolated public struct _ConditionalContent<TrueContent: View, FalseContent: View>: View {
    enum Side {
        case first(TrueContent)
        case second(FalseContent)
    }
    let side: Side

    @MainActor public static var _isSection: Bool { TrueContent._isSection || FalseContent._isSection }

    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) {
        switch view.side {
        case .first(let content): TrueContent._render(content, context.child(0))
        case .second(let content): FalseContent._render(content, context.child(1))
        }
    }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
    @MainActor public static var _isSection: Bool { Wrapped._isSection }
    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) {
        if let view { Wrapped._render(view, context) }
    }
}

/// A view without content.
nonisolated public struct EmptyView: View {
    public init() {}
    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) {}
}

/// Several views where one is expected. Modifiers apply to each of them.
public struct Group<Content> {
    let content: Content
}

extension Group: View where Content: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    @MainActor public static var _isSection: Bool { Content._isSection }
    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) { Content._render(view.content, context) }
}

/// A type-erased view.
nonisolated public struct AnyView: View {
    private let render: @MainActor (_RenderContext) -> Void

    public init<V: View>(_ view: V) {
        // Created on any actor, rendered on the main actor only.
        nonisolated(unsafe) let view = view
        render = { V._render(view, $0) }
    }
    public init<V: View>(erasing view: V) { self.init(view) }

    @MainActor public static func _render(_ view: Self, _ context: _RenderContext) { view.render(context) }
}
