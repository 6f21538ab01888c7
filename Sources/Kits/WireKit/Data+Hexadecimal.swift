package import Foundation

extension Data {
    /// Lower-case digits, as push services expect a token.
    package var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
