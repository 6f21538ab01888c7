import Foundation

/// The background of an app before its first view appears, in light and dark appearance. The status bar has the same colour.
package struct LaunchColors: Sendable {
    /// The colours in light and dark appearance, as 0xRRGGBB.
    let light: Int
    let dark: Int

    /// - Parameters:
    ///   - light: 0xRRGGBB.
    ///   - dark: 0xRRGGBB.
    package init(light: Int, dark: Int) {
        self.light = light
        self.dark = dark
    }

    /// White and black.
    package static let system = LaunchColors(light: 0xffffff, dark: 0x000000)

    /// Returns `color` in CSS syntax.
    static func css(_ color: Int) -> String { "#" + String(0x1000000 | color & 0xff_ffff, radix: 16).dropFirst() }

    /// Returns black or white, whichever has more contrast with `color` (WCAG 2.2, relative luminance).
    static func ink(on color: Int) -> String {
        func linear(_ shift: Int) -> Double {
            let channel = Double(color >> shift & 0xff) / 255
            return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
        }
        let luminance = 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
        return luminance > 0.179 ? "#000000" : "#ffffff"
    }

    /// The values for the placeholders of the page template.
    var values: [String: String] {
        [
            "light": Self.css(light), "dark": Self.css(dark), "lightink": Self.ink(on: light), "darkink": Self.ink(on: dark),
        ]
    }
}
