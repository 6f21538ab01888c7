/// Views arranged vertically.
public struct VStack<Content: View>: View {
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content

    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.column(view.alignment, view.spacing, layout: .content) { Content._render(view.content, $0) }
    }
}

/// Views arranged vertically, over the full width. Of many rows, those far out of sight are created later: ``LazyRows``.
public struct LazyVStack<Content: View>: View {
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content

    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        // A grid of one column: browsers lay out a thousand rows of it in a quarter of the time of a flexible box.
        context.element(
            .grid, style: [.columns([GridItem(.flexible())], spacing: view.spacing, alignment: view.alignment)],
            layout: LayoutRule(own: .width, passes: .both), place: Place(axis: .vertical, isLazy: true, createsLate: true)
        ) { Content._render(view.content, $0) }
    }
}

/// Views arranged horizontally.
public struct HStack<Content: View>: View {
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content

    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.line(view.alignment, view.spacing, layout: .content) { Content._render(view.content, $0) }
    }
}

/// Views arranged horizontally, over the full height.
public struct LazyHStack<Content: View>: View {
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: Content

    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.line(view.alignment, view.spacing, layout: LayoutRule(own: .height, passes: .both), isLazy: true) {
            Content._render(view.content, $0)
        }
    }
}

/// Views layered over each other.
public struct ZStack<Content: View>: View {
    let alignment: Alignment
    let content: Content

    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.element(.zstack, style: [.stack(spacing: nil, alignment: view.alignment)]) { Content._render(view.content, $0) }
    }
}

/// Pinned headers and footers. No effect here.
public struct PinnedScrollableViews: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)
    public static let sectionFooters = PinnedScrollableViews(rawValue: 2)
}

extension _RenderContext {
    func column(
        _ alignment: HorizontalAlignment, _ spacing: CGFloat?, layout: LayoutRule, content: (_RenderContext) -> Void
    ) {
        element(
            .vstack, style: [.stack(spacing: spacing, alignment: Alignment(horizontal: alignment, vertical: .center))],
            layout: layout,
            place: Place(axis: .vertical), content: content)
    }

    func line(
        _ alignment: VerticalAlignment, _ spacing: CGFloat?, layout: LayoutRule, isLazy: Bool = false,
        content: (_RenderContext) -> Void
    ) {
        element(
            .hstack, style: [.stack(spacing: spacing, alignment: Alignment(horizontal: .center, vertical: alignment))],
            layout: layout,
            place: Place(axis: .horizontal, isLazy: isLazy), content: content)
    }
}

/// A flexible space along the axis of its stack.
public struct Spacer: View {
    public var minLength: CGFloat?
    public init(minLength: CGFloat? = nil) { self.minLength = minLength }

    public static func _render(_ view: Spacer, _ context: _RenderContext) {
        let own: LayoutFlags =
            switch context.place.axis {
            case .vertical: .height
            case .horizontal: .width
            case nil: .both
            }
        context.element(
            .spacer, style: view.minLength.map { [.minimumLength($0)] } ?? [], layout: LayoutRule(own: own, passes: []))
    }
}

/// A thin line across the axis of its stack.
public struct Divider: View {
    public init() {}
    public static func _render(_ view: Divider, _ context: _RenderContext) {
        let isUpright = context.place.axis == .horizontal && !context.place.insideRow
        context.element(.divider, layout: LayoutRule(own: isUpright ? .height : .width, passes: []))
    }
}
