import SwiftUI
import ViewKit

extension Theme {
    nonisolated static let localLLM = Theme(
        light: Palette(
            background: 0xFBFCFB, text: 0x191C1B, secondary: 0x4B5452, card: 0xEEF1EF, prompt: 0xCFEDE5, outline: 0xB7C0BC,
            accent: 0x0B6B5D, onAccent: 0xFFFFFF, error: 0xB3261E, warning: 0x7A4A00, success: 0x0B6B2F, code: .light),
        dark: Palette(
            background: 0x121514, text: 0xE3E8E5, secondary: 0xB3BDB9, card: 0x232827, prompt: 0x0E4A40, outline: 0x4C5653,
            accent: 0x7DD8C5, onAccent: 0x00382F, error: 0xF2B8B5, warning: 0xEFC37F, success: 0x8BD8A0, code: .dark),
        corner: Metrics.corner, column: 720, codeFont: .footnote.monospaced(), copyButton: .codeWords)
}

nonisolated extension Metrics {
    static let corner: CGFloat = 12
}
