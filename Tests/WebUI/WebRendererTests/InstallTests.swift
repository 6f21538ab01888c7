import Crypto
import Foundation
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// Web app manifests, icons, versioned files, and the service worker.
@Suite struct InstallTests {
    private func run(_ body: @escaping @Sendable (TestSite) async throws -> Void) async throws {
        try await TestSite.run({ _ in Text("hello") }, body: body)
    }

    @Test(arguments: [("/", "Home"), ("/apps/test/", #"Test <&> "app""#)])
    func eachAppHasAManifestOfItsOwn(_ folder: String, _ title: String) async throws {
        try await run { site async throws in
            let page = try await site.server.http.send("GET", folder).text
            #expect(page.contains("<link rel=\"manifest\" href=\"\(folder)manifest.webmanifest\">"))
            #expect(page.contains("<link rel=\"apple-touch-icon\" href=\"\(folder)touch-180.png\">"))
            let reply = try await site.server.http.send("GET", "\(folder)manifest.webmanifest")
            #expect(reply.status == 200 && reply.headers["content-type"] == "application/manifest+json")
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let manifest = try decoder.decode(Manifest.self, from: reply.body)
            #expect(manifest.name == title && manifest.shortName == title && manifest.display == "standalone")
            #expect([manifest.id, manifest.scope, manifest.startUrl] == [folder, folder, folder])
            #expect(manifest.themeColor.wholeMatch(of: /#[0-9a-f]{6}/) != nil && manifest.backgroundColor == manifest.themeColor)
            #expect(
                Set(manifest.icons.map { "\($0.sizes) \($0.purpose)" })
                    == ["192x192 any", "512x512 any", "512x512 maskable", "any any"])
            for icon in manifest.icons {
                let file = try await site.server.http.send("GET", icon.src)
                #expect(file.status == 200 && file.headers["content-type"] == icon.type)
            }
        }
    }

    @Test func pagesShowTheAppsColourAndIconFirst() async throws {
        let launch = LaunchColors(light: 0xfffbfe, dark: 0x1c1b1f)
        try await TestSite.run(launch: launch) { _ in
            Text("hello")
        } body: { site in
            let reply = try await site.server.http.send("GET", "/apps/test/")
            let style = try #require(reply.text.firstMatch(of: /<style>((?s:.*?))<\/style>/)?.1)
            #expect(
                style.contains("--launch: #fffbfe; --status: #000000;") && style.contains("--launch: #1c1b1f; --status: #ffffff;"))
            #expect(reply.text.contains("<meta name=\"theme-color\" content=\"#1c1b1f\" media=\"(prefers-color-scheme: dark)\">"))
            // Above the style sheet, whose link delays the rendering of everything below.
            let mark = try #require(reply.text.range(of: "<img src=\"/apps/test/icon.svg\""))
            let sheet = try #require(reply.text.range(of: "rel=\"stylesheet\""))
            #expect(mark.lowerBound < sheet.lowerBound)
            let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
            #expect(reply.headers["content-security-policy"]?.contains("style-src 'self' 'sha256-\(hash)';") == true)
            let manifest = try await site.server.http.send("GET", "/apps/test/manifest.webmanifest").text
            #expect(manifest.contains(##""background_color":"#fffbfe""##))
            let korean = try await site.server.http.send("GET", "/", headers: ["Accept-Language": "ko"]).text
            #expect(korean.contains("<noscript>이 페이지를 보려면 JavaScript를 켜세요.</noscript>") && !korean.contains("{{"))
        }
    }

    @Test(arguments: [
        (0xffffff, "#000000"), (0x000000, "#ffffff"), (0x333333, "#ffffff"), (0xdbedff, "#000000"), (0x1564b0, "#ffffff"),
        (0x767676, "#000000"), (0x707070, "#ffffff"),
    ])
    func theStatusBarContrastsWithTheColour(_ color: Int, _ ink: String) { #expect(LaunchColors.ink(on: color) == ink) }

    private struct Manifest: Decodable {
        struct Icon: Decodable {
            var src: String
            var sizes: String
            var type: String
            var purpose: String
        }
        var id: String
        var name: String
        var shortName: String
        var startUrl: String
        var scope: String
        var display: String
        var themeColor: String
        var backgroundColor: String
        var icons: [Icon]
    }

    @Test(arguments: [("icon-192.png", 192), ("icon-512.png", 512), ("mask-512.png", 512), ("touch-180.png", 180)])
    func iconsArePicturesOfTheirSize(_ name: String, _ side: Int) async throws {
        try await run { site async throws in
            let reply = try await site.server.http.send("GET", "/apps/test/\(name)")
            // The signature, length and name of the first chunk, width and height.
            let number = [0, 0, UInt8(side >> 8), UInt8(side & 255)]
            let start = [0x89] + Array("PNG\r\n\u{1a}\n\0\0\0\rIHDR".utf8) + number + number
            #expect(Array(reply.body.prefix(start.count)) == start)
            #expect(reply.body.count < 65_536)
        }
    }

    @Test func unchangedIconsAreCached() async throws {
        try await run { site in
            let reply = try await site.server.http.send("GET", "/icon-192.png")
            #expect(reply.headers["cache-control"] == "no-cache")
            let tag = try #require(reply.headers["etag"])
            let again = try await site.server.http.send("GET", "/icon-192.png", headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.body.isEmpty)
        }
    }

    /// The pictures are committed: an app without a drawing of its own shares one.
    @Test func appsWithoutAnIconShareOne() throws {
        let names = ["home", "pager2077", "simbridge", "without"]
        #expect(try AppIcon(app: "without").file("icon-512.png").tag == AppIcon(app: "other").file("icon-512.png").tag)
        // The tag of a file is its hash.
        for file in AppIcon.fileNames { #expect(Set(try names.map { try AppIcon(app: $0).file(file).tag }).count == names.count) }
    }

    @Test func theServiceWorkerContainsVersionAndPages() async throws {
        try await run { site async throws in
            let reply = try await site.server.http.send("GET", "/service-worker.js")
            #expect(reply.status == 200 && reply.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(reply.headers["cache-control"] == "no-cache")
            let facts =
                #"const box = {"pages":{"/":"Home","/apps/test/":"Test <&> \"app\""},"version":"\#(try await site.version)"};"#
            #expect(reply.text.hasPrefix(facts + "\n"))
        }
    }

    @Test func theOfflineNoticeCreatesNoPhone() async throws {
        try await run { site async throws in
            let reply = try await site.server.http.send("GET", "/apps/static/\(try await site.version)/offline.html")
            #expect(reply.status == 200 && reply.text.contains("Switchboard cannot be reached") && !reply.text.contains("{{"))
            #expect(reply.headers["content-security-policy"]?.contains("worker-src 'self'") == true)
            #expect(reply.headers["set-cookie"] == nil)
        }
    }

    @Test func outdatedPagesReload() async throws {
        try await run { site async throws in
            let headers = ["Cookie": "switchboard-phone-\(site.port)=\(Secret.make())", "Origin": "http://127.0.0.1:\(site.port)"]
            let first = try await WebSocketProbe.open(port: site.port, "/apps/test/socket?version=1", headers: headers) {
                try await $0.receive()
            }
            #expect(first.text == #"{"gone":"outdated"}"#)
            let version = try await site.version
            try await WebSocketProbe.open(port: site.port, "/apps/test/socket?version=\(version)", headers: headers) { socket in
                try await socket.send(.text(#"{"hello":{"document":"doc"}}"#))
                #expect(try await socket.receive().text.contains(#""root":"#))
            }
        }
    }
}
