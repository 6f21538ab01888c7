/// A paint: a colour, a gradient, a material.
public protocol ShapeStyle: Sendable {
    var _paint: _Paint { get }
}

extension _Paint {
    /// Returns the paint, with a hierarchical level replaced by a fainter form of the surrounding colour.
    func resolved(in environment: EnvironmentValues) -> _Paint {
        guard case .level(let level) = self, let base = environment.levelBase else { return self }
        return level == 1 ? base : .faded(base, [1: 1, 2: 0.6, 3: 0.3, 4: 0.18][level] ?? 0.1)
    }
}

private enum ForegroundKey: LocalKey { static var defaultValue: _Paint? { nil } }
private enum LevelBaseKey: LocalKey { static var defaultValue: _Paint? { nil } }

extension EnvironmentValues {
    /// The paint of texts and symbols; nil for the label colour.
    var foreground: _Paint? {
        get { self[ForegroundKey.self] }
        set {
            self[ForegroundKey.self] = newValue
            // Levels are relative to the last paint that is not a level.
            if case .level = newValue { return }
            self[LevelBaseKey.self] = newValue
        }
    }
    fileprivate var levelBase: _Paint? { self[LevelBaseKey.self] }

    /// Sets the base of hierarchical levels to the paint that the page itself uses for texts here.
    mutating func inheritForeground(_ paint: _Paint) { self[LevelBaseKey.self] = paint }
}

extension ShapeStyle where Self == Color {
    public static var red: Color { .red }
    public static var orange: Color { .orange }
    public static var yellow: Color { .yellow }
    public static var green: Color { .green }
    public static var mint: Color { .mint }
    public static var teal: Color { .teal }
    public static var cyan: Color { .cyan }
    public static var blue: Color { .blue }
    public static var indigo: Color { .indigo }
    public static var purple: Color { .purple }
    public static var pink: Color { .pink }
    public static var brown: Color { .brown }
    public static var gray: Color { .gray }
    public static var white: Color { .white }
    public static var black: Color { .black }
    public static var clear: Color { .clear }
}

/// A level, 1 to 5, of the surrounding colour.
public struct HierarchicalShapeStyle: ShapeStyle {
    let level: Int
    public var _paint: _Paint { .level(level) }
    public static let primary = HierarchicalShapeStyle(level: 1)
    public static let secondary = HierarchicalShapeStyle(level: 2)
    public static let tertiary = HierarchicalShapeStyle(level: 3)
    public static let quaternary = HierarchicalShapeStyle(level: 4)
    public static let quinary = HierarchicalShapeStyle(level: 5)
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { .primary }
    public static var secondary: HierarchicalShapeStyle { .secondary }
    public static var tertiary: HierarchicalShapeStyle { .tertiary }
    public static var quaternary: HierarchicalShapeStyle { .quaternary }
    public static var quinary: HierarchicalShapeStyle { .quinary }
}

/// The tint colour.
public struct TintShapeStyle: ShapeStyle {
    public init() {}
    public var _paint: _Paint { .tint }
}

extension ShapeStyle where Self == TintShapeStyle {
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

/// The background of the container of the view.
public struct BackgroundStyle: ShapeStyle {
    public init() {}
    public var _paint: _Paint { .background }
}

extension ShapeStyle where Self == BackgroundStyle {
    public static var background: BackgroundStyle { BackgroundStyle() }
}

/// A translucent blur of the content behind.
public struct Material: ShapeStyle, Hashable {
    package enum Thickness: String, Sendable { case ultraThin, thin, regular, thick, ultraThick, bar }
    package let thickness: Thickness
    public var _paint: _Paint { .material(self) }
    public static let ultraThin = Material(thickness: .ultraThin)
    public static let thin = Material(thickness: .thin)
    public static let regular = Material(thickness: .regular)
    public static let thick = Material(thickness: .thick)
    public static let ultraThick = Material(thickness: .ultraThick)
    public static let bar = Material(thickness: .bar)
}

extension ShapeStyle where Self == Material {
    public static var ultraThinMaterial: Material { .ultraThin }
    public static var thinMaterial: Material { .thin }
    public static var regularMaterial: Material { .regular }
    public static var thickMaterial: Material { .thick }
    public static var ultraThickMaterial: Material { .ultraThick }
    public static var bar: Material { .bar }
}

/// A type-erased style.
public struct AnyShapeStyle: ShapeStyle {
    public let _paint: _Paint
    public init<S: ShapeStyle>(_ style: S) { _paint = style._paint }
}

extension View {
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { adjusting { $0.environment.foreground = style._paint } }
    public func foregroundColor(_ color: Color?) -> some View { adjusting { $0.environment.foreground = color.map(_Paint.color) } }
    public func tint(_ tint: Color?) -> some View { adjusting { $0.setTint(tint.map(_Paint.color)) } }
    public func tint<S: ShapeStyle>(_ tint: S?) -> some View { adjusting { $0.setTint(tint?._paint) } }
    public func accentColor(_ accentColor: Color?) -> some View { adjusting { $0.setTint(accentColor.map(_Paint.color)) } }
}

extension _RenderContext {
    /// Sets the tint of the next element. Its descendants inherit the tint in the page.
    fileprivate mutating func setTint(_ paint: _Paint?) {
        if let paint { traits.style.append(.tint(paint)) }
    }
}
