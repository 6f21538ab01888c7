import Foundation
import Testing

@testable import SwiftUI

/// Texts: localization, formats, runs.
@MainActor
@Suite struct TextTests {
    /// A temporary bundle with tables of a few languages.
    final class Tables {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tables-\(UUID().uuidString)")
        let bundle: Bundle

        init(_ languages: [String: [String: String]], table: String = "Localizable") throws {
            for (language, texts) in languages {
                let place = folder.appendingPathComponent(language + ".lproj")
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                let lines = texts.map { "\"\($0.key)\" = \"\($0.value)\";" }.sorted().joined(separator: "\n")
                try Data("/* a comment */\n\(lines)\n".utf8).write(to: place.appendingPathComponent(table + ".strings"))
            }
            bundle = try #require(Bundle(path: folder.path))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private func shown(_ text: Text, _ languages: [String] = ["en"], locale: String = "en") -> String {
        let scene = SceneModel()
        scene.languages = languages
        scene.locale = Locale(identifier: locale)
        return ViewDriver(text, scene: scene).texts.joined()
    }

    /// Browsers name the languages, as many as they like.
    @Test func chosenTablesAreBounded() throws {
        let tables = try Tables(["en": ["hello": "Hello"], "ko": ["hello": "안녕"]])
        for number in 0..<StringTables.maximumChosenCount + 10 {
            let languages = ["ko-x\(number)"]
            for _ in 0..<2 {
                #expect(StringTables.text(for: "hello", table: "Localizable", bundle: tables.bundle, languages: languages) == "안녕")
            }
            #expect(StringTables.text(for: "bye", table: "Localizable", bundle: tables.bundle, languages: languages) == nil)
        }
        #expect((1...StringTables.maximumChosenCount).contains(StringTables.chosenCount))
    }

    @Test func textsUseTheUsersLanguage() throws {
        let tables = try Tables([
            "en": ["hello": "Hello"], "KO": ["hello": "안녕하세요"], "zh-Hans": ["hello": "你好"],
        ])
        let hello = Text("hello", bundle: tables.bundle)
        #expect(shown(hello) == "Hello")
        #expect(shown(hello, ["ko"]) == "안녕하세요")
        #expect(shown(hello, ["ko-KR", "en"]) == "안녕하세요")
        #expect(shown(hello, ["ko_KR"]) == "안녕하세요")
        #expect(shown(hello, ["zh-Hans-CN"]) == "你好")
        #expect(shown(hello, ["fr-FR", "ko-KR"]) == "안녕하세요")
        #expect(shown(hello, ["fr"]) == "Hello")
        #expect(shown(hello, []) == "Hello")
    }

    /// As on an iPhone: a kit's Chinese words do not appear on the screens of an app without Chinese.
    @Test(arguments: [
        (["zh-TW"], "Box en-TW"), (["zh-TW", "ko-KR"], "상자 ko-KR"), (["zh-Hant"], "Box en"), ([], "Box en"),
        (["en-GB", "ko"], "Box en-GB"),
    ])
    func allTextsAreInALanguageOfTheApp(_ preferred: [String], _ expected: String) throws {
        let app = try Tables(["en": ["box": "Box"], "ko": ["box": "상자"]])
        let kit = try Tables(["en": ["box": "Box"], "ko": ["box": "상자"], "zh-Hant": ["box": "箱"]])
        let scene = SceneModel()
        scene.setLanguages(preferred, of: app.bundle)
        let texts = VStack {
            Text("box", bundle: app.bundle)
            Text("box", bundle: kit.bundle)
        }
        let word = expected.prefix { $0 != " " }
        #expect(ViewDriver(texts, scene: scene).texts == [String(word), String(word)])
        #expect(scene.locale.identifier == expected.dropFirst(word.count + 1))
    }

    @Test(arguments: [
        ("zh-TW", "你好嗎"), ("zh-HK", "你好嗎"), ("zh-MO", "你好嗎"), ("zh_TW", "你好嗎"), ("zh-Hant", "你好嗎"),
        ("zh-Hant-TW", "你好嗎"), ("zh-hant-CN", "你好嗎"), ("zh-TW-u-ca-roc", "你好嗎"), ("zh-CN", "Hello"), ("zh", "Hello"),
        ("zh-Hans", "Hello"), ("zh-Hans-TW", "Hello"), ("zh-SG", "Hello"),
    ])
    func chineseTextsAreInTheScriptOfTheLanguage(_ language: String, _ text: String) throws {
        let tables = try Tables(["en": ["hello": "Hello"], "zh-Hant": ["hello": "你好嗎"]])
        #expect(shown(Text("hello", bundle: tables.bundle), [language]) == text)
        // The other script takes the same languages away, and no more.
        let both = try Tables(["en": ["hello": "Hello"], "zh-Hant": ["hello": "你好嗎"], "zh-Hans": ["hello": "Simplified"]])
        #expect(shown(Text("hello", bundle: both.bundle), [language]) == (text == "Hello" ? "Simplified" : text))
    }

