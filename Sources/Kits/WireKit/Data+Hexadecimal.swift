package import Foundation

extension Data {
    /// The bytes as lower-case hexadecimal digits, the form in which push services expect a token.
    package var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
