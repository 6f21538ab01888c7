import Foundation
import SwiftUI
import Testing

@testable import Pager2077App

/// All text has a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3).
@Suite struct ContrastTests {
    private typealias Light = [Double]

    private func light(_ color: Color, on ground: Light = [0, 0, 0]) throws -> Light {
        guard case .rgb(let red, let green, let blue) = color.base else {
            Issue.record("\(color) has no fixed light")
            return ground
        }
        return zip([red, green, blue], ground).map { $0 * color.alpha + $1 * (1 - color.alpha) }
    }

    private func luminance(_ light: Light) -> Double {
        let linear = light.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    private func contrast(_ color: Color, on ground: Color) throws -> Double {
        let ground = try light(ground)
        let pair = [luminance(ground), luminance(try light(color, on: ground))].sorted()
        return (pair[1] + 0.05) / (pair[0] + 0.05)
    }

    @Test(arguments: ColorScheme.allCases) func displayHasEnoughContrast(_ scheme: ColorScheme) throws {
        for glass in LCD.glass(scheme) {
            #expect(try contrast(LCD.ink, on: glass) >= 4.5)
            #expect(try contrast(LCD.faint, on: glass) >= 4.5)
        }
        #expect(try contrast(LCD.lit, on: LCD.ink) >= 4.5)
    }

    @Test func keysHaveEnoughContrast() throws {
        for key in [Keypad.callColor, Keypad.endColor, Keypad.keyColor] { #expect(try contrast(.white, on: key) >= 4.5) }
        for opacity in [Keypad.lettersOpacity, Keypad.arrowOpacity] {
            #expect(try contrast(.white.opacity(opacity), on: Keypad.keyColor) >= 4.5)
        }
    }
}