    @Test func simplifiedChineseMayBeNamedWithoutItsScript() throws {
        let tables = try Tables(["en": ["hello": "Hello"], "zh": ["hello": "Simplified"]])
        let hello = Text("hello", bundle: tables.bundle)
        for language in ["zh", "zh-CN", "zh-Hans-CN"] { #expect(shown(hello, [language]) == "Simplified") }
        for language in ["zh-TW", "zh-Hant"] { #expect(shown(hello, [language]) == "Hello") }
        #expect(shown(hello, ["zh-TW", "zh"]) == "Simplified")
    }

    @Test func aMissingKeyIsShownAsText() throws {
        let tables = try Tables(["en": ["hello": "Hello", "only": "Only"], "ko": ["hello": "안녕"]])
        #expect(shown(Text("missing", bundle: tables.bundle)) == "missing")
        #expect(shown(Text("only", bundle: tables.bundle), ["ko"]) == "only")
        #expect(shown(Text("hello", tableName: "Other", bundle: tables.bundle)) == "hello")
        #expect(shown(Text("hello")) == "hello")
    }

    @Test func anotherTableCanBeNamed() throws {
        let tables = try Tables(["en": ["hello": "Howdy"]], table: "Greetings")
        #expect(shown(Text("hello", tableName: "Greetings", bundle: tables.bundle)) == "Howdy")
        #expect(shown(Text("hello", bundle: tables.bundle)) == "hello")
    }

    @Test func formatsAreFilled() throws {
        let tables = try Tables([
            "en": [
                "%@ sent %lld": "%@ has sent %lld messages", "%lld%% of %@": "%2$@: %1$lld%%", "ratio %lf": "%.2f to one",
                "pad %lld": "[%05lld]", "more %@": "%@ and %@ and 100%",
            ]
        ])
        let (name, count) = ("Ann", 3)
        #expect(shown(Text("\(name) sent \(count)", bundle: tables.bundle)) == "Ann has sent 3 messages")
        #expect(shown(Text("\(count)% of \(name)", bundle: tables.bundle)) == "Ann: 3%")
        #expect(shown(Text("ratio \(0.456)", bundle: tables.bundle)) == "0.46 to one")
        #expect(shown(Text("pad \(42)", bundle: tables.bundle)) == "[00042]")
        #expect(shown(Text("more \(name)", bundle: tables.bundle)) == "Ann and %@ and 100%")
    }

    @Test func keysWithoutATableAreFormatted() {
        #expect(shown(Text("\("a") \(1) \(2.5) 100%")) == "a 1 2.500000 100%")
        #expect(shown(Text("100% plain, 50%% too")) == "100% plain, 50%% too")
        #expect(
            shown(Text("\(UInt8(7)) \(Int32(-7)) \(Float(0.5), specifier: "%.1f") \(CGFloat(2), specifier: "%.0f")"))
                == "7 -7 0.5 2")
        #expect(shown(Text("\(0.25, format: .percent) off")) == "25% off")
    }

    @Test func numbersAreWrittenAsInTheReadersCountry() {
        #expect(shown(Text("\(1_234_567)")) == "1,234,567")
        #expect(shown(Text("\(1_234_567)"), locale: "de_DE") == "1.234.567")
        #expect(shown(Text(1234.5, format: .number), locale: "de_DE") == "1.234,5")
        #expect(shown(Text(verbatim: "\(1_234)")) == "1234")
    }

    @Test func aDateIsWrittenInThePhonesTimeZone() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)  // 22:13 UTC on 14 November 2023
        struct Root: View {
            let date: Date
            var body: some View {
                Text(date, style: .time)
                Text(date, format: .dateTime.hour().minute().locale(Locale(identifier: "ko")))
                Text("on \(date, format: .dateTime.year().month().day())")
                Text(date, format: fixed)
                Text(date, style: .date).environment(\.timeZone, .gmt)
            }
            private var fixed: Date.FormatStyle { Date.FormatStyle(date: .omitted, time: .shortened, timeZone: .gmt) }
        }
        let scene = SceneModel()
        scene.locale = Locale(identifier: "en_GB")
        scene.timeZone = try #require(TimeZone(identifier: "Asia/Seoul"))
        let screen = ViewDriver(Root(date: date), scene: scene)
        #expect(screen.texts == ["07:13", "07:13", "on 15 Nov 2023", "22:13", "14 November 2023"])
    }

