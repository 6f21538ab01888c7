import Crypto
import CryptoExtras
import Foundation
import NIOPosix

/// A salted, slow password hash: scrypt (RFC 7914), stored as `$scrypt$ln=15,r=8,p=1$<salt>$<hash>`.
///
/// Every byte of the password counts. Computing a hash takes 128 · r · 2^ln bytes of memory (32 MiB by default) on a thread of the pool;
/// limit concurrent computations by a ``RateLimiter``.
package struct PasswordHash: Sendable, Hashable {
    /// The cost of one hash.
    package struct Cost: Sendable, Hashable {
        /// The base-2 logarithm of the work factor N.
        package var logN: Int
        package var blockSize = 8
        package var parallelism = 1

        /// The default cost: about 100 ms for a hash on a small machine.
        package static let standard = Cost(logN: 15)

        /// - Parameter logN: 4 to 22. Tests use 4.
        package init(logN: Int) {
            precondition((4...22).contains(logN))
            self.logN = logN
        }
    }

    /// The hash in its stored form.
    package let text: String

    /// Wraps a stored hash. It is parsed when a password is compared.
    package init(stored text: String) {
        self.text = text
    }

    /// Hashes `password` with a fresh salt of 16 bytes.
    package init(_ password: String, cost: Cost = .standard) async throws {
        let salt = Self.random(16)
        self.init(salt, try await Self.derive(password, salt: salt, cost: cost), cost)
    }

    private init(_ salt: Data, _ hash: Data, _ cost: Cost) {
        text =
            "$scrypt$ln=\(cost.logN),r=\(cost.blockSize),p=\(cost.parallelism)$\(salt.base64EncodedString())$\(hash.base64EncodedString())"
    }

    /// Returns a random hash that no password matches. Comparing takes as long as with a real hash, so timing hides unknown users.
    package static func unmatchable(cost: Cost = .standard) -> PasswordHash { PasswordHash(random(16), random(32), cost) }

    private static func random(_ count: Int) -> Data {
        SymmetricKey(size: .init(bitCount: count * 8)).withUnsafeBytes { Data($0) }
    }

    /// Compares in constant time. Returns false also for a stored form that this type did not write.
    package func matches(_ password: String) async -> Bool {
        guard let stored = Stored(text), let hash = try? await Self.derive(password, salt: stored.salt, cost: stored.cost) else {
            return false
        }
        // Compares HMACs under a random key: swift-crypto compares authentication codes in constant time.
        let key = SymmetricKey(size: .bits256)
        return HMAC<SHA256>.isValidAuthenticationCode(
            HMAC<SHA256>.authenticationCode(for: hash, using: key), authenticating: stored.hash, using: key)
    }

    private static func derive(_ password: String, salt: Data, cost: Cost) async throws -> Data {
        try await NIOThreadPool.singleton.runIfActive {
            try KDF.Scrypt.deriveKey(
                from: Data(password.utf8), salt: salt, outputByteCount: 32, rounds: 1 << cost.logN,
                blockSize: cost.blockSize, parallelism: cost.parallelism, maxMemory: (256 << cost.logN) * cost.blockSize
            ).withUnsafeBytes { Data($0) }
        }
    }

    private struct Stored {
        var cost: Cost
        var salt: Data
        var hash: Data

        init?(_ text: String) {
            let parts = text.split(separator: "$", omittingEmptySubsequences: false)
            guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
            let settings = parts[2].split(separator: ",").map { $0.split(separator: "=") }
            guard settings.map(\.first) == ["ln", "r", "p"], settings.allSatisfy({ $0.count == 2 }),
                let logN = Int(settings[0][1]), let blockSize = Int(settings[1][1]), let parallelism = Int(settings[2][1]),
                (4...22).contains(logN), (1...32).contains(blockSize), (1...16).contains(parallelism),
                let salt = Data(base64Encoded: String(parts[3])), let hash = Data(base64Encoded: String(parts[4]))
            else { return nil }
            cost = Cost(logN: logN)
            cost.blockSize = blockSize
            cost.parallelism = parallelism
            self.salt = salt
            self.hash = hash
        }
    }
}
