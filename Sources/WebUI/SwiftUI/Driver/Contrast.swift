import Foundation

extension Color {
    /// Returns the contrast ratio on `ground` (WCAG 2.2), from 1 to 21. For tests.
    ///
    /// - Parameter ground: An opaque colour.
    /// - Returns: Nil if one of the colours has no fixed components.
    package func contrast(on ground: Color) -> Double? {
        guard let ground = ground.components, let own = components else { return nil }
        let light = zip(own, ground).map { $0 * alpha + $1 * (1 - alpha) }
        let pair = [Self.luminance(ground), Self.luminance(light)].sorted()
        return (pair[1] + 0.05) / (pair[0] + 0.05)
    }

    private var components: [Double]? {
        if case .rgb(let red, let green, let blue) = base { [red, green, blue] } else { nil }
    }

    private static func luminance(_ components: [Double]) -> Double {
        let linear = components.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
