import SwiftUI
import ViewKit

extension Theme {
    nonisolated static let simBridge = Theme(
        light: .init(
            background: 0xFFFBFE, text: 0x1C1B1F, secondary: 0x49454F, card: 0xF0EDF4, prompt: 0xBBDEFB, outline: 0xB9B4BF,
            accent: 0x0D5CAB, onAccent: 0xFFFFFF, error: 0xB3261E, warning: 0xF57C00, success: 0x43A047, code: .light),
        dark: .init(
            background: 0x1C1B1F, text: 0xE6E1E5, secondary: 0xCAC4D0, card: 0x2B2930, prompt: 0x00497D, outline: 0x56525C,
            accent: 0x90CAF9, onAccent: 0x00315B, error: 0xF2B8B5, warning: 0xFFB74D, success: 0x81C784, code: .dark),
        corner: Metrics.corner, column: 560)
}

/// The app's colours for one appearance: the colours of the theme under this app's names, and further colours.
struct Palette: Hashable {
    let primary: Color
    let onPrimary: Color
    /// The background of the user's own bubbles and of selected items.
    let container: Color
    let onContainer: Color
    /// The colour of success: connected, sent, call.
    let secondary: Color
    let onSecondary: Color
    /// The colour of failure: disconnected, failed, hang up.
    let error: Color
    let onError: Color
    /// The colour of progress: connecting.
    let warning: Color
    let surface: Color
    let onSurface: Color
    /// The colour of secondary text on a surface.
    let onSurfaceVariant: Color
    /// The background of cards, fields and others' bubbles.
    let card: Color
    let outline: Color
    /// The colours of links and of error messages on a surface, with enough contrast for text.
    let link: Color
    let errorText: Color
    /// The placeholder of an empty field: lighter than text, yet readable.
    let placeholder: Color

    nonisolated init(_ scheme: ColorScheme) { self = scheme == .dark ? .dark : .light }

    private nonisolated init(_ base: ViewKit.Palette, _ colors: [UInt32]) {
        let colors = colors.map(Color.init(hex:))
        (primary, onPrimary, onContainer, onSecondary) = (colors[0], colors[1], colors[2], colors[3])
        (error, onError, placeholder) = (colors[4], colors[5], colors[6])
        (surface, onSurface, onSurfaceVariant, card) = (base.background, base.text, base.secondary, base.card)
        (container, outline, link, errorText) = (base.prompt, base.outline, base.accent, base.error)
        (secondary, warning) = (base.success, base.warning)
    }

    private nonisolated static let light = Palette(
        Theme.simBridge.light, [0x1976D2, 0xFFFFFF, 0x0B2A45, 0x06230A, 0xD32F2F, 0xFFFFFF, 0x6C6772])
    private nonisolated static let dark = Palette(
        Theme.simBridge.dark, [0x90CAF9, 0x00315B, 0xD6E9FF, 0x06230A, 0xEF9A9A, 0x4A0D0D, 0x9A949F])
}

extension EnvironmentValues {
    /// The palette of the current appearance.
    nonisolated var palette: Palette { Palette(colorScheme) }
}

nonisolated extension Metrics {
    static let loginPadding: CGFloat = 24
    static let cardPadding: CGFloat = 16
    static let gap: CGFloat = 16
    static let statusIcon: CGFloat = 32
    static let corner: CGFloat = 12
}
