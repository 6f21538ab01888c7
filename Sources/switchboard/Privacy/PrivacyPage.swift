import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit

/// The page `/privacy`: the data that this box stores about its users, their retention, and the operator.
///
/// The page names the systems that this process serves, with the retention in its settings. Its language is the one that the
/// browser prefers, or the one of `?language=`.
struct PrivacyPage: Sendable {
    /// The values that the texts name.
    struct Facts: Sendable {
        /// The person or organisation that runs the box, with contact details; nil if the setting is empty.
        var owner: String?
        /// The names of the served systems.
        var systems: Set<String>
        /// True if the box serves apps to browsers.
        var hasBrowserApps: Bool
        var pagerDays: Int
        var historyDays: Int
        var talkDays: Int
    }

    /// A language of the page.
    struct Language: Sendable {
        /// The language tag (RFC 5646).
        let code: String
        /// The name of the language in the language itself.
        let name: String
        let title: String
        let sections: @Sendable (Facts) -> [Section]
    }

    struct Section: Sendable {
        let heading: String
        let paragraphs: [String]

        init(_ heading: String, _ paragraphs: String...) { (self.heading, self.paragraphs) = (heading, paragraphs) }
    }

    static let languages: [Language] = [.english, .korean, .chinese]

    /// The HTML pages by language code.
    private let pages: [String: String]

    init(_ facts: Facts) {
        pages = Dictionary(uniqueKeysWithValues: Self.languages.map { ($0.code, Self.html($0, facts)) })
    }

    /// - Parameters:
    ///   - settings: The settings of the process.
    ///   - alone: The only system that is served; nil for all.
    /// - Throws: `StartupError` for settings that the services refuse as well.
    init(_ settings: Settings, alone: System?) throws(StartupError) {
        func days(_ system: System, _ key: String, default days: Int) throws(StartupError) -> Int {
            try settings.scoped(to: system.name, orPlain: alone != nil).integer(key, in: 1...36_500, default: days)
        }
        let systems = alone.map { [$0] } ?? System.all
        self.init(
            Facts(
                owner: settings.scoped(to: "switchboard").string("operator"), systems: Set(systems.map(\.name)),
                hasBrowserApps: alone == nil, pagerDays: try days(.pager2077, "message.retention.days", default: 365),
                historyDays: try days(.simBridge, "log.retention.days", default: 90),
                talkDays: try days(.talkCo, "talk.days", default: 365)))
    }

    func response(to request: Request) -> Response {
        let (page, language) = page(chosen: request.query("language"), accepted: request.headers[.acceptLanguage] ?? "")
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentLength: "\(page.utf8.count)", .contentLanguage: language,
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
                .vary: "Accept-Language", .cacheControl: "no-cache",
            ], body: .init(byteBuffer: ByteBuffer(string: page)))
    }

    /// - Parameters:
    ///   - chosen: The code of a language.
    ///   - accepted: The header `Accept-Language`.
    func page(chosen: String?, accepted: String) -> (html: String, language: String) {
        let language =
            chosen.flatMap { chosen in Self.languages.first { $0.code == chosen } } ?? Self.preferred(by: accepted)
        return (pages[language.code] ?? "", language.code)
    }

    /// Returns the first language of the header that the page has, else English. Browsers list languages in the order of weights.
    private static func preferred(by header: String) -> Language {
        for item in header.prefix(1000).split(separator: ",") {
            let tag = item.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
            let code = tag.prefix { $0 != "-" }
            if let language = languages.first(where: { $0.code.lowercased().prefix { $0 != "-" } == code }) { return language }
        }
        return .english
    }

    private static func html(_ language: Language, _ facts: Facts) -> String {
        let others = languages.filter { $0.code != language.code }.map {
            "<a href=\"?language=\($0.code)\" hreflang=\"\($0.code)\" lang=\"\($0.code)\">\(escaped($0.name))</a>"
        }
        let sections = language.sections(facts).map { section in
            "<h2>\(escaped(section.heading))</h2>\n" + section.paragraphs.map { "<p>\(escaped($0))</p>" }.joined(separator: "\n")
        }
        return """
            <!doctype html>
            <html lang="\(language.code)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(language.title))</title>
            <style>
            :root { color-scheme: light dark; background: #fff; color: #1c1c1e; }
            a { color: #0b57d0; }
            @media (prefers-color-scheme: dark) { :root { background: #000; color: #f2f2f7; } a { color: #8ab4f8; } }
            body { font: 1rem/1.55 system-ui, sans-serif; max-width: 42rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; overflow-wrap: anywhere; }
            h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.15rem; margin: 1.8em 0 0.4em; }
            nav a { display: inline-block; padding: 0.7rem 1rem 0.7rem 0; } p { margin: 0.5em 0; }
            </style>
            </head>
            <body>
            <nav>\(others.joined(separator: " "))</nav>
            <main>
            <h1>\(escaped(language.title))</h1>
            \(sections.joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
