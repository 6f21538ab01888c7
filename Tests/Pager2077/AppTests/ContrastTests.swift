import Foundation
import SwiftUI
import Testing

@testable import Pager2077App

/// All text has a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3).
@Suite struct ContrastTests {
    private func contrast(_ color: Color, on ground: Color) throws -> Double { try #require(color.contrast(on: ground)) }

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
