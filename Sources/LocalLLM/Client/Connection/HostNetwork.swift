public import Foundation
public import LocalLLMWire
public import NetworkingKit
import PlatformKit

/// The network on which a phone finds hosts.
public struct HostNetwork: Sendable {
    /// Size of a phone's secret, in bytes.
    package static let secretSize = 32

    /// The hosts that any phone on this network may use.
    let offered: [OfferedHost]
    let makeDialler: @Sendable (_ secret: Data, _ id: ServerID) async throws -> any ByteStreamDialler

    /// - Parameter makeDialler: Returns a dialler that proves the key pair of `secret`, 32 random bytes that each phone keeps.
    ///   Called for every dial, and not before the first one.
    public init(
        offered: [OfferedHost] = [],
        makeDialler: @escaping @Sendable (_ secret: Data, _ id: ServerID) async throws -> any ByteStreamDialler
    ) {
        (self.offered, self.makeDialler) = (offered, makeDialler)
    }

    /// Returns the dialler of a phone. The first call creates the phone's secret.
    ///
    /// - Throws: `PhoneError`; the error of the network.
    func dialler(for id: ServerID, on phone: Phone) async throws -> any ByteStreamDialler {
        try await makeDialler(try await Self.secret(of: phone), id)
    }

    private static let secretKey = "identity"

    private static func secret(of phone: Phone) async throws -> Data {
        if let stored = try await phone.keychain.data(for: secretKey), stored.count == secretSize { return stored }
        var generator = SystemRandomNumberGenerator()
        let secret = Data((0..<secretSize).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try await phone.keychain.set(secret, for: secretKey)
        return secret
    }
}
