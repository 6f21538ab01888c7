import Foundation
import ServerKit
import SwiftUI
import TestKit
import Testing

@testable import WebRenderer

/// The access code of a box that other machines can reach.
@Suite struct AccessTests {
    private func run(_ body: @escaping @Sendable (TestSite, AccessCode) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let code = try AccessCode.stored(in: folder.url.appending(path: "code"))
        try await TestSite.run(accessCode: code) { _ in
            Text("hello")
        } body: {
            try await body($0, code)
        }
    }

    /// Runs a box on this machine that does not ask its own browsers for the code.
    private func runLocally(_ body: @escaping @Sendable (ServerUnderTest) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let code = try AccessCode.stored(in: folder.url.appending(path: "code"))
        let sessions = Sessions(folder: folder.url.appending(path: "phones"), key: .random(), logger: .quiet)
        let front = try WebSite.build(
            apps: [.home(title: "Home") { _ in Text("home") }], sessions: sessions, accessCode: code, asksEverybody: false)
        try await ServerUnderTest.run([], isAlone: false, front: front, body)
    }

    private func answer(_ site: TestSite, _ form: String, origin: String? = nil) async throws -> HTTPProbe.Reply {
        try await site.server.http.send(
            "POST", "/access", headers: ["Origin": origin ?? "http://127.0.0.1:\(site.port)"], body: Data(form.utf8))
    }

