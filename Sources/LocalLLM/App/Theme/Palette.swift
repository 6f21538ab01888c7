import SwiftUI

/// The app's colours for one appearance.
struct Palette: Hashable {
    let accent: Color
    let onAccent: Color
    let surface: Color
    let onSurface: Color
    /// Less important text.
    let secondary: Color
    /// The background of cards, fields and code.
    let card: Color
    /// The background of the user's prompts.
    let prompt: Color
    let outline: Color
    let error: Color
    let verified: Color

    nonisolated init(_ scheme: ColorScheme) { self = scheme == .dark ? .dark : .light }

    private nonisolated init(_ colors: [UInt32]) {
        let colors = colors.map(Self.color)
        (accent, onAccent, surface, onSurface, secondary) = (colors[0], colors[1], colors[2], colors[3], colors[4])
        (card, prompt, outline, error, verified) = (colors[5], colors[6], colors[7], colors[8], colors[9])
    }

    private nonisolated static let light = Palette([
        0x0B6B5D, 0xFFFFFF, 0xFBFCFB, 0x191C1B, 0x4B5452, 0xEEF1EF, 0xCFEDE5, 0xB7C0BC, 0xB3261E, 0x0B6B2F,
    ])
    private nonisolated static let dark = Palette([
        0x7DD8C5, 0x00382F, 0x121514, 0xE3E8E5, 0xB3BDB9, 0x232827, 0x0E4A40, 0x4C5653, 0xF2B8B5, 0x8BD8A0,
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
    static let corner: CGFloat = 12
    /// The minimum size of a control.
    static let control: CGFloat = 44
    /// The height of the prompt field with one line.
    static let composer: CGFloat = 48
    /// The maximum width of a column of text and fields.
    static let column: CGFloat = 720
}

extension View {
    /// Fills the screen with the app's surface colour.
    func page() -> some View { modifier(Page()) }
    /// Limits the view to a readable width, centred.
    func column() -> some View { frame(maxWidth: Metrics.column).frame(maxWidth: .infinity) }
    /// Puts the view on a card.
    func card() -> some View { modifier(Card()) }
}

private struct Page: ViewModifier {
    @Environment(\.palette) private var palette

    func body(content: Content) -> some View {
        content
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .foregroundStyle(palette.onSurface)
            .background { palette.surface.ignoresSafeArea() }
    }
}

private struct Card: ViewModifier {
    @Environment(\.palette) private var palette

    func body(content: Content) -> some View {
        content
            .padding(Metrics.padding)
            .frame(maxWidth: .infinity, alignment: .leading)
            .background(palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner))
    }
}

/// A filled button of full width.
struct FilledButtonStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View { FilledButton(configuration: configuration) }
}

private struct FilledButton: View {
    let configuration: ButtonStyleConfiguration
    @Environment(\.palette) private var palette
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        configuration.label
            .font(.headline)
            .frame(maxWidth: .infinity, minHeight: 50)
            .foregroundStyle(isEnabled ? palette.onAccent : palette.secondary)
            .background(isEnabled ? palette.accent : palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner))
            .opacity(configuration.isPressed ? 0.8 : 1)
    }
}

/// A button without a background.
struct TextButtonStyle: ButtonStyle {
    /// The place of a label that is smaller than the button.
    var alignment = Alignment.center

    func makeBody(configuration: Configuration) -> some View { TextButton(configuration: configuration, alignment: alignment) }
}

private struct TextButton: View {
    let configuration: ButtonStyleConfiguration
    let alignment: Alignment
    @Environment(\.palette) private var palette
    @Environment(\.isEnabled) private var isEnabled

    var body: some View {
        configuration.label
            .font(.subheadline.weight(.semibold))
            .foregroundStyle(isEnabled ? palette.accent : palette.secondary)
            .frame(minWidth: Metrics.control, minHeight: Metrics.control, alignment: alignment)
            .contentShape(Rectangle())
            .opacity(configuration.isPressed ? 0.6 : 1)
    }
}
