import Crypto
package import EndlessCodeWire
package import Foundation
package import ServerKit
import WireKit

/// The token of the server, in a file that only its owner can read.
package final class AccessTokens: Sendable {
    /// The name of the file in the data folder.
    package static let fileName = "endlesscode-token.secret"

    private let file: URL
    private let token: Locked<AccessToken>

    /// Reads the token, or draws one.
    ///
    /// - Throws: `StartupError`.
    package init(folder: URL) throws(StartupError) {
        file = folder.appending(path: Self.fileName)
        if !FileManager.default.fileExists(atPath: file.path) { try Self.store(Self.draw(), in: file) }
        token = Locked(try Self.read(file))
    }

    package var current: AccessToken { token.withLock { $0 } }

    /// A hash that identifies the token without revealing it.
    var fingerprint: String {
        SHA256.hash(data: Data(current.text.utf8)).hexadecimal
    }

    /// Draws a new token. A running server notices by ``reload()``.
    ///
    /// - Throws: `StartupError`.
    package static func renew(folder: URL) throws(StartupError) -> AccessToken {
        let token = draw()
        try store(token, in: folder.appending(path: fileName))
        return token
    }

    /// Reads the file again.
    ///
    /// - Returns: True if the token is another one now.
    /// - Throws: `StartupError`. The token stays as it is.
    func reload() throws(StartupError) -> Bool {
        let read = try Self.read(file)
        return token.withLock { token in
            defer { token = read }
            return token != read
        }
    }

    /// True if `text` is the token. Takes the same time for every text of the token's length.
    func accepts(_ text: String) -> Bool {
        let (expected, given) = (Array(current.text.utf8), Array(text.utf8))
        guard expected.count == given.count else { return false }
        return zip(expected, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func draw() -> AccessToken {
        var generator = SystemRandomNumberGenerator()
        return AccessToken.random(using: &generator)
    }

    private static func read(_ file: URL) throws(StartupError) -> AccessToken {
        let text = try PrivateFiles.secret(in: file).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let token = AccessToken(text), text.utf8.count >= 32 else {
            throw StartupError("\(file.path) contains no token; remove it to create a new one")
        }
        return token
    }

    /// Replaces the file in one step: a reader finds the old token or the new one.
    private static func store(_ token: AccessToken, in file: URL) throws(StartupError) {
        let temporary = file.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).secret")
        try PrivateFiles.create(temporary, text: token.text + "\n")
        guard rename(temporary.path, file.path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary.path)
            throw StartupError("Cannot write \(file.path): \(reason)")
        }
    }
}