    @Test func theCodeIsGeneratedOnceAndStored() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "code")
        let code = try AccessCode.stored(in: file)
        #expect(code.shown.wholeMatch(of: /[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}/) != nil)
        #expect(try AccessCode.stored(in: file).shown == code.shown)
        #expect(code.matches(code.shown.lowercased().replacing("-", with: "  ")))
        #expect(code.matches("\u{200e}" + code.shown.replacing("-", with: "–\u{200b}")))
        #expect(!code.matches("") && !code.matches(code.shown + "A"))
        try "short".write(to: file, atomically: true, encoding: .utf8)
        #expect(throws: StartupError.self) { try AccessCode.stored(in: file) }
    }

    @Test(arguments: [
        ("ko-KR,ko;q=0.9,en;q=0.8", "접속 코드"), ("fr, en;q=0.5, ko;q=0.7", "접속 코드"), ("en,ko", "Access code"),
        ("ko;q=0", "Access code"), ("zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7", "存取碼"), ("zh-HK", "存取碼"), ("zh-Hant-TW", "存取碼"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "Access code"), ("zh-CN, ko;q=0.5", "접속 코드"),
        ("de", "Access code"), (";;q=x,,", "Access code"), ("*", "Access code"),
    ])
    func theCodePromptUsesTheBrowsersLanguage(_ languages: String, _ word: String) async throws {
        try await run { site, _ async throws in
            let reply = try await site.server.http.send("GET", "/apps/test/", headers: ["Accept-Language": languages])
            #expect(reply.text.contains(">\(word)</label>") && !reply.text.contains("{{"))
            let index = try #require(["Access code", "접속 코드", "存取碼"].firstIndex(of: word))
            #expect(reply.text.contains("<html lang=\"\(["en", "ko", "zh-Hant"][index])\">"))
            let wrong = try await site.server.http.send(
                "POST", "/access", headers: ["Origin": "http://127.0.0.1:\(site.port)", "Accept-Language": languages],
                body: Data("code=WRONG".utf8))
            #expect(
                wrong.text.contains(
                    ["That is not the access code of this box.", "이 서버의 접속 코드가 아닙니다.", "這不是這台伺服器的存取碼。"][index]))
            let missing = try await site.server.http.send("GET", "/apps/none/", headers: ["Accept-Language": languages])
            #expect(missing.status == 404)
            #expect(missing.text == ["There is no such page\n", "페이지가 없습니다.\n", "找不到頁面。\n"][index])
        }
    }

    @Test func requestsWithoutTheCodeAreRefused() async throws {
        try await run { site, _ async throws in
            let own = ["Cookie": "switchboard-phone-\(site.port)=\(Secret.make())"]
            for headers in [[:], own] {
                let reply = try await site.server.http.send("GET", "/apps/test/", headers: headers)
                #expect(reply.status == 401 && reply.text.contains("name=\"next\" value=\"/apps/test/\""))
                #expect(reply.headers["set-cookie"] == nil)
            }
            await #expect(throws: WebSocketProbe.Refused.self) { try await site.page { _ in } }
            #expect(try await answer(site, "code=WRONG-CODES&next=/").status == 401)
        }
    }

    @Test func theCodeMakesABrowserAPhone() async throws {
        try await run { site, code async throws in
            let reply = try await answer(site, "code=\(code.shown.lowercased())&next=%2Fapps%2Ftest%2F")
            #expect(reply.status == 303 && reply.headers["location"] == "/apps/test/")
            let cookie = try #require(reply.headers["set-cookie"]?.prefix { $0 != ";" })
            #expect(try await site.server.http.send("GET", "/apps/test/", headers: ["Cookie": String(cookie)]).status == 200)
            let secret = String(cookie.drop { $0 != "=" }.dropFirst())
            try await site.page(cookie: secret) { page in #expect(await page.texts == ["hello"]) }
            await site.sessions.forget(secret: secret)
            #expect(try await site.server.http.send("GET", "/apps/test/", headers: ["Cookie": String(cookie)]).status == 401)
            // A recreated folder admits no phone.
            let folder = site.folder.appending(path: Phones.identity(of: secret))
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(await !site.sessions.isAdmitted(secret))
        }
    }

    @Test func localBrowsersNeedNoCodeOnALocalBox() async throws {
        try await runLocally { server async throws in
            for (host, status) in [("localhost:\(server.port)", 200), ("[::1]:1", 200), ("203.0.113.7", 401), ("10.0.0.2:80", 401)]
            {
                var http = server.http
                http.authority = host
                #expect(try await http.send("GET", "/").status == status, "\(host)")
            }
            // Nor are requests through a proxy that addresses the box as localhost.
            var http = server.http
            http.authority = "localhost:\(server.port)"
            for header in ["X-Forwarded-For", "Forwarded", "via", "X-Forwarded-Proto"] {
                #expect(try await http.send("GET", "/", headers: [header: "203.0.113.7"]).status == 401, "\(header)")
            }
        }
    }

    // MARK: The scanned link

    private func form(_ site: TestSite, _ cookie: String = "") async throws -> HTTPProbe.Reply {
        try await site.server.http.send("GET", "/access", headers: cookie.isEmpty ? [:] : ["Cookie": cookie])
    }

    /// The fragment of the link never leaves the browser: see the test in a browser.
    @Test func scannedLinkLeadsToTheForm() async throws {
        try await run { site, code async throws in
            #expect(code.link(below: "http://192.0.2.7:8077") == "http://192.0.2.7:8077/access#code=\(code.shown)")
            let reply = try await form(site)
            #expect(reply.status == 200 && reply.text.contains("data-open=\"\""))
            #expect(reply.text.contains("access-code.secret"))
            #expect(reply.headers["set-cookie"] == nil && reply.headers["referrer-policy"] == "same-origin")
            #expect(reply.headers["content-security-policy"]?.contains("script-src 'self' 'sha256-") == true)
        }
    }

    @Test func phoneThatScansOnceMoreStaysTheSame() async throws {
        try await run { site, code async throws in
            let first = try await answer(site, "code=\(code.shown)")
            let cookie = String(try #require(first.headers["set-cookie"]?.prefix { $0 != ";" }))
            #expect(try await form(site, cookie).text.contains("data-open=\"yes\""))
            for _ in 0..<20 {
                let again = try await site.server.http.send(
                    "POST", "/access", headers: ["Origin": "http://127.0.0.1:\(site.port)", "Cookie": cookie],
                    body: Data("code=wrong&next=/apps/test/".utf8))
                #expect(again.status == 303 && again.headers["location"] == "/apps/test/")
                #expect(again.headers["set-cookie"] == nil)
            }
            // Nor do its attempts count.
            #expect(try await answer(site, "code=\(code.shown)").status == 303)
        }
    }

    @Test func localBrowserIsSentHomeWithoutACode() async throws {
        try await runLocally { server async throws in
            var http = server.http
            http.authority = "localhost:\(server.port)"
            #expect(try await http.send("GET", "/access").text.contains("data-open=\"yes\""))
            http.authority = "192.0.2.7:\(server.port)"
            #expect(try await http.send("GET", "/access").text.contains("data-open=\"\""))
        }
    }

    @Test(arguments: ["//evil.example/", "http://evil.example", "/apps/../x", "", "javascript:alert(1)"])
    func theEntranceRedirectsToItsOwnBoxOnly(_ next: String) async throws {
        try await run { site, code async throws in
            let next = next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            #expect(try await answer(site, "code=\(code.shown)&next=\(next)").headers["location"] == "/")
        }
    }

    @Test func guessesAreLimited() async throws {
        try await run { site, code async throws in
            for _ in 0..<10 { #expect(try await answer(site, "code=x").status == 401) }
            #expect(try await answer(site, "code=\(code.shown)").status == 429)
        }
    }

    @Test func theFormIsForPagesOfThisBox() async throws {
        try await run { site, code async throws in
            for origin in ["http://evil.example", "https://127.0.0.1:\(site.port)", "null"] {
                #expect(try await answer(site, "code=\(code.shown)", origin: origin).status == 403, "\(origin)")
            }
            #expect(try await answer(site, "code=" + String(repeating: "x", count: 5000)).status == 413)
        }
    }
}