    @Test func onlyLiteralsAreLocalized() throws {
        let tables = try Tables(["en": ["hello": "Hello"]])
        let text = "hello"
        #expect(shown(Text(text)) == "hello")
        #expect(shown(Text(verbatim: "50% %@ \(1)")) == "50% %@ 1")
        #expect(shown(Text(LocalizedStringKey(text), bundle: tables.bundle)) == "Hello")
        #expect(shown(Text("Apple".prefix(3))) == "App")
    }

    @Test func aNewLanguageUpdatesShownTexts() throws {
        struct Root: View {
            let bundle: Bundle
            let tally: Tally
            var body: some View {
                VStack {
                    Text("hello", bundle: bundle).navigationTitle(Text("hello", bundle: bundle))
                    Text("x").accessibilityLabel(Text("hello", bundle: bundle))
                    TextField("t", text: .constant(""), prompt: Text("hello", bundle: bundle))
                    Label {
                        Text("hello", bundle: bundle)
                    } icon: {
                        Image(systemName: "star")
                    }
                    Other(tally: tally)
                }
            }
        }
        struct Other: View {
            let tally: Tally
            var body: some View {
                let _ = tally.add("other")
                Text(verbatim: "other")
            }
        }
        let tables = try Tables(["en": ["hello": "Hello"], "ko": ["hello": "안녕"]])
        let tally = Tally()
        let scene = SceneModel()
        let screen = ViewDriver(NavigationStack { Root(bundle: tables.bundle, tally: tally) }, scene: scene)
        #expect(screen.title == "Hello")
        scene.languages = ["ko"]
        #expect(screen.title == "안녕")
        #expect(screen.texts == ["안녕", "x", "안녕", "other"])
        #expect(screen.all("안녕").contains { $0.attributes[.text] == "x" })
        #expect(screen.visible.contains { $0.attributes[.placeholder] == "안녕" })
        #expect(tally.log == ["other"])
    }

    @Test func innerLocalesSetTheLanguage() throws {
        let tables = try Tables(["en": ["hello": "Hello"], "ko": ["hello": "안녕"]])
        let screen = ViewDriver(
            VStack {
                Text("hello", bundle: tables.bundle)
                Text("hello", bundle: tables.bundle).environment(\.locale, Locale(identifier: "ko_KR"))
            })
        #expect(screen.texts == ["Hello", "안녕"])
    }

    // MARK: Appearance

    @Test func joinedTextsAreRunsWithTheirOwnLook() throws {
        let text = Text("a").bold() + (Text("b").foregroundStyle(.red) + Text("c")).italic()
        let screen = ViewDriver(text.font(.title))
        let runs = screen.visible.filter { $0.kind == .run }
        #expect(screen.texts == ["a", "b", "c"])
        #expect(try screen.find("abc").kind == .text)
        #expect(runs[0].style == [.font(.title.weight(.bold))])
        #expect(runs[1].style == [.font(.title.italic()), .foreground(.color(.red))])
        #expect(runs[2].style == [.font(.title.italic())])
    }

    @Test func fontsAddUpFromOutsideToInside() throws {
        let screen = ViewDriver(
            VStack {
                Text("plain")
                Text("own").font(.caption)
                Text("light").fontWeight(.light)
            }
            .bold()
            .font(.headline))
        #expect(try screen.find("plain").style == [.font(.headline.weight(.bold))])
        #expect(try screen.find("own").style == [.font(.caption.weight(.bold))])
        #expect(try screen.find("light").style == [.font(.headline.weight(.light))])
        #expect(ViewDriver(Text("bare")).visible.last?.style == [])
    }

    @Test func paragraphsReportAlignmentAndLimits() throws {
        let screen = ViewDriver(
            Text("a").underline().kerning(2)
                .lineLimit(3).multilineTextAlignment(.trailing).lineSpacing(4).textCase(.uppercase).textSelection(.enabled))
        let text = try screen.find("a")
        #expect(text.attributes[.lines] == .number(3))
        #expect(text.attributes[.select] == .on)
        for rule in [.underline, .kerning(2), .textAlignment(.trailing), .lineSpacing(4), .textCase(.uppercase)] as [StyleRule] {
            #expect(text.style.contains(rule))
        }
    }
}
