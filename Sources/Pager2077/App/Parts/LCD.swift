import SwiftUI

/// The colours and fonts of the display.
enum LCD {
    /// The colour of text and drawings.
    static let ink = Color(red: 0.10, green: 0.15, blue: 0.07)
    /// The colour of secondary text. Its contrast with every background is at least 4.5:1.
    static let faint = Color(red: 0.10, green: 0.15, blue: 0.07, opacity: 0.85)
    /// The colour of text on an ink background.
    static let lit = Color(red: 0.78, green: 0.85, blue: 0.55)

    /// The font has a grid of nine dots, so multiples of nine points give whole dots.
    static let font = Font.custom("PagerLCD", size: 18)
    static let small = Font.custom("PagerLCD", size: 13.5)
    static let large = Font.custom("PagerLCD", size: 36)

    /// Returns the gradient of the background from top to bottom; in dark mode, the backlight is on.
    static func glass(_ colorScheme: ColorScheme) -> [Color] {
        colorScheme == .dark
            ? [Color(red: 0.62, green: 0.86, blue: 0.55), Color(red: 0.47, green: 0.76, blue: 0.44)]
            : [Color(red: 0.71, green: 0.78, blue: 0.49), Color(red: 0.62, green: 0.70, blue: 0.40)]
    }

    /// The gaps between rows of dots.
    static let scanLines: LinearGradient = {
        let count = 56
        let line = Color(red: 0.10, green: 0.15, blue: 0.07, opacity: 0.055)
        let clear = Color(red: 0.10, green: 0.15, blue: 0.07, opacity: 0)
        let stops = (0..<count).flatMap { number -> [Gradient.Stop] in
            let top = CGFloat(number) / CGFloat(count)
            let middle = top + 0.5 / CGFloat(count)
            return [
                .init(color: clear, location: top), .init(color: clear, location: middle), .init(color: line, location: middle),
                .init(color: line, location: top + 1 / CGFloat(count)),
            ]
        }
        return LinearGradient(stops: stops, startPoint: .top, endPoint: .bottom)
    }()
}
