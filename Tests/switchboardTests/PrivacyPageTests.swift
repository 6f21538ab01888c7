import Foundation
import TestKit
import Testing

@testable import switchboard

/// The page `/privacy`.
@Suite struct PrivacyPageTests {
    private static let facts = PrivacyPage.Facts(
        owner: "Ada", systems: Set(System.all.map(\.name)), hasBrowserApps: true, pagerDays: 701, historyDays: 802, talkDays: 903)

    @Test(arguments: [
        (nil, "", "en"), (nil, "de-DE,de;q=0.9", "en"), (nil, "ko-KR,ko;q=0.9,en;q=0.8", "ko"), (nil, "fr, zh-TW;q=0.8", "zh-Hant"),
        ("zh-Hant", "ko", "zh-Hant"), ("xx", "ko", "ko"), ("ko", "en", "ko"), (nil, ",;;=", "en"),
    ])
    func languageIsTheReadersOrTheChosenOne(_ chosen: String?, _ accepted: String, _ expected: String) {
        let page = PrivacyPage(Self.facts).page(chosen: chosen, accepted: accepted)
        #expect(page.language == expected && page.html.contains("<html lang=\"\(expected)\">"))
        for other in PrivacyPage.languages { #expect(page.html.contains("?language=\(other.code)") == (other.code != expected)) }
    }

    @Test func everyLanguageHasTheSameSections() {
        let shapes = PrivacyPage.languages.map { $0.sections(Self.facts).map(\.paragraphs.count) }
        #expect(Set(shapes).count == 1 && shapes[0].count >= 9)
        for language in PrivacyPage.languages {
            let text = language.sections(Self.facts).flatMap(\.paragraphs).joined(separator: " ")
            for value in ["Ada", "701", "802", "903"] { #expect(text.contains(value), "\(language.code): \(value)") }
        }
    }

    @Test func onlyServedSystemsAreNamed() {
        var facts = Self.facts
        (facts.systems, facts.hasBrowserApps) = (["simbridge"], false)
        let page = PrivacyPage(facts).page(chosen: "en", accepted: "").html
        #expect(page.contains("<h2>SimBridge</h2>"))
        for other in ["Pager2077", "TalkCo", "LocalLLM", "EndlessCode", "cookie"] { #expect(!page.contains(other), "\(other)") }
    }

    @Test func nameOfTheOperatorIsText() {
        var facts = Self.facts
        facts.owner = #"<script>alert("x")</script> & Co"#
        let page = PrivacyPage(facts).page(chosen: "en", accepted: "").html
        #expect(page.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; Co") && !page.contains("<script"))
        facts.owner = nil
        #expect(PrivacyPage(facts).page(chosen: "en", accepted: "").html.contains("has not entered a name"))
    }

    /// The program itself: the settings reach the page, at each of its addresses.
    @Test func boxServesThePage() async throws {
        let folder = try TemporaryFolder()
        let program = try await Program(
            "switchboard", ["serve", "--data", folder.file("data"), "--port", "0"],
            environment: ["SWITCHBOARD_OPERATOR": "Ada, ada@box.example", "SIMBRIDGE_LOG_RETENTION_DAYS": "17"])
        let line = try #require(try await program.line())
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        let http = HTTPProbe(port: port)
        for path in ["/privacy", "/pager2077/privacy", "/simbridge/privacy", "/talkco/privacy"] {
            let reply = try await http.send("GET", path, headers: ["Accept-Language": "en"])
            #expect(reply.status == 200, "\(path)")
            #expect(reply.text.contains("Ada, ada@box.example") && reply.text.contains("for 17 days at most"), "\(path)")
            #expect(reply.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        }
        program.send(SIGTERM)
        _ = try await program.end()
    }
}
