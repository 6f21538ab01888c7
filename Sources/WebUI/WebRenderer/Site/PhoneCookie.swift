import HTTPTypes
import Hummingbird
import ServerKit

/// The cookie that identifies a phone. Cookies are shared by all ports of a host, so the name contains the port.
struct PhoneCookie {
    private let name: String
    private let isSecure: Bool
    /// The secret from the request; nil if there is none, or it is malformed.
    let secret: String?

    init(_ request: Request) {
        let port = request.head.authority.flatMap { $0.split(separator: ":").last }.flatMap { Int($0) } ?? 0
        // A client that forges a proxy's header affects only its own cookie.
        isSecure = (request.clientScheme ?? request.head.scheme) == "https"
        // With this prefix neither a subdomain nor a page without TLS can set the cookie (RFC 6265bis, section 4.1.3.2).
        let name = "\(isSecure ? "__Host-" : "")switchboard-phone-\(port)"
        self.name = name
        let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        let words = cookies.map { $0.drop { $0 == " " } }
        let own = words.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
        secret = own.flatMap { Secret.isWellFormed($0) ? String($0) : nil }
    }

    /// Returns the header that sets the cookie. `Lax`, so that links from other sites open the same phone; the socket checks `Origin`.
    func set(_ secret: String) -> String {
        "\(name)=\(secret); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }
}
