import Foundation
import HTTPTypes
import NetworkingKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeHost

/// A host whose account is deleted ends, and has nothing left of it.
@Suite struct DeletionTests {
    private func delete(_ relay: RelayOfTests) async throws {
        let _: DeletedAccount = try await relay.call(
            .post, "/auth/delete", AccountDeletion(password: RelayOfTests.password), token: try await relay.token())
    }

    private func expectForgotten(_ host: HostOfTests, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let problem = try await host.problem() as? RelayProblem
        #expect(problem?.code == .accountDeleted, sourceLocation: sourceLocation)
        #expect(problem?.description.contains("has been deleted") == true, sourceLocation: sourceLocation)
        #expect(try host.identityFile.load() == nil, sourceLocation: sourceLocation)
        #expect(try await host.journal.waitingReports() == 0, sourceLocation: sourceLocation)
    }

    @Test func aConnectedHostEndsAtOnce() async throws {
        let relay = try await HostTests.relay()
        let host = try await HostOfTests(relay, driver: HostTests.world())
        _ = try await host.pairedClient()
        try await delete(relay)
        try await expectForgotten(host)
    }

    /// Reports that waited do not go to the next account.
    @Test func aHostThatWasAwayForgetsWhatWaited() async throws {
        let relay = try await HostTests.relay()
        let host = try await HostOfTests(relay, driver: HostTests.world())
        _ = try await host.pairedClient()
        relay.way.withLock { $0.isDown = true }
        relay.cut()
        try await host.journal.report(DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: "private"))))
        try await delete(relay)
        relay.way.withLock { $0.isDown = false }
        try await expectForgotten(host)
    }
}
