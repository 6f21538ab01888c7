import SwiftUI
import Testing

@testable import gallery

@Suite struct SymbolTests {
    @Test func thePageOfSymbolsListsAllDrawings() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../Sources/WebUI/WebRenderer/Resources/symbols.svg")
            .standardized
        let drawings = Set(
            try String(contentsOf: file, encoding: .utf8).matches(of: /<symbol id="([^"]+)"/).map { String($0.1) })
        #expect(drawings.subtracting(SymbolNames.all).sorted() == [], "drawn, but not in SymbolNames")
        #expect(Set(SymbolNames.all).subtracting(drawings).sorted() == [], "in SymbolNames, but not drawn")
    }
}
