package import HighlightKit
package import SwiftUI

/// The colours of an app for one appearance; the system's colours by default.
package struct Palette: Hashable, Sendable {
    /// The background of screens.
    package private(set) var background = Color.clear
    package private(set) var text = Color.primary
    /// Less important text.
    package private(set) var secondary = Color.secondary
    /// The background of cards, fields and code.
    package private(set) var card = Color.secondary.opacity(0.1)
    /// The background of the user's prompts.
    package private(set) var prompt = Color.secondary.opacity(0.2)
    package private(set) var outline = Color.secondary
    package private(set) var accent = Color.accentColor
    package private(set) var onAccent = Color.white
    package private(set) var error = Color.red
    package private(set) var warning = Color.orange
    package private(set) var success = Color.green
    package private(set) var code = CodePalette.light

    init() {}

    /// Creates a palette from colours as 0xRRGGBB, sRGB.
    package init(
        background: UInt32, text: UInt32, secondary: UInt32, card: UInt32, prompt: UInt32, outline: UInt32, accent: UInt32,
        onAccent: UInt32, error: UInt32, warning: UInt32, success: UInt32, code: CodePalette
    ) {
        (self.background, self.text, self.secondary) = (Color(hex: background), Color(hex: text), Color(hex: secondary))
        (self.card, self.prompt, self.outline) = (Color(hex: card), Color(hex: prompt), Color(hex: outline))
        (self.accent, self.onAccent, self.error) = (Color(hex: accent), Color(hex: onAccent), Color(hex: error))
        (self.warning, self.success, self.code) = (Color(hex: warning), Color(hex: success), code)
    }
}

/// The colours of code for one appearance, on cards of every app.
package struct CodePalette: Hashable, Sendable {
    /// The backgrounds of lines in a diff.
    package let inserted: Color
    package let deleted: Color
    /// The colours by ``Token/Kind``.
    private let syntax: [Color]

    private init(inserted: UInt32, deleted: UInt32, syntax: [UInt32]) {
        (self.inserted, self.deleted) = (Color(hex: inserted), Color(hex: deleted))
        self.syntax = syntax.map(Color.init(hex:))
    }

    package static let light = CodePalette(
        inserted: 0xDDF3E4, deleted: 0xFAE1DF,
        syntax: [
            0x7B1FA2, 0x0A5A78, 0x9A2A12, 0x1A4FA3, 0x5A626F, 0x6A4700, 0x6A4700, 0x4A515C, 0x0A5A78, 0x17663A, 0xB3261E, 0x3548C8,
        ])
    package static let dark = CodePalette(
        inserted: 0x123421, deleted: 0x45201E,
        syntax: [
            0xD6A8F5, 0x86D1E9, 0xF2AE9B, 0xA9C4FF, 0x9AA2B0, 0xEFD08B, 0xEFC37F, 0xB8BEC9, 0x86D1E9, 0x8FD6A6, 0xF5B5AE, 0xA3B4FF,
        ])

    /// Returns the colour of a part of code; nil for the colour of text.
    package func color(of kind: Token.Kind) -> Color? { kind == .plain ? nil : syntax[Int(kind.rawValue) - 1] }
}

extension Color {
    /// - Parameter hex: 0xRRGGBB, sRGB.
    package init(hex: UInt32) {
        func channel(_ shift: UInt32) -> Double { Double(hex >> shift & 0xFF) / 255 }
        self.init(red: channel(16), green: channel(8), blue: channel(0))
    }
}
