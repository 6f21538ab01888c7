/// A symbol, by Apple's name, from the drawings in `WebRenderer/Resources/symbols.svg`.
nonisolated public struct Image: View, Equatable {
    let name: String

    public init(systemName: String) { name = systemName }

    public enum Scale: Hashable, Sendable { case small, medium, large }

    @MainActor public static func _render(_ view: Image, _ context: _RenderContext) {
        var attributes = Attributes()
        attributes[.name] = .text(view.name)
        attributes[flag: .accessibilityHidden] = context.environment.isDecoration
        let environment = context.environment
        var rules: [StyleRule] = []
        let changes = environment.fontChanges
        if let font = environment.font ?? (changes == FontChanges() ? nil : .body) {
            rules.append(.font(changes.applied(to: font)))
        }
        if let paint = environment.foreground?.resolved(in: environment) { rules.append(.foreground(paint)) }
        context.element(.symbol, style: rules, attributes: attributes, layout: .hugging)
    }

    public func resizable() -> Image { self }
    public func renderingMode(_ mode: TemplateRenderingMode?) -> Image { self }
    public enum TemplateRenderingMode: Hashable, Sendable { case template, original }
}

private enum DecorationKey: LocalKey { static var defaultValue: Bool { false } }

extension EnvironmentValues {
    /// True if the image is hidden from screen readers.
    var isDecoration: Bool {
        get { self[DecorationKey.self] }
        set { self[DecorationKey.self] = newValue }
    }
}

extension View {
    public func imageScale(_ scale: Image.Scale) -> some View {
        let factor = scale == .small ? 0.8 : scale == .large ? 1.25 : 1
        return styled(.scale(CGSize(width: factor, height: factor), .center))
    }
}

/// A text with an icon.
public struct Label<Title: View, Icon: View>: View {
    let title: Title
    let icon: Icon

    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        let style = context.environment.labelParts
        if style == .stacked { return stacked(view, context) }
        context.element(.label, layout: .content, place: Place(axis: .horizontal)) { inner in
            if style != .title {
                var icon = inner.child(0)
                icon.environment.isDecoration = true
                Icon._render(view.icon, icon)
            }
            if style != .icon {
                Title._render(view.title, inner.child(1))
            } else {
                // Screen readers read the title where only the icon is shown.
                var hidden = inner.child(1)
                hidden.traits.attributes[.hitTesting] = .off
                hidden.traits.attributes[flag: .speechOnly] = true
                Title._render(view.title, hidden)
            }
        }
    }
}

extension Label {
    /// Renders a large icon above the title, as in a ``ContentUnavailableView``.
    fileprivate static func stacked(_ view: Self, _ context: _RenderContext) {
        context.column(.center, 12, layout: .content) { inner in
            var icon = inner.child(0)
            icon.environment.isDecoration = true
            icon.environment.font = .system(size: 48)
            icon.environment.foreground = HierarchicalShapeStyle.secondary._paint
            Icon._render(view.icon, icon)
            Title._render(view.title, inner.child(1))
        }
    }
}

extension Label where Title == Text, Icon == Image {
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(systemName: name) })
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init(title: { Text(title) }, icon: { Image(systemName: name) })
    }
}

enum LabelParts { case both, title, icon, stacked }

private enum LabelPartsKey: LocalKey { static var defaultValue: LabelParts { .both } }

extension EnvironmentValues {
    var labelParts: LabelParts {
        get { self[LabelPartsKey.self] }
        set { self[LabelPartsKey.self] = newValue }
    }
}

/// The style of a ``Label``: the parts that are shown.
public protocol LabelStyle: Sendable {}
public struct DefaultLabelStyle: LabelStyle { public init() {} }
public struct TitleOnlyLabelStyle: LabelStyle { public init() {} }
public struct IconOnlyLabelStyle: LabelStyle { public init() {} }
public struct TitleAndIconLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == DefaultLabelStyle { public static var automatic: DefaultLabelStyle { .init() } }
extension LabelStyle where Self == TitleOnlyLabelStyle { public static var titleOnly: TitleOnlyLabelStyle { .init() } }
extension LabelStyle where Self == IconOnlyLabelStyle { public static var iconOnly: IconOnlyLabelStyle { .init() } }
extension LabelStyle where Self == TitleAndIconLabelStyle { public static var titleAndIcon: TitleAndIconLabelStyle { .init() } }

extension View {
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View {
        adjusting {
            $0.environment.labelParts = style is TitleOnlyLabelStyle ? .title : style is IconOnlyLabelStyle ? .icon : .both
        }
    }
}
