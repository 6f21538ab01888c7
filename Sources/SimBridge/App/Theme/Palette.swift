import SwiftUI

/// The app's colours for one appearance.
struct Palette: Hashable {
    let primary: Color
    let onPrimary: Color
    /// The background of the user's own bubbles and of selected items.
    let container: Color
    let onContainer: Color
    /// Success: connected, sent, call.
    let secondary: Color
    let onSecondary: Color
    /// Failure: disconnected, failed, hang up.
    let error: Color
    let onError: Color
    /// Progress: connecting.
    let warning: Color
    let surface: Color
    let onSurface: Color
    /// Secondary text on a surface.
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

    private nonisolated init(_ colors: [UInt32]) {
        let colors = colors.map(Self.color)
        (primary, onPrimary, container, onContainer) = (colors[0], colors[1], colors[2], colors[3])
        (secondary, onSecondary, error, onError, warning) = (colors[4], colors[5], colors[6], colors[7], colors[8])
        (surface, onSurface, onSurfaceVariant) = (colors[9], colors[10], colors[11])
        (card, outline, link, errorText, placeholder) = (colors[12], colors[13], colors[14], colors[15], colors[16])
    }

    private nonisolated static let light = Palette([
        0x1976D2, 0xFFFFFF, 0xBBDEFB, 0x0B2A45, 0x43A047, 0x06230A, 0xD32F2F, 0xFFFFFF, 0xF57C00, 0xFFFBFE, 0x1C1B1F, 0x49454F,
        0xF0EDF4, 0xB9B4BF, 0x0D5CAB, 0xB3261E, 0x6C6772,
    ])
    private nonisolated static let dark = Palette([
        0x90CAF9, 0x00315B, 0x00497D, 0xD6E9FF, 0x81C784, 0x06230A, 0xEF9A9A, 0x4A0D0D, 0xFFB74D, 0x1C1B1F, 0xE6E1E5, 0xCAC4D0,
        0x2B2930, 0x56525C, 0x90CAF9, 0xF2B8B5, 0x9A949F,
    ])

    /// - Parameter hex: 0xRRGGBB, sRGB.
    private nonisolated static func color(_ hex: UInt32) -> Color {
        func channel(_ shift: UInt32) -> Double { Double(hex >> shift & 0xFF) / 255 }
        return Color(red: channel(16), green: channel(8), blue: channel(0))
    }
}

extension EnvironmentValues {
    /// The palette of the current appearance.
    nonisolated var palette: Palette { Palette(colorScheme) }
}

/// The lengths that all screens share.
enum Metrics {
    static let padding: CGFloat = 16
    static let loginPadding: CGFloat = 24
    static let statusCardPadding: CGFloat = 20
    static let cardPadding: CGFloat = 16
    static let gap: CGFloat = 16
    static let statusIcon: CGFloat = 32
    static let corner: CGFloat = 12
    /// The maximum width of a column of text and fields.
    static let column: CGFloat = 560
}
