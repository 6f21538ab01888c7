import SwiftUI
import TalkCoWire
import Testing

@testable import TalkCoApp

/// The colours of issue types have enough contrast (WCAG 2.2, 1.4.3 and 1.4.11).
@Suite struct ContrastTests {
    @Test(arguments: ColorScheme.allCases) func badgesAndBarsStandOut(_ scheme: ColorScheme) throws {
        let card = scheme == .dark ? Color(red: 0.145, green: 0.125, blue: 0.129) : Color(red: 0.949, green: 0.929, blue: 0.914)
        for type in IssueType.allCases + [nil] {
            let colors = IssueColors(type, scheme)
            #expect(try #require(colors.text.contrast(on: colors.fill)) >= 4.5)
            #expect(try #require(colors.text.contrast(on: card)) >= 4.5)
            #expect(try #require(colors.strong.contrast(on: card)) >= 3)
        }
    }
}
