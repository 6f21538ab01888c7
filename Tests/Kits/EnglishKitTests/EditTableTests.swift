import Foundation
import Testing

@testable import EnglishKit

@Suite struct EditTableTests {
    @Test func everyKindHasAnEntry() {
        for kind in Edit.Kind.allCases where kind != .rule {
            let entry = EditTable.standard.entry(kind)
            #expect(entry?.rule.contains(".") == true, "\(kind)")
            #expect(entry?.explanation.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) } == true, "\(kind)")
        }
        for rule in EditTable.standard.exemptRules.keys { #expect(RuleSet.standard.all.contains { $0.name == rule }, "\(rule)") }
    }

    @Test(arguments: [
        "", "{}", "[]",
        #"{"kinds":{},"margins":{"unparsed":1,"cheaper":1},"exempt":{},"prepositions":[],"groups":[],"insertions":[]}"#,
        #"{"kinds":{"nonsense":{"rule":"a.b","type":"grammar","cost":0,"least":0,"explanation":"x"}},"margins":{},"exempt":{},"prepositions":[],"groups":[],"insertions":[]}"#,
    ]) func damagedTablesAreRefused(_ text: String) {
        #expect(throws: (any Error).self) { try EditTable(Data(text.utf8)) }
    }
}
