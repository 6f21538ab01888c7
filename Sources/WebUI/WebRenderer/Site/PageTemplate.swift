import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// The template of an HTML page.
struct PageTemplate: Sendable {
    private let template: String

    init(_ template: String) { self.template = template }

    /// Returns the page: each `{{name}}` is replaced by its value, escaped as text.
    private func filled(_ values: [String: String]) -> String {
        template.replacing(/\{\{([a-z]+)\}\}/) { Self.escape(values[String($0.1)] ?? "") }
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }

    /// - Parameter sendsForms: True if the page may submit a form. All requests of the page go to its own server.
    func response(_ values: [String: String], status: HTTPResponse.Status = .ok, sendsForms: Bool = false) -> Response {
        let page = filled(values)
        let policy =
            "default-src 'none'; script-src 'self'\(Self.source(page, /<script>((?s:.)*?)<\/script>/)); "
            + "style-src 'self'\(Self.source(page, /<style>((?s:.)*?)<\/style>/)); img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
            + "media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action \(sendsForms ? "'self'" : "'none'"); frame-ancestors 'none'"
        return Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .contentSecurityPolicy: policy,
                .referrerPolicy: "same-origin",
            ], body: ResponseBody(byteBuffer: .init(string: page)))
    }

    /// Returns the hash that allows the template's inline script or style (Content Security Policy, level 3, section 2.3.1).
    private static func source(_ page: String, _ element: Regex<(Substring, Substring)>) -> String {
        guard let text = page.firstMatch(of: element)?.1 else { return "" }
        return " 'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
    }
}

extension HTTPField.Name {
    fileprivate static let contentSecurityPolicy = Self("Content-Security-Policy")!
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
}
