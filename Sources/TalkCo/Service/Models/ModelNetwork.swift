import Crypto
package import Foundation
package import NetworkingKit
import TalkCoWire
import WireKit

/// The network on which the service reaches the hosts that learners choose as the tutor's model.
package struct ModelNetwork: Sendable {
    /// The box's own secret, 32 random bytes that it keeps.
    private let secret: SymmetricKey
    private let makeDialler: @Sendable (_ secret: Data) async throws -> any ByteStreamDialler

    /// - Parameter makeDialler: Returns a dialler that proves the key pair of a secret of 32 bytes. Called for every dial, and not before
    ///   the first one.
    package init(secret: Data, makeDialler: @escaping @Sendable (_ secret: Data) async throws -> any ByteStreamDialler) {
        self.secret = SymmetricKey(data: secret)
        self.makeDialler = makeDialler
    }

    /// Returns a dialler that proves the learner's own key pair, by which a host admits each learner of a box separately. See
    /// `Docs/Decisions/0107-each-learner-has-a-key-of-ones-own.md`.
    func dialler(for user: Learner.ID) async throws -> any ByteStreamDialler {
        let secret = HMAC<SHA256>.authenticationCode(for: Data("TalkCo learner \(user.rawValue)".utf8), using: secret)
        return try await makeDialler(Data(secret))
    }
}
