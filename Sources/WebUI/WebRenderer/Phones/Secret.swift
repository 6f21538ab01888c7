import Foundation
import WireKit

/// The generation and the form of random secrets.
enum Secret {
    private static let length = 43

    /// Returns 256 random bits as 43 letters, digits, `-` and `_`.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Data(bytes).base64URL
    }

    /// True if `text` has the form of a secret that ``make()`` returns.
    static func isWellFormed(_ text: some StringProtocol) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy(\.isBase64URLDigit)
    }
}
