/// A typeface, its size and its weight.
public struct Font: Hashable, Sendable {
    package enum Base: Hashable, Sendable {
        case style(TextStyle)
        /// A size in points.
        case size(CGFloat)
        /// A typeface of the app. Without `relativeTo` it does not scale with the user's text size.
        case custom(name: String, size: CGFloat, relativeTo: TextStyle?)
    }
    package var base: Base
    package var design: Design?
    package var weight: Weight?
    package var isItalic = false
    package var hasMonospacedDigits = false
    package var leading: Leading?

    init(_ base: Base, design: Design? = nil, weight: Weight? = nil) {
        self.base = base
        self.design = design
        self.weight = weight
    }

    public enum TextStyle: CaseIterable, Hashable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
    }

    public enum Design: Hashable, Sendable {
        case `default`, serif, rounded, monospaced
    }

    public struct Weight: Hashable, Sendable {
        /// The CSS weight, 100 to 900.
        package let value: Int
        public static let ultraLight = Weight(value: 100)
        public static let thin = Weight(value: 200)
        public static let light = Weight(value: 300)
        public static let regular = Weight(value: 400)
        public static let medium = Weight(value: 500)
        public static let semibold = Weight(value: 600)
        public static let bold = Weight(value: 700)
        public static let heavy = Weight(value: 800)
        public static let black = Weight(value: 900)
    }

    public enum Leading: Hashable, Sendable {
        case standard, tight, loose
    }

    public static let largeTitle = Font(.style(.largeTitle))
    public static let title = Font(.style(.title))
    public static let title2 = Font(.style(.title2))
    public static let title3 = Font(.style(.title3))
    public static let headline = Font(.style(.headline))
    public static let subheadline = Font(.style(.subheadline))
    public static let body = Font(.style(.body))
    public static let callout = Font(.style(.callout))
    public static let footnote = Font(.style(.footnote))
    public static let caption = Font(.style(.caption))
    public static let caption2 = Font(.style(.caption2))

    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        Font(.style(style), design: design, weight: weight)
    }
    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
        Font(.size(size), design: design, weight: weight)
    }
    public static func custom(_ name: String, size: CGFloat) -> Font { Font(.custom(name: name, size: size, relativeTo: .body)) }
    public static func custom(_ name: String, size: CGFloat, relativeTo textStyle: TextStyle) -> Font {
        Font(.custom(name: name, size: size, relativeTo: textStyle))
    }
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font {
        Font(.custom(name: name, size: fixedSize, relativeTo: nil))
    }

    public func bold() -> Font { weight(.bold) }
    public func italic() -> Font { with { $0.isItalic = true } }
    public func weight(_ weight: Weight) -> Font { with { $0.weight = weight } }
    public func monospaced() -> Font { with { $0.design = .monospaced } }
    public func monospacedDigit() -> Font { with { $0.hasMonospacedDigits = true } }
    public func leading(_ leading: Leading) -> Font { with { $0.leading = leading } }

    func with(_ change: (inout Font) -> Void) -> Font {
        var font = self
        change(&font)
        return font
    }
}

private enum FontKey: LocalKey {
    static var defaultValue: Font? { nil }
}

/// The changes that outer views apply to the font.
struct FontChanges: Equatable {
    var weight: Font.Weight?
    var isItalic = false
    var hasMonospacedDigits = false
    var design: Font.Design?

    func applied(to font: Font) -> Font {
        font.with {
            if let weight { $0.weight = weight }
            if isItalic { $0.isItalic = true }
            if hasMonospacedDigits { $0.hasMonospacedDigits = true }
            if let design { $0.design = design }
        }
    }
}

private enum FontChangesKey: LocalKey {
    static var defaultValue: FontChanges { FontChanges() }
}

extension EnvironmentValues {
    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }
    var fontChanges: FontChanges {
        get { self[FontChangesKey.self] }
        set { self[FontChangesKey.self] = newValue }
    }
}

extension View {
    public func font(_ font: Font?) -> some View { adjusting { $0.environment.font = font } }
    public func fontWeight(_ weight: Font.Weight?) -> some View { adjusting { $0.environment.fontChanges.weight = weight } }
    public func bold(_ isActive: Bool = true) -> some View {
        adjusting { $0.environment.fontChanges.weight = isActive ? .bold : nil }
    }
    public func italic(_ isActive: Bool = true) -> some View { adjusting { $0.environment.fontChanges.isItalic = isActive } }
    public func monospaced(_ isActive: Bool = true) -> some View {
        adjusting { $0.environment.fontChanges.design = isActive ? .monospaced : nil }
    }
    public func monospacedDigit() -> some View { adjusting { $0.environment.fontChanges.hasMonospacedDigits = true } }
    public func fontDesign(_ design: Font.Design?) -> some View { adjusting { $0.environment.fontChanges.design = design } }
}
