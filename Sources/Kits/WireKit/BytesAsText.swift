package import Foundation

extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits.
    package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension Data {
    /// Decodes base64url (RFC 4648, section 5) without padding; nil for other text.
    package init?(base64URL text: some StringProtocol) {
        guard !text.contains("=") else { return nil }
        let base64 = String(text).replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
    }

    /// The bytes in base64url without padding.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
