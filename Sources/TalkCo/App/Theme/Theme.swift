import SwiftUI
import ViewKit

extension Theme {
    nonisolated static let talkCo = Theme(
        light: Palette(
            background: 0xFBF9F6, text: 0x231F20, secondary: 0x5E565A, card: 0xF2EDE9, prompt: 0xF5DDE6, outline: 0xCDC3C0,
            accent: 0x86355A, onAccent: 0xFFFFFF, error: 0xB3261E, warning: 0x7A4A00, success: 0x1B6534, code: .light),
        dark: Palette(
            background: 0x151213, text: 0xECE4E6, secondary: 0xBBB0B4, card: 0x252021, prompt: 0x4D2739, outline: 0x51474B,
            accent: 0xF0AFC8, onAccent: 0x4A1230, error: 0xF2B8B5, warning: 0xEFC37F, success: 0x8FD6A6, code: .dark),
        corner: Metrics.corner, column: 720)
}

nonisolated extension Metrics {
    static let corner: CGFloat = 16
}

/// The strong colours of the talk button while the microphone records, the same in light and dark.
nonisolated enum RecordingColors {
    static let button = Color(hex: 0xC62828)
    static let symbol = Color(hex: 0xFFFFFF)
}
