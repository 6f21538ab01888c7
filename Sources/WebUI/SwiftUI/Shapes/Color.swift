/// A colour. The system's colours differ between light and dark.
nonisolated public struct Color: View, ShapeStyle, Hashable, Sendable {
    package enum Base: Hashable, Sendable {
        /// A system colour by Apple's name, see `Docs/iOS-Metrics.md`.
        case system(String)
        /// sRGB components from 0 to 1.
        case rgb(red: Double, green: Double, blue: Double)
        case tint
    }
    package var base: Base
    package var alpha = 1.0

    public enum RGBColorSpace: Hashable, Sendable { case sRGB, sRGBLinear, displayP3 }

    init(_ base: Base, alpha: Double = 1) {
        self.base = base
        self.alpha = alpha
    }

    public init(_ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {
        self.init(.rgb(red: red, green: green, blue: blue), alpha: opacity)
    }
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(.rgb(red: white, green: white, blue: white), alpha: opacity)
    }
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        func channel(_ offset: Double) -> Double {
            let place = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(place, 4 - place, 1))
        }
        self.init(.rgb(red: channel(5), green: channel(3), blue: channel(1)), alpha: opacity)
    }
    public init(uiColor: UIColor) { self = uiColor.color }

    public func opacity(_ opacity: Double) -> Color { Color(base, alpha: alpha * opacity) }
    public var gradient: AnyGradient { AnyGradient(Gradient(colors: [opacity(0.85), self])) }

    public var _paint: _Paint { .color(self) }

    @MainActor public static func _render(_ view: Color, _ context: _RenderContext) {
        context.element(.shape, style: [.background(view._paint)], layout: .filling)
    }

    public static let red = Color(.system("red"))
    public static let orange = Color(.system("orange"))
    public static let yellow = Color(.system("yellow"))
    public static let green = Color(.system("green"))
    public static let mint = Color(.system("mint"))
    public static let teal = Color(.system("teal"))
    public static let cyan = Color(.system("cyan"))
    public static let blue = Color(.system("blue"))
    public static let indigo = Color(.system("indigo"))
    public static let purple = Color(.system("purple"))
    public static let pink = Color(.system("pink"))
    public static let brown = Color(.system("brown"))
    public static let gray = Color(.system("gray"))
    public static let primary = Color(.system("label"))
    public static let secondary = Color(.system("secondaryLabel"))
    public static let accentColor = Color(.tint)
    public static let white = Color(white: 1)
    public static let black = Color(white: 0)
    public static let clear = Color(white: 0, opacity: 0)
}

/// The semantic system colours of UIKit, for `Color(uiColor:)`.
public final class UIColor: Sendable {
    let color: Color
    private init(_ name: String) { color = Color(.system(name)) }

    public static let label = UIColor("label")
    public static let secondaryLabel = UIColor("secondaryLabel")
    public static let tertiaryLabel = UIColor("tertiaryLabel")
    public static let quaternaryLabel = UIColor("quaternaryLabel")
    public static let placeholderText = UIColor("placeholderText")
    public static let separator = UIColor("separator")
    public static let opaqueSeparator = UIColor("opaqueSeparator")
    public static let link = UIColor("link")
    public static let systemFill = UIColor("systemFill")
    public static let secondarySystemFill = UIColor("secondarySystemFill")
    public static let tertiarySystemFill = UIColor("tertiarySystemFill")
    public static let quaternarySystemFill = UIColor("quaternarySystemFill")
    public static let systemBackground = UIColor("systemBackground")
    public static let secondarySystemBackground = UIColor("secondarySystemBackground")
    public static let tertiarySystemBackground = UIColor("tertiarySystemBackground")
    public static let systemGroupedBackground = UIColor("systemGroupedBackground")
    public static let secondarySystemGroupedBackground = UIColor("secondarySystemGroupedBackground")
    public static let tertiarySystemGroupedBackground = UIColor("tertiarySystemGroupedBackground")
    public static let systemGray = UIColor("gray")
    public static let systemGray2 = UIColor("gray2")
    public static let systemGray3 = UIColor("gray3")
    public static let systemGray4 = UIColor("gray4")
    public static let systemGray5 = UIColor("gray5")
    public static let systemGray6 = UIColor("gray6")
}
