import ClientKit
import Foundation
import HTTPTypes
import NetworkingKit
import PhoneTestKit
import PlatformKit
import SimBridgeCalls
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeClient

/// The deletion of an account, on the real relay.
@MainActor
@Suite struct DeletionTests {
    private func expectForgotten(_ remote: Remote, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await remote.until { $0.phase == .login && $0.loginNotice == .accountDeleted }
        let bridge = remote.bridge
        #expect(bridge.session == nil && bridge.saved.username == nil && bridge.saved.hosts.isEmpty, sourceLocation: sourceLocation)
        #expect(bridge.host == nil && bridge.conversations.isEmpty && bridge.draft.isEmpty, sourceLocation: sourceLocation)
        try await eventually { await remote.phone.secrets.isEmpty }
    }

    @Test func deletionForgetsEverythingAndTellsTheOtherDevices() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let (remote, other) = (try await box.paired(with: host, user: "ada"), try await box.paired(with: host, user: "ada"))
        other.bridge.draft = Draft(to: "+1", body: "never sent")
        try await host.send(.incomingText(sim: 1, from: "+1", body: "private"))
        try await remote.until { !$0.conversations.isEmpty }
        try await other.until { !$0.conversations.isEmpty }
        try await remote.bridge.deleteAccount(password: RelayBox.password)
        try await expectForgotten(remote)
        try await expectForgotten(other)
        // The next account of that name has nothing of it.
        try await remote.bridge.logIn(
            server: RelayBox.address.absoluteString, username: "ada", password: RelayBox.password, registers: true)
        #expect(remote.bridge.phase == .pairing && remote.bridge.loginNotice == nil)
        #expect(remote.bridge.hosts.isEmpty)
    }

    @Test func aWrongPasswordChangesNothing() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        await #expect(throws: BridgeProblem.wrongPassword) { try await remote.bridge.deleteAccount(password: "wrong") }
        #expect(remote.bridge.phase == .ready && remote.bridge.host != nil)
        box.network.cut()
        await #expect(throws: BridgeProblem.network) { try await remote.bridge.deleteAccount(password: RelayBox.password) }
        #expect(remote.bridge.phase == .ready && remote.bridge.saved.username == "ada")
    }

    @Test func aDeviceThatWasAwayLearnsItAtItsNextStart() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let (remote, other) = (try await box.paired(with: host, user: "ada"), try await box.paired(with: host, user: "ada"))
        await other.quit()
        try await remote.bridge.deleteAccount(password: RelayBox.password)
        try await expectForgotten(box.remote(other.phone))
    }

    /// The relay has deleted the account, and its answer does not come.
    @Test func aLostReplyEndsAsADeletion() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.set { $0.losesReplies = "/auth/delete" }
        try? await remote.bridge.deleteAccount(password: RelayBox.password)
        try await expectForgotten(remote)
    }

    /// A transport that has no body of a refused handshake, as on an iPhone: a call tells the reason.
    @Test func theReasonIsAskedForWhereTheHandshakeHasNone() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let token = try remote.bridge.current().token
        // The account goes while the device's line is down.
        box.network.cut()
        try await remote.until { $0.status == .disconnected }
        let _: DeletedAccount = try await box.call(
            .post, "/auth/delete", AccountDeletion(password: RelayBox.password), token: token)
        box.network.set { $0.refusal = .init(401, "") }
        box.network.mend()
        remote.bridge.reconnect()
        try await expectForgotten(remote)
    }
}
