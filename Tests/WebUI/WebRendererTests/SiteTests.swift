import Foundation
import SwiftUI
import TestKit
import Testing

@testable import WebRenderer

/// Pages, files, and access to sockets.
@Suite struct SiteTests {
    private func run(_ body: @escaping @Sendable (TestSite) async throws -> Void) async throws {
        try await TestSite.run({ _ in Text("hello") }, body: body)
    }

    @Test func pagesSetACookieAndForbidForeignResources() async throws {
        try await run { site in
            let reply = try await site.server.http.send("GET", "/apps/test/")
            #expect(reply.headers["referrer-policy"] == "same-origin")
            #expect(reply.status == 200)
            #expect(reply.text.contains("<title>Test &lt;&amp;&gt; &quot;app&quot;</title>"))
            let cookie = try #require(reply.headers["set-cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/"))
            #expect(reply.headers["content-security-policy"]?.hasPrefix("default-src 'none'; script-src 'self' 'sha256-") == true)
            #expect(reply.headers["cache-control"] == "no-store")
            #expect(!reply.text.contains("{{"))
        }
    }

    @Test func aKnownPhoneKeepsItsCookie() async throws {
        try await run { site async throws in
            let cookie = "switchboard-phone-\(site.port)=\(Secret.make())"
            let reply = try await site.server.http.send("GET", "/", headers: ["Cookie": "a=b; \(cookie)"])
            #expect(reply.headers["set-cookie"]?.hasPrefix(cookie + ";") == true)
            let broken = "switchboard-phone-\(site.port)=short"
            #expect(
                try await site.server.http.send("GET", "/", headers: ["Cookie": broken]).headers["set-cookie"]?.contains("=short")
                    == false)
        }
    }

    /// With TLS the cookie is never sent without it, and subdomains cannot set it.
    @Test func cookiesBehindTLSAreBoundToTheHost() async throws {
        try await run { site async throws in
            let headers = ["X-Forwarded-Proto": "https"]
            let set = try #require(try await site.server.http.send("GET", "/", headers: headers).headers["set-cookie"])
            #expect(set.hasPrefix("__Host-switchboard-phone-\(site.port)=") && set.hasSuffix("; Secure"))
            #expect(set.contains("; Path=/;") && !set.contains("Domain"))
            // Read by that name, and not by the name that others could have set.
            let cookie = String(set.prefix { $0 != ";" })
            let known = try await site.server.http.send("GET", "/", headers: headers.merging(["Cookie": cookie]) { $1 })
            #expect(known.headers["set-cookie"]?.hasPrefix(cookie) == true)
            let plain = String(cookie.dropFirst("__Host-".count))
            let other = try await site.server.http.send("GET", "/", headers: headers.merging(["Cookie": plain]) { $1 })
            #expect(other.headers["set-cookie"]?.hasPrefix(cookie) == false)
            // Without TLS a browser would not keep it.
            let open = try #require(try await site.server.http.send("GET", "/").headers["set-cookie"])
            #expect(open.hasPrefix("switchboard-phone-") && !open.contains("Secure"))
        }
    }

    @Test func anAppIsAFolder() async throws {
        try await run { site in
            let reply = try await site.server.http.send("GET", "/apps/test")
            #expect(reply.status == 308 && reply.headers["location"] == "/apps/test/")
        }
    }

    @Test func versionedFilesAreCachedPermanently() async throws {
        try await run { site async throws in
            let version = try await site.version
            let reply = try await site.server.http.send("GET", "/apps/static/\(version)/page.js")
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(reply.headers["cache-control"] == "public, max-age=31536000, immutable")
            for path in ["/apps/static/page.js", "/apps/static/\(version)0/page.js", "/apps/static/\(version)/page.html"] {
                #expect(try await site.server.http.send("GET", path).status == 404, "\(path)")
            }
        }
    }

    @Test func fontsOfAnAppAreNamedByTheirFiles() async throws {
        let folder = try TemporaryFolder()
        let font = folder.url.appending(path: "Pager LCD.woff2")
        try Data("not really a font".utf8).write(to: font)
        let plain = try await TestSite.run({ _ in Text("hello") }, body: { try await $0.version })
        try await TestSite.run(fonts: [font]) { _ in
            Text("hello")
        } body: { site async throws in
            let version = try await site.version
            #expect(version != plain)
            let fonts = "/apps/static/\(version)/test"
            #expect(try await site.server.http.send("GET", "/apps/test/").text.contains("href=\"\(fonts)/fonts.css\""))
            let sheet = try await site.server.http.send("GET", "\(fonts)/fonts.css")
            #expect(sheet.text == "@font-face{font-family:\"Pager LCD\";src:url(\"Pager%20LCD.woff2\")}\n")
            let file = try await site.server.http.send("GET", "\(fonts)/Pager%20LCD.woff2")
            #expect(file.text == "not really a font" && file.headers["content-type"] == "font/woff2")
            #expect(try await site.server.http.send("GET", "\(fonts)/other.woff2").status == 404)
            #expect(try await site.server.http.send("GET", "/apps/static/\(version)/nope/fonts.css").status == 404)
        }
    }

    @Test(arguments: [
        "/apps/static/nope.js", "/apps/static/../../Package.swift", "/apps/static/page.html", "/apps/static/%2e%2e%2fpage.js",
        "/apps/nope/", "/nope",
    ])
    func missingFilesAreNotFound(_ path: String) async throws {
        try await run { site async throws in #expect(try await site.server.http.send("GET", path).status == 404) }
    }

    @Test(arguments: [
        (["Origin": "http://evil.example"], 403), (["Origin": "null"], 403), (["Origin": ""], 403), (["Cookie": ""], 401),
        (["Cookie": "switchboard-phone-1=x"], 401),
    ])
    func aSocketIsForPagesOfThisBox(_ change: [String: String], _ status: Int) async throws {
        try await run { site in
            let usual = ["Cookie": "switchboard-phone-\(site.port)=\(Secret.make())", "Origin": "http://127.0.0.1:\(site.port)"]
            let refused = await #expect(throws: WebSocketProbe.Refused.self) {
                try await WebSocketProbe.open(port: site.port, "/apps/test/socket", headers: usual.merging(change) { $1 }) { _ in }
            }
            #expect(refused?.reply.status == status)
        }
    }
}
