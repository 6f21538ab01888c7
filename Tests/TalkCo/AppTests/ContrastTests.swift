import SwiftUI
import TalkCoWire
import Testing

@testable import TalkCoApp

/// The colours of issue types have enough contrast (WCAG 2.2, 1.4.3 and 1.4.11).
@Suite struct ContrastTests {
    private func luminance(_ color: Color) throws -> Double {
        guard case .rgb(let red, let green, let blue) = color.base else {
            Issue.record("\(color) has no fixed light")
            return 0
        }
        let linear = [red, green, blue].map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    private func contrast(_ one: Color, _ other: Color) throws -> Double {
        let pair = [try luminance(one), try luminance(other)].sorted()
        return (pair[1] + 0.05) / (pair[0] + 0.05)
    }

    @Test(arguments: ColorScheme.allCases) func badgesAndBarsStandOut(_ scheme: ColorScheme) throws {
        let card = scheme == .dark ? Color(red: 0.145, green: 0.125, blue: 0.129) : Color(red: 0.949, green: 0.929, blue: 0.914)
        for type in IssueType.allCases + [nil] {
            let colors = IssueColors(type, scheme)
            #expect(try contrast(colors.text, colors.fill) >= 4.5)
            #expect(try contrast(colors.text, card) >= 4.5)
            #expect(try contrast(colors.strong, card) >= 3)
        }
    }
}
