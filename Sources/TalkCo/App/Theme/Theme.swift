import SwiftUI
import ViewKit

extension Theme {
    nonisolated static let talkCo = Theme(
        light: Palette(
            background: 0xFBF9F4, text: 0x22201B, secondary: 0x5C564B, card: 0xF1EDE3, prompt: 0xE0EACB, outline: 0xCBC4B5,
            accent: 0x47611F, onAccent: 0xFFFFFF, error: 0xB3261E, warning: 0x7A4A00, success: 0x1B6534, code: .light),
        dark: Palette(
            background: 0x14130F, text: 0xEBE6DC, secondary: 0xB8B1A4, card: 0x23211B, prompt: 0x37431F, outline: 0x4D483E,
            accent: 0xBAD384, onAccent: 0x223305, error: 0xF2B8B5, warning: 0xEFC37F, success: 0x8FD6A6, code: .dark),
        corner: Metrics.corner, column: 720)
}

/// The lengths that all screens share.
nonisolated enum Metrics {
    static let padding: CGFloat = 16
    static let corner: CGFloat = 16
    /// The minimum size of a control.
    static let control: CGFloat = 44
    /// The height of a text field with one line.
    static let field: CGFloat = 48
}
