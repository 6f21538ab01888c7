import SwiftUI
import Testing

@testable import gallery

/// Each symbol used has a drawing.
@Suite struct SymbolTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func drawings() throws -> Set<String> {
        Set(try text("Sources/WebUI/WebRenderer/Resources/symbols.svg").matches(of: /<symbol id="([^"]+)"/).map { String($0.1) })
    }

    /// The arguments of `systemName:` and `systemImage:` in the sources below `folder`, including ternaries.
    private static func used(in folder: String) throws -> Set<String> {
        let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        var names: Set<String> = []
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for use in source.matches(of: /(?:systemName|systemImage|symbol): ([^,)\n]+)/) {
                names.formUnion(use.1.matches(of: /"([^"]+)"/).map { String($0.1) })
            }
        }
        return names
    }

    @Test(arguments: [
        "Sources/WebUI/Gallery", "Sources/WebUI/SwiftUI", "Sources/Home", "Sources/switchboard", "Sources/SimBridge/App",
        "Sources/TalkCo/App",
    ])
    func everySymbolUsedHasADrawing(folder: String) throws {
        let missing = try Self.used(in: folder).subtracting(try Self.drawings()).sorted()
        #expect(missing.isEmpty, "no drawing of \(missing) in symbols.svg")
    }

    @Test func usesOfSymbolsAreFound() throws {
        #expect(try Self.used(in: "Sources/WebUI/Gallery").isSuperset(of: ["bell.fill", "heart", "heart.fill"]))
    }

    @Test func thePageOfSymbolsListsAllDrawings() throws {
        let drawings = try Self.drawings()
        #expect(drawings.subtracting(SymbolNames.all).sorted() == [], "drawn, but not in SymbolNames")
        #expect(Set(SymbolNames.all).subtracting(drawings).sorted() == [], "in SymbolNames, but not drawn")
    }
}
