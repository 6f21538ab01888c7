import Foundation
import SwiftUI
import Testing

/// Texts in the language of the phone, from tables as an app brings them.
@MainActor
@Suite struct LocalizationTests {
    private final class Tables {
        let url = FileManager.default.temporaryDirectory.appending(path: "tables-\(UUID().uuidString).bundle")
        let bundle: Bundle

        init(_ tables: [String: String]) throws {
            for (folder, text) in tables {
                try FileManager.default.createDirectory(at: url.appending(path: folder), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url.appending(path: "\(folder)/Localizable.strings"))
            }
            bundle = try #require(Bundle(url: url))
        }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private func tables() throws -> Tables {
        try Tables([
            "en.lproj": #""Hello" = "Hello"; "%lld of %@" = "%lld of %@";"#,
            // Builds have been seen to change the case of folders.
            "KO.lproj": #"/* a comment */ "Hello" = "안녕"; "%lld of %@" = "%2$@ 중 %1$lld"; "100%%" = "백%%";"#,
        ])
    }

    @Test(arguments: [(["ko-KR"], "안녕"), (["fr", "ko"], "안녕"), (["en-GB"], "Hello"), (["fr"], "Hello"), ([], "Hello")])
    func theBestLanguageThatThereIsIsUsed(_ languages: [String], _ text: String) throws {
        let tables = try tables()
        let scene = SceneModel()
        scene.languages = languages
        #expect(ViewDriver(Text("Hello", bundle: tables.bundle), scene: scene).texts == [text])
    }

    @Test func valuesStandWhereTheLanguageWantsThem() throws {
        let tables = try tables()
        let scene = SceneModel()
        scene.languages = ["ko"]
        let screen = ViewDriver(Text("\(3) of \("%@ten%lld")", bundle: tables.bundle), scene: scene)
        #expect(screen.texts == ["%@ten%lld 중 3"])
        scene.languages = ["en"]
        #expect(screen.texts == ["3 of %@ten%lld"])
        #expect(ViewDriver(Text("100%", bundle: tables.bundle), scene: scene).texts == ["100%"])
    }

    @Test func whatIsNotInTheTableIsShownAsItIs() throws {
        let tables = try tables()
        #expect(ViewDriver(Text("Missing \(1) %", bundle: tables.bundle)).texts == ["Missing 1 %"])
        #expect(ViewDriver(Text(verbatim: "Hello %@")).texts == ["Hello %@"])
        let text = "a %@ b"
        #expect(ViewDriver(Text(text)).texts == ["a %@ b"])
    }

    @Test func partsOfATextHaveTheirOwnLook() throws {
        let screen = ViewDriver(Text("a").bold() + Text("b").foregroundStyle(.red) + Text("c"))
        let runs = screen.visible.filter { $0.kind == .run }
        #expect(runs.compactMap { $0.attributes[.text]?.text } == ["a", "b", "c"])
        #expect(runs[0].style == [.font(.body.weight(.bold))])
        #expect(runs[1].style == [.foreground(.color(.red))])
        #expect(runs[2].style == [])
    }
}
