import Foundation
import SwiftUI
import TalkCoWire
import TestKit
import Testing

/// The string tables of all languages match each other and the views.
@Suite struct StringsTests {
    private let words = AppWords("Sources/TalkCo/App")

    @Test func languagesHaveTheSameKeysAndPlaceholders() throws {
        try words.expectTheSameInEveryLanguage(["en", "zh-Hant"], moreThan: 100)
    }

    @Test func stringTableMatchesTheViews() throws {
        let literals = try words.sources().flatMap { source in
            source.matches(of: /\b(?:Text\(|localized:)\s*"((?:[^"\\\n]|\\.)*)"/).map { String($0.1) }
        }
        #expect(Set(literals.filter { !$0.isEmpty }).symmetricDifference(try words.keys()) == [])
    }

    @Test func symbolsOfAllTopicsAreDrawn() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let file = root.appending(path: "Sources/WebUI/WebRenderer/Resources/symbols.svg")
        let drawings = try String(contentsOf: file, encoding: .utf8)
        for topic in Topic.all {
            let symbol = try #require(topic.symbol)
            #expect(drawings.contains("<symbol id=\"\(symbol)\""))
        }
    }
}
