import TalkCoService

/// A dictionary of one word, with or without translations.
package struct ScriptedHelp: LanguageHelp {
    package let explains: Bool
    package let translates: Bool

    package init(explains: Bool = true, translates: Bool = true) {
        (self.explains, self.translates) = (explains, translates)
    }

    package func meaning(of word: String, in sentence: String?) async throws -> String? { word == "today" ? "今天" : nil }
    package func translation(of text: String) async throws -> String? { "你好！你今天做了什麼？" }
}
