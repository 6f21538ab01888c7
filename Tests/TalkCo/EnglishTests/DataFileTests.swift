import Foundation
import Testing

@testable import TalkCoEnglish

/// Returns the text of a data file in the sources.
private func resource(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(
        contentsOf: folder.appendingPathComponent("../../../Sources/TalkCo/English/Resources/\(name)"), encoding: .utf8)
}

@Suite struct EditTableTests {
    @Test func everyKindHasAnEntry() {
        for kind in Edit.Kind.allCases where kind != .rule {
            let entry = EditTable.standard.entry(kind)
            #expect(entry?.rule.contains(".") == true, "\(kind)")
            #expect(entry?.explanation.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) } == true, "\(kind)")
        }
        for rule in EditTable.standard.strictRules.union(EditTable.standard.exemptRules.keys) {
            #expect(RuleSet.standard.all.contains { $0.name == rule || $0.name.hasPrefix(rule + ".") }, "\(rule)")
        }
    }

    @Test(arguments: [
        "", "{}", "[]",
        #"{"kinds":{},"exempt":{},"strict":[],"prepositions":[],"prefixes":[],"endings":[],"takesGerund":[],"deletions":[],"groups":[],"insertions":[]}"#,
        #"{"kinds":{"nonsense":{"rule":"a.b","type":"grammar","cost":0,"least":{},"explanation":"x"}},"exempt":{},"strict":[],"prepositions":[],"prefixes":[],"endings":[],"takesGerund":[],"deletions":[],"groups":[],"insertions":[]}"#,
    ]) func damagedTablesAreRefused(_ text: String) {
        #expect(throws: (any Error).self) { try EditTable(Data(text.utf8)) }
    }

    @Test(arguments: [
        (#""mends""#, #""nonsense""#), (#""kind": "family""#, #""kind": "nonsense""#), (#""takesGerund""#, #""takesNothing""#),
        (#""rule": "article.missing""#, #""rule": "article""#),
    ]) func damagedPartsOfTheTableAreRefused(_ part: String, _ damage: String) throws {
        let text = try resource("edits.json")
        #expect(throws: Never.self) { try EditTable(Data(text.utf8)) }
        #expect(throws: (any Error).self) { try EditTable(Data(text.replacing(part, with: damage).utf8)) }
    }
}

@Suite struct RuleTableTests {
    @Test func everyRuleHasAnExplanationAndEveryExplanationARule() {
        let table = RuleTable.standard
        #expect(table.patterns.count > 400)
        for rule in RuleSet.standard.all {
            #expect(rule.name.contains("."))
            let texts = [rule.explanation.text] + (rule.explanation.forms?.values ?? [:].values)
            for text in texts { #expect(text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }, "\(rule.name)") }
        }
        let inCode = RuleSet.standard.all.dropFirst(table.patterns.count).map(\.name)
        #expect(Set(inCode) == Set(table.explanations.keys))
    }

    @Test(arguments: [
        (#""article.missing-rest""#, #""article""#), (#""type": "vocabulary""#, #""type": "nonsense""#),
        (#""replacement": "turn@1 up the volume""#, #""replacement": "turn@4 up the volume""#), (#""explanations""#, #""texts""#),
        ("<BE> [same", "<BEE> [same"),
    ]) func damagedTablesAreRefused(_ part: String, _ damage: String) throws {
        let text = try resource("rules.json")
        #expect(throws: Never.self) { try RuleTable(Data(text.utf8)) }
        #expect(text.contains(part))
        #expect(throws: (any Error).self) { try RuleTable(Data(text.replacing(part, with: damage).utf8)) }
    }
}

@Suite struct WordListsTests {
    @Test func listsAreRead() {
        #expect(WordLists.standard.verbs.irregular.flatMap(\.forms).contains(["go", "went", "gone"]))
        #expect(Lexicon.standard.entries.count > 7000)
        #expect(Lexicon.standard.plural("child") == "children" && Lexicon.standard.comparative("good") == "better")
    }

    @Test(arguments: [
        ("\"band\": 1", "\"band\": 9"), ("go went gone", "go went"), ("\"determiner\"", "\"nonsense\""), ("\"verbs\"", "\"words\""),
        ("\"worse\", ", ""),
    ]) func damagedListsAreRefused(_ part: String, _ damage: String) throws {
        let text = try resource("lexicon.json")
        #expect(throws: (any Error).self) { try WordLists(Data(text.replacing(part, with: damage).utf8)) }
    }
}
