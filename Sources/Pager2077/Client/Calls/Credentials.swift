import Foundation
import Pager2077Wire
import PlatformKit
import WireKit

/// What a phone keeps of its registration, in the keychain.
struct Credentials: Codable, Hashable, Sendable {
    var userId: User.ID
    var hexCode: HexCode
    var authToken: String
    /// Identifies the person at registration: whoever has it is them.
    var deviceToken: String
    var displayName: String?

    private static let key = "credentials"

    /// - Returns: nil when nothing is kept, or nothing that can be read.
    /// - Throws: `PhoneError`.
    static func kept(in keychain: any Keychain) async throws -> Credentials? {
        try await keychain.data(for: key).flatMap { try? WireJSON.decode(Credentials.self, from: $0) }
    }

    func keep(in keychain: any Keychain) async throws { try await keychain.set(WireJSON.encode(self), for: Self.key) }

    /// A device token where no push service gives one: nobody can guess it, and nobody is pushed to by it (contract, section 3).
    static func madeUpToken(isDenied: Bool) -> String {
        let random = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        let digits = random.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return (isDenied ? "denied-token-" : "browser-") + digits
    }
}
