import Foundation
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeHost

/// The link that a host prints for phones.
@Suite struct PairingLinkTests {
    private func link(
        _ own: [String], unreachable: Set<String> = [], app: String? = nil
    ) async throws -> (notice: HostNotice, code: String) {
        let relay = try await RelayOfTests()
        relay.way.withLock { $0.unreachable = unreachable }
        let host = try await HostOfTests(
            relay, driver: SimulatedDriver(),
            change: { configuration in
                configuration.registersAccount = true
                configuration.ownAddresses = { own }
                configuration.app = app.flatMap { URL(string: $0) }
            })
        @Sendable func isLink(_ notice: HostNotice) -> Bool {
            switch notice {
            case .pairingLink, .localPairingLink: true
            default: false
            }
        }
        try await host.until { isLink($0) }
        let notice = host.recorded.first(where: isLink)
        return (try #require(notice), try await host.code())
    }

    @Test func linkHasTheAddressAtWhichPhonesReachTheRelay() async throws {
        let (notice, code) = try await link(["192.0.2.1", "192.0.2.7"], unreachable: ["192.0.2.1"])
        #expect(notice == .pairingLink(try #require(URL(string: "http://192.0.2.7/apps/simbridge#pair=\(code)"))))
    }

    @Test func linkThatNoPhoneCanOpenSaysSoAndWhatToDo() async throws {
        let (notice, code) = try await link(["192.0.2.1"], unreachable: ["192.0.2.1"])
        #expect(notice == .localPairingLink(try #require(URL(string: "http://localhost/apps/simbridge#pair=\(code)"))))
        for words in ["in a browser on this machine", "Phones cannot open it", "--host 0.0.0.0", "--app"] {
            #expect(notice.words.contains(words), "\(notice.words)")
        }
    }

    @Test func addressOfTheAppCanBeNamed() async throws {
        let (notice, code) = try await link([], app: "https://box.example/apps/simbridge")
        #expect(notice == .pairingLink(try #require(URL(string: "https://box.example/apps/simbridge#pair=\(code)"))))
    }
}
