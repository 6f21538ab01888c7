/// Scrollable content.
public struct ScrollView<Content: View>: View {
    public var content: Content
    public var axes: Axis.Set
    public var showsIndicators: Bool

    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        self.content = content()
        self.axes = axes
        self.showsIndicators = showsIndicators
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        var attributes = Attributes()
        attributes[.axis] = view.axes == .horizontal ? "h" : view.axes == .vertical ? "v" : "both"
        if !view.showsIndicators || context.environment.hidesIndicators { attributes[.bars] = .off }
        let own: LayoutFlags = view.axes == .horizontal ? .width : .both
        context.scroller(
            .scroll, attributes: attributes, layout: LayoutRule(own: own, passes: []),
            place: Place(axis: view.axes == .horizontal ? .horizontal : .vertical)
        ) { Content._render(view.content, $0) }
    }
}

extension _RenderContext {
    /// Adds a scrolling element, with pull to refresh where the environment has an action.
    func scroller(
        _ kind: ElementKind, attributes: Attributes, layout: LayoutRule, place: Place, content: (_RenderContext) -> Void
    ) {
        var attributes = attributes
        var handlers: [EventName: Element.Handler] = [:]
        if let refresh = environment.refresh {
            attributes[flag: .busy] = refresh.isRunning
            handlers[.refresh] = { _ in refresh.start() }
        }
        if let position = environment.scrollPosition {
            attributes[.position] = .text((position.anchor ?? .top).edge)
            handlers[.place] = { if case .number(let number) = $0 { position.take(number) } }
        }
        if let anchor = environment.scrollAnchor, anchor == .bottom { attributes[.stick] = "bottom" }
        element(kind, attributes: attributes, handlers: handlers, layout: layout, place: place) { inner in
            var inner = inner
            inner.environment.refresh = nil
            inner.environment.startsAtEnd = environment.scrollAnchor == .bottom
            inner.environment.scrollAnchor = nil
            inner.environment.scrollPosition = nil
            content(inner)
        }
    }
}

private enum HidesIndicatorsKey: LocalKey { static var defaultValue: Bool { false } }
private enum ScrollAnchorKey: LocalKey { static var defaultValue: UnitPoint? { nil } }

extension EnvironmentValues {
    var hidesIndicators: Bool {
        get { self[HidesIndicatorsKey.self] }
        set { self[HidesIndicatorsKey.self] = newValue }
    }
    var scrollAnchor: UnitPoint? {
        get { self[ScrollAnchorKey.self] }
        set { self[ScrollAnchorKey.self] = newValue }
    }
}

extension View {
    public func scrollIndicators(_ visibility: ScrollIndicatorVisibility, axes: Axis.Set = [.vertical, .horizontal]) -> some View {
        adjusting { $0.environment.hidesIndicators = visibility.hides }
    }
    public func defaultScrollAnchor(_ anchor: UnitPoint?) -> some View { adjusting { $0.environment.scrollAnchor = anchor } }
    public func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View { self }
    public func scrollBounceBehavior(_ behavior: ScrollBounceBehavior, axes: Axis.Set = [.vertical]) -> some View { self }
    public func scrollDisabled(_ disabled: Bool) -> some View { self }
}

public struct ScrollIndicatorVisibility: Sendable {
    let hides: Bool
    public static let automatic = ScrollIndicatorVisibility(hides: false)
    public static let visible = ScrollIndicatorVisibility(hides: false)
    public static let hidden = ScrollIndicatorVisibility(hides: true)
    public static let never = ScrollIndicatorVisibility(hides: true)
}

public struct ScrollDismissesKeyboardMode: Sendable {
    public static let automatic = ScrollDismissesKeyboardMode()
    public static let immediately = ScrollDismissesKeyboardMode()
    public static let interactively = ScrollDismissesKeyboardMode()
    public static let never = ScrollDismissesKeyboardMode()
}

public struct ScrollBounceBehavior: Sendable {
    public static let automatic = ScrollBounceBehavior()
    public static let always = ScrollBounceBehavior()
    public static let basedOnSize = ScrollBounceBehavior()
}
