import Foundation
import SimBridgeTestKit
import TestKit
import Testing

/// The line with a real client and a real host, and the relay as a separate process.
@Suite(.seeded) struct RelayLineTests {
    private func suite(_ body: @escaping @Sendable (LineSuite, ServiceProcess) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let relay = try await ServiceProcess(["simbridge", "--data", folder.file("data")])
        let port = await relay.port
        try await LineProxy.run(to: port) { first in
            try await LineProxy.run(to: port, seed: Seed.current &+ 1) { second in
                let addresses = [first, second].map { URL(string: "http://127.0.0.1:\($0.port)")! }
                let ends = try await RemoteEnd.pair(at: addresses, folder: folder.url)
                try await body(LineSuite(ends, through: [first, second]), relay)
            }
        }
        #expect(try await relay.end() == 0)
    }

    @Test func disconnectsLoseAndRepeatNothing() async throws {
        try await suite { suite, _ in
            try await suite.survivesDisconnects(Effort.count(200, soak: 2000), texts: Effort.count(100, soak: 1000))
        }
    }

    @Test func killedRelayLosesAndRepeatsNothing() async throws {
        try await suite { suite, relay in
            try await suite.survivesKills(Effort.count(5, soak: 20), texts: Effort.count(60, soak: 400)) {
                try await relay.restart()
            }
        }
    }

    @Test func appReportsConnectionStateWithoutALine() async throws {
        try await suite { suite, _ in try await suite.reportsConnectionState() }
    }

    @Test func hostThatStopsReadingDelaysNobodyElse() async throws {
        try await suite { suite, relay in
            try await suite.toleratesStalledReader(texts: Effort.count(150, soak: 1000), limit: 30 * 1_048_576) {
                try await relay.memory()
            }
        }
    }
}
