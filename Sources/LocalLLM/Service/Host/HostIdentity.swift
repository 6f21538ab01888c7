import CryptoPrimitives
package import Foundation
package import LocalLLMWire
package import ServerKit

/// The key pair of a host, stored in a file that only its owner can read. The same file gives the same Server ID.
package struct HostIdentity: Hashable, Sendable {
    /// The Ed25519 seed, 32 bytes. A secret: anyone with the seed can act as this host.
    package let seed: [UInt8]
    package let serverID: ServerID

    private init?(seed: [UInt8]) {
        guard let keyPair = KeyPair(seed: seed), let serverID = ServerID(keyPair.publicKey.bytes) else { return nil }
        (self.seed, self.serverID) = (seed, serverID)
    }

    /// Reads the file, or creates it with a new key.
    ///
    /// - Throws: `StartupError`.
    package init(file: URL) throws(StartupError) {
        if !FileManager.default.fileExists(atPath: file.path) {
            try PrivateFiles.create(file, text: Hexadecimal.encode(KeyPair.generate().seed) + "\n")
        }
        let text = try PrivateFiles.secret(in: file)
        guard let seed = Hexadecimal.decode(text.trimmingCharacters(in: .whitespacesAndNewlines)),
            let own = HostIdentity(seed: seed)
        else {
            throw StartupError(
                "\(file.path) is damaged. Put a backup in its place, or delete it to get a new Server ID; phones have to scan it again then."
            )
        }
        self = own
    }
}
