import Foundation
import Pager2077Wire
import PlatformKit
import WireKit

/// The registration of a phone, as its keychain stores it.
struct Credentials: Codable, Hashable, Sendable {
    var userId: User.ID
    var hexCode: HexCode
    var authToken: String
    /// Identifies the user at registration: a phone with the same token is the same user.
    var deviceToken: String
    var displayName: String?

    static let key = "credentials"

    /// - Returns: nil when there are none, or none that can be read.
    /// - Throws: `PhoneError`.
    static func load(from keychain: any Keychain) async throws -> Credentials? {
        try await keychain.data(for: key).flatMap { try? WireJSON.decode(Credentials.self, from: $0) }
    }

    func store(in keychain: any Keychain) async throws { try await keychain.set(WireJSON.encode(self), for: Self.key) }

    /// The entries of a keychain with these credentials.
    var secret: [String: Data] { (try? WireJSON.encode(self)).map { [Self.key: $0] } ?? [:] }

    /// Makes a device token for a phone without a push service. The token cannot be guessed, and no push uses it
    /// (contract, section 3).
    static func generatedToken(isDenied: Bool) -> String {
        let random = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        let digits = random.hexadecimal
        return (isDenied ? "denied-token-" : "browser-") + digits
    }
}
