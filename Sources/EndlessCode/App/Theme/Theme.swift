import SwiftUI
import ViewKit

extension Theme {
    nonisolated static let endlessCode = Theme(
        light: Palette(
            background: 0xFFFFFF, text: 0x1A1C21, secondary: 0x565C67, card: 0xF3F4F7, prompt: 0xE3E8FA, outline: 0xCBD0D9,
            accent: 0x3548C8, onAccent: 0xFFFFFF, error: 0xB3261E, warning: 0x7A4A00, success: 0x17663A, code: .light),
        dark: Palette(
            background: 0x0F1115, text: 0xE5E7EC, secondary: 0xA4ABB7, card: 0x1A1D23, prompt: 0x252D4F, outline: 0x3A404B,
            accent: 0xA3B4FF, onAccent: 0x131B45, error: 0xF5B5AE, warning: 0xEFC37F, success: 0x8FD6A6, code: .dark),
        corner: Metrics.corner, column: 760, codeLineLimit: 200)
}

nonisolated extension Metrics {
    static let corner: CGFloat = 10
}
