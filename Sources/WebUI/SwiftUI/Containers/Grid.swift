/// A column (or row) of a lazy grid.
public struct GridItem: Equatable, Sendable {
    public enum Size: Equatable, Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        /// As many columns as fit.
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }
    public var size: Size
    public var spacing: CGFloat?
    public var alignment: Alignment?

    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }
}

/// Rows of cells whose columns are as wide as their widest cell. Any view that is not a ``GridRow`` is a row of one cell across all columns.
public struct Grid<Content: View>: View {
    let alignment: Alignment
    let horizontalSpacing: CGFloat?
    let verticalSpacing: CGFloat?
    let content: Content

    public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
        self.content = content()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.element(
            .cells,
            style: [
                .layerAlignment(view.alignment), .cellSpacing(horizontal: view.horizontalSpacing, vertical: view.verticalSpacing),
            ], place: Place(axis: .vertical)
        ) { Content._render(view.content, $0) }
    }
}

/// A row of a ``Grid``. Each of its views is a cell.
public struct GridRow<Content: View>: View {
    let alignment: VerticalAlignment?
    let content: Content

    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.element(
            .cellrow,
            style: view.alignment.map { [.stack(spacing: nil, alignment: Alignment(horizontal: .center, vertical: $0))] } ?? [],
            place: Place(axis: .horizontal)
        ) { Content._render(view.content, $0) }
    }
}

extension View {
    /// Aligns this cell in its column of a ``Grid``. Unlike on Apple's systems, the other cells of the column keep their alignment.
    public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View { styled(.cellAlignment(guide)) }
}

/// A lazy grid, filled row by row.
public struct LazyVGrid<Content: View>: View {
    let columns: [GridItem]
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: Content

    public init(
        columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content
    ) {
        self.columns = columns
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.element(
            .grid, style: [.columns(view.columns, spacing: view.spacing, alignment: view.alignment)],
            layout: LayoutRule(own: .width, passes: []), place: Place(isLazy: true)
        ) { Content._render(view.content, $0) }
    }
}
