import Foundation
import Pager2077TestKit
import TestKit
import Testing

/// The line with real clients, and the service as a separate process.
@Suite(.seeded) struct PagerLineTests {
    private func suite(_ body: @escaping @Sendable (LineSuite, ServiceProcess) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let service = try await ServiceProcess(["pager2077", "--data", folder.file("data")])
        let port = await service.port
        try await LineProxy.run(to: port) { first in
            try await LineProxy.run(to: port, seed: Seed.current &+ 1) { second in
                let addresses = [first, second].map { URL(string: "http://127.0.0.1:\($0.port)")! }
                let ends = try await PagerEnd.friends(at: addresses)
                try await body(LineSuite(ends, through: [first, second]), service)
            }
        }
        #expect(try await service.end() == 0)
    }

    @Test func killedServiceLosesAndRepeatsNothing() async throws {
        try await suite { suite, service in
            try await suite.survivesKills(Effort.count(5, soak: 20), texts: Effort.count(100, soak: 400)) {
                try await service.restart()
            }
        }
    }

    /// Fewer texts than a chat keeps, so that all can be compared.
    @Test func phoneThatStopsReadingDelaysNobodyElse() async throws {
        try await suite { suite, service in
            try await suite.toleratesStalledReader(texts: Effort.count(300, soak: 450), limit: 30 * 1_048_576) {
                try await service.memory()
            }
        }
    }
}
