/// A reusable change of a view, which can hold state.
@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifierContent
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// The view that a ``ViewModifier`` modifies.
public struct _ViewModifierContent: View {
    let view: AnyView
    public static func _render(_ view: Self, _ context: _RenderContext) { AnyView._render(view.view, context) }
}

extension View {
    public func modifier<T: ViewModifier>(_ modifier: T) -> some View {
        _Component(fields: modifier) { $0.body(content: _ViewModifierContent(view: AnyView(self))) }
    }
}

/// A component whose dynamic properties are those of `fields`: a modifier, a style.
struct _Component<Value, Content: View>: View {
    private let fields: Linked
    private let content: @MainActor (Value) -> Content

    init(fields: Value, @ViewBuilder content: @escaping @MainActor (Value) -> Content) {
        self.fields = Linked(value: fields)
        self.content = content
    }

    var body: some View { content(fields.value) }

    /// A dynamic property that connects the dynamic properties of another value.
    private struct Linked: DynamicProperty {
        let value: Value
        static func _link(_ pointer: UnsafeMutableRawPointer, _ linker: _Linker) { linker.linkFields(of: Value.self, at: pointer) }
    }
}

/// The result of every built-in modifier: content, and a change of its context.
struct _Modified<Content: View>: View {
    /// A function that renders the modified content.
    typealias Rendering = RowModifiers.Rendering

    let content: Content
    /// True if the modifier only changes the context. A section applies such a modifier to its rows together, not to each row.
    let isAdjustment: Bool
    let apply: @MainActor (Rendering, _RenderContext) -> Void

    static var _isSection: Bool { Content._isSection }

    static func _render(_ view: Self, _ context: _RenderContext) {
        guard context.place.isRow, !view.isAdjustment, Content._isSection else {
            return view.apply({ Content._render(view.content, $0) }, context)
        }
        var context = context
        context.rowModifiers = RowModifiers(apply: view.apply, outer: context.rowModifiers)
        Content._render(view.content, context)
    }
}

/// The modifiers of a section, which apply to each of its rows, as on Apple's systems.
@MainActor
final class RowModifiers {
    typealias Rendering = @MainActor (_RenderContext) -> Void

    private let apply: @MainActor (Rendering, _RenderContext) -> Void
    private let outer: RowModifiers?

    init(apply: @escaping @MainActor (Rendering, _RenderContext) -> Void, outer: RowModifiers?) {
        self.apply = apply
        self.outer = outer
    }

    /// Renders `row` with the modifiers around it.
    func render(_ context: _RenderContext, row: Rendering) {
        guard let outer else { return apply(row, context) }
        outer.render(context) { apply(row, $0) }
    }
}

extension View {
    /// Renders this view with `apply`.
    ///
    /// - Parameter isAdjustment: True if `apply` only changes the context of the view.
    func rendering(
        isAdjustment: Bool = false, _ apply: @escaping @MainActor (_Modified<Self>.Rendering, _RenderContext) -> Void
    ) -> _Modified<Self> {
        _Modified(content: self, isAdjustment: isAdjustment, apply: apply)
    }

    /// Renders this view with a changed environment or changed traits.
    func adjusting(_ change: @escaping @MainActor (inout _RenderContext) -> Void) -> _Modified<Self> {
        rendering(isAdjustment: true) { content, context in
            var context = context
            change(&context)
            content(context)
        }
    }

    /// Gives the next element a style.
    func styled(_ rule: StyleRule) -> _Modified<Self> { adjusting { $0.traits.style.append(rule) } }

    /// Gives the next element an attribute.
    func attribute(_ name: AttributeName, _ value: AttributeValue?) -> _Modified<Self> {
        adjusting { $0.traits.attributes[name] = value }
    }

    /// Wraps this view in an element.
    func boxed(_ kind: ElementKind, _ style: [StyleRule], layout: LayoutRule = .content) -> _Modified<Self> {
        rendering { content, context in
            context.element(kind, style: style, layout: layout) { content($0) }
        }
    }
}
