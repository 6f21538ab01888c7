import Foundation

/// The page of an app, before anything is in it.
struct PageTemplate: Sendable {
    /// What the page may load and speak to: itself.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
        + "media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    let template: String

    func page(title: String, base: String, socket: String, home: String, language: String) -> String {
        let values = ["title": title, "static": "\(base)/static", "socket": socket, "home": home, "lang": language, "base": base]
        return values.reduce(template) { page, value in page.replacing("{{\(value.key)}}", with: Self.escape(value.value)) }
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
