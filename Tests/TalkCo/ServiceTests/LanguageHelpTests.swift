import Foundation
import HTTPTypes
import ServerKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The meanings of words, and translations.
@Suite struct LanguageHelpTests {
    private static let dictionary = WordDictionary(
        """
        # CC-CEDICT
        書 书 [shu1] /abbr. for 書經|书经[Shu1 jing1]/book/letter/document/
        書籍 书籍 [shu1 ji2] /books/works/
        去 去 [qu4] /to go/to go to (a place)/(of a time etc) last/
        停止 停止 [ting2 zhi3] /to stop; to halt; to cease/
        大 大 [da4] /big; large; great/
        卡拉OK 卡拉OK [ka3 la1 O K] /karaoke (loanword)/
        broken line
        沒有 没有 [mei2 you3]
        """)

    @Test(
        arguments: [
            ("book", "書"), ("Book,", "書"), ("books", "書籍"), ("went", "去"), ("going", "去"), ("stopped", "停止"), ("halt", "停止"),
            ("biggest", "大"), ("karaoke", nil), ("", nil), ("…", nil), ("zzz", nil),
        ] as [(String, String?)]) func wordIsFoundInEveryForm(_ word: String, _ meaning: String?)
    {
        #expect(Self.dictionary.meaning(of: word) == meaning)
    }

    @Test func unusableFileIsNamed() throws {
        let folder = try TemporaryFolder()
        for (name, data) in [("packed.gz", Data([0x1f, 0x8b, 8, 0])), ("empty", Data())] {
            let file = folder.url.appending(path: name)
            try data.write(to: file)
            let error = #expect(throws: StartupError.self) { try WordDictionary(contentsOf: file) }
            #expect("\(error!)".contains(name) && "\(error!)".contains("CC-CEDICT"))
        }
        let error = #expect(throws: StartupError.self) { try WordDictionary(contentsOf: folder.url.appending(path: "absent")) }
        #expect("\(error!)".contains("absent"))
    }

    @Test func dictionaryNeedsNoModel() async throws {
        let help = EngineHelp(dictionary: Self.dictionary)
        #expect(help.explains && !help.translates && !EngineHelp().explains)
        #expect(try await help.meaning(of: "went", in: "I went home.") == "去")
        #expect(try await help.meaning(of: "zzz", in: nil) == nil)
        #expect(try await help.translation(of: "a") == nil)
    }

    private func post(_ backend: TestBackend, _ path: String, _ body: String) async throws -> ServiceReply {
        try await backend.call(.post, path, body: body)
    }

    @Test func serviceWithoutHelpSaysSo() async throws {
        let backend = try await TestBackend()
        expect(try await post(backend, "/meaning", #"{"word":"go"}"#), 501, "This service knows no meanings of words")
        expect(try await post(backend, "/translation", #"{"text":"go"}"#), 501, "This service does not translate")
        let engine = try await backend.call(.get, "/engine").text
        #expect(!engine.contains("explains") && !engine.contains("translates"))
    }

    @Test func wordsAreExplainedAndOddOnesRefused() async throws {
        let backend = try await TestBackend(help: EngineHelp(dictionary: Self.dictionary))
        let engine = try await backend.call(.get, "/engine").value(EngineInfo.self)
        #expect(engine.explains == true && engine.translates == nil)
        let reply = try await post(backend, "/meaning", #"{"word":" went ","sentence":"I went home."}"#)
        #expect(try reply.value(Meaning.self) == Meaning(word: "went", meaning: "去"))
        expect(try await post(backend, "/meaning", #"{"word":"zzz"}"#), 404, "No meaning was found")
        let long = String(repeating: "x", count: 61)
        for body in ["", "{}", "[]", #"{"word":""}"#, #"{"word":4}"#, #"{"word":"\#(long)"}"#] {
            expect(try await post(backend, "/meaning", body), 422)
        }
        expect(try await post(backend, "/translation", #"{"text":"go"}"#), 501)
        expect(try await backend.call(.get, "/meaning"), 405)
    }
}
