import Crypto
import Foundation

/// Signs tokens that a JWT library would refuse to create.
struct SymmetricKeyForTests {
    private let key: SymmetricKey

    init(_ text: String) { key = SymmetricKey(data: Data(text.utf8)) }

    /// The HS256 signature of a token's first two parts, in base64url.
    func sign(_ text: String) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_").replacingOccurrences(
                of: "=", with: "")
    }
}
