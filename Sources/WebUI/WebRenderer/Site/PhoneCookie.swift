import HTTPTypes
import Hummingbird

/// The cookie that makes a browser a phone. Cookies do not tell ports apart, so the name has it.
struct PhoneCookie {
    private let name: String
    private let isSecure: Bool
    /// What the browser sent, if it is well-formed.
    let secret: String?

    init(_ request: Request) {
        let port = request.head.authority.flatMap { $0.split(separator: ":").last }.flatMap { Int($0) } ?? 0
        // A proxy that speaks TLS for the box says so. Whoever else says it changes only what their own browser does with its cookie.
        isSecure = request.head.scheme == "https" || request.headers[.xForwardedProto]?.lowercased() == "https"
        // With this prefix neither another name of the same domain nor a page without TLS can set one (RFC 6265bis, section 4.1.3.2).
        let name = "\(isSecure ? "__Host-" : "")switchboard-phone-\(port)"
        self.name = name
        let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        let words = cookies.map { $0.drop { $0 == " " } }
        let own = words.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
        secret = own.flatMap { Secret.isWellFormed($0) ? String($0) : nil }
    }

    /// Lax: a link from elsewhere opens the same phone. The socket checks where its page comes from.
    func set(_ secret: String) -> String {
        "\(name)=\(secret); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }
}

extension HTTPField.Name {
    fileprivate static let xForwardedProto = Self("X-Forwarded-Proto")!
}
