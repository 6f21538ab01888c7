import Crypto
package import Foundation
package import ServerKit
import WireKit

/// The code that makes a browser a phone of a box that other machines can reach.
///
/// Each browser enters the code once. The code grants the use of every app on the box.
package struct AccessCode: Sendable {
    /// The characters of a code, without those that look alike.
    private static let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    /// Count of characters: 50 bits, which suffice because guesses are rate-limited.
    private static let length = 10
    private let code: String

    private init(_ code: String) { self.code = code }

    /// The code as users see it: `ABCDE-FGHJK`.
    package var shown: String { "\(code.prefix(Self.length / 2))-\(code.dropFirst(Self.length / 2))" }

    /// Returns the link that admits the browser that opens it: the access page, with the code in the fragment, which browsers do
    /// not send. The page removes the code from its address and submits the code.
    ///
    /// - Parameter box: The address of the box, without a slash at the end.
    package func link(below box: String) -> String { "\(box)/access#code=\(shown)" }

    /// Returns the code in `file`, which only its owner can read; generates both if missing. To change the code, remove the file.
    ///
    /// - Throws: ``StartupError``.
    package static func stored(in file: URL) throws(StartupError) -> AccessCode {
        let stored = try PrivateFiles.secret(in: file) {
            var generator = SystemRandomNumberGenerator()
            return String((0..<length).map { _ in letters.randomElement(using: &generator)! })
        }
        let code = normal(stored)
        guard code.count == length else { throw StartupError("\(file.path) holds no access code; remove it to get a new one") }
        return AccessCode(code)
    }

    /// Returns whether `typed` is the code, without regard to case, spaces and dashes. Takes the same time for every wrong code.
    func matches(_ typed: String) -> Bool {
        SHA256.hash(data: Data(Self.normal(typed).utf8)) == SHA256.hash(data: Data(code.utf8))
    }

    private static func normal(_ text: String) -> String {
        String(text.prefix(64)).plainForms.uppercased().filter(letters.contains)
    }
}
