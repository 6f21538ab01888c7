import Foundation
import Pager2077TestKit
import TestKit
import Testing

/// The delivery guarantee of every system, on the pager's real client and service, over real sockets.
@Suite(.seeded) struct LineTests {
    private func suite(_ body: @escaping @Sendable (LineSuite) async throws -> Void) async throws {
        let box = try await Box()
        try await box.serve { port in
            try await LineProxy.run(to: port) { first in
                try await LineProxy.run(to: port, seed: Seed.current &+ 1) { second in
                    let addresses = [first, second].map { URL(string: "http://127.0.0.1:\($0.port)")! }
                    let ends = try await PagerEnd.friends(at: addresses)
                    try await body(LineSuite(ends, through: [first, second]))
                }
            }
        }
    }

    @Test func aThousandDisconnectsLoseAndDuplicateNothing() async throws {
        try await suite { try await $0.survivesDisconnects(Effort.count(1000, soak: 10_000), texts: Effort.count(200, soak: 1000)) }
    }

    @Test func theAppReportsALostLine() async throws { try await suite { try await $0.reportsConnectionState() } }
}
