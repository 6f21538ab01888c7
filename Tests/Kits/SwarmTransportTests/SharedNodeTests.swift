import CompactEncoding
import CryptoPrimitives
import Foundation
import HyperDHT
import NetworkingKit
import SwarmTransport
import Testing

@Suite struct SharedNodeTests {
    /// A node without a network.
    @Sendable private static func start() async throws -> DHTNode {
        var configuration = NodeConfiguration()
        configuration.bindAddress = PeerAddress(octets: 0x7f00_0001, port: 0)
        return try await DHTNode.start(configuration)
    }

    @Test func nodeStartsOnceAndAgainAfterItsEnd() async throws {
        let shared = SharedNode(Self.start)
        async let first = shared.value()
        let second = try await shared.value()
        #expect(try await first === second)
        await shared.close()
        #expect(try await shared.value() !== second)
        await shared.close()
    }

    @Test func failedStartIsRepeated() async throws {
        let shared = SharedNode(bootstrap: [])
        for _ in 1...2 {
            await #expect(throws: DialError.self) { try await shared.value() }
        }
        await shared.close()
    }

    @Test func transportProvesTheKeyOfTheSecret() async throws {
        let shared = SharedNode(Self.start)
        let secret = Data(repeating: 7, count: 32)
        let key = try #require(KeyPair(seed: Array(secret))).publicKey
        #expect(try await shared.transport(secret: secret).ownKey.bytes == Data(key.bytes))
        await #expect(throws: DialError.self) { try await shared.transport(secret: Data([1])) }
        await shared.close()
    }

    @Test(arguments: ["", "a", "a:", ":1", "a:0", "a:65536", "a:1:2"])
    func otherTextIsNoNode(_ text: String) { #expect(HostAndPort(text) == nil) }
}
