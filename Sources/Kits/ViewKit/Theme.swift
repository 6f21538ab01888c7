package import PlatformKit
package import SwiftUI

/// The settings by which apps differ in the views of this kit.
package struct Theme: Hashable, Sendable {
    package let light: Palette
    package let dark: Palette
    /// The corner radius of cards, in points.
    let corner: CGFloat
    /// Maximum width of a column of text and fields, in points.
    let column: CGFloat
    /// The font of code that is not zoomed.
    let codeFont: Font
    /// The look of the copy button in the header of code.
    let copyButton: CopyButton.Look
    /// Maximum lines of code that are shown at first; nil for the limit of ``CodeBlock``.
    let codeLineLimit: Int?

    package init(
        light: Palette, dark: Palette, corner: CGFloat, column: CGFloat,
        codeFont: Font = .system(size: CodeZoom.originalSize, design: .monospaced), copyButton: CopyButton.Look = .symbol,
        codeLineLimit: Int? = nil
    ) {
        (self.light, self.dark, self.corner, self.column) = (light, dark, corner, column)
        (self.codeFont, self.copyButton, self.codeLineLimit) = (codeFont, copyButton, codeLineLimit)
    }

    package func palette(_ scheme: ColorScheme) -> Palette { scheme == .dark ? dark : light }
}

private enum ThemeKey: EnvironmentKey {
    static let defaultValue = Theme(light: Palette(), dark: Palette(), corner: 12, column: 720)
}

private enum SecurityKey: EnvironmentKey { static let defaultValue = true }

private enum CopierKey: EnvironmentKey { static var defaultValue: Copier? { nil } }

extension EnvironmentValues {
    package fileprivate(set) var theme: Theme {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }

    fileprivate(set) var copier: Copier? {
        get { self[CopierKey.self] }
        set { self[CopierKey.self] = newValue }
    }

    /// True if the page is secure (``Phone/isSecure``).
    package fileprivate(set) var isPageSecure: Bool {
        get { self[SecurityKey.self] }
        set { self[SecurityKey.self] = newValue }
    }

    /// The palette of the theme for the current appearance.
    package var palette: Palette { theme.palette(colorScheme) }
}

extension View {
    /// Sets the theme of the views inside, and the phone that their copy buttons and sentences use.
    package func themed(_ theme: Theme, on phone: Phone) -> some View {
        modifier(Themed(theme: theme, isPageSecure: phone.isSecure, copier: Copier(phone.clipboard)))
    }
}

private struct Themed: ViewModifier {
    let theme: Theme
    let isPageSecure: Bool
    @State var copier: Copier
    @Environment(\.colorScheme) private var scheme

    func body(content: Content) -> some View {
        content
            .tint(theme.palette(scheme).accent)
            .environment(\.theme, theme)
            .environment(\.isPageSecure, isPageSecure)
            .environment(\.copier, copier)
    }
}
