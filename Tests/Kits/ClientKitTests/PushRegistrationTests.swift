import Foundation
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

@testable import ClientKit

/// A registration at a service whose calls the test delays and fails.
@MainActor
@Suite struct PushRegistrationTests {
    enum Problem: String, PushProblem {
        case network, refused, unknownPath, storage, notConnected

        init(_ error: any Error) { self = error as? Problem ?? .refused }
        init(code: String) { self = Problem(rawValue: code) ?? .network }
        var code: String { rawValue }
        var isTemporary: Bool { self == .network }
        var isUnknownPath: Bool { self == .unknownPath }
    }

    final class Client: PushClient {
        typealias Problem = PushRegistrationTests.Problem

        var wantedPush: String? = "none"
        var pushLanguage = "en"
        /// The errors of the next replies.
        var errors: [any Error] = []
        /// A change of settings waits until it finishes.
        var gate: AsyncStream<Never>?
        private(set) var offers = 0
        /// The contents of the settings, and nil for each removal.
        private(set) var changes: [String?] = []

        func pushOffer() async throws -> PushOffer {
            offers += 1
            if !errors.isEmpty { throw errors.removeFirst() }
            return PushOffer(webPushKey: nil, ntfy: NtfyOffer(server: "https://ntfy.sh", topic: "t\(offers)"))
        }
        func registerPush(_ settings: PushSettings<String>) async throws { try await change(settings.content) }
        func removePush() async throws { if changes.last ?? nil != nil { try await change(nil) } }

        private func change(_ content: String?) async throws {
            changes.append(content)
            if let gate { for await _ in gate {} }
            try Task.checkCancellation()
            if !errors.isEmpty { throw errors.removeFirst() }
        }
    }

    private let phone = TestPhone()
    private let clock = TestClock()
    private let client = Client()
    private let registration: PushRegistration<Client>

    init() {
        registration = PushRegistration(phone: phone.phone(clock: clock))
        phone.pushAddress = .apns(token: "ab")
        phone.setPermission(.granted)
    }

    private func run(_ test: @MainActor () async throws -> Void) async throws {
        let running = Task { await registration.run(client, keychain: phone.phone().keychain) }
        defer { running.cancel() }
        try await test()
    }

    private func until(_ state: PushRegistrationState<Problem>) async throws {
        try await eventually { await registration.state == state }
    }

    // MARK: Failures

    /// A call may be cancelled while the registration is not.
    @Test(arguments: [(Problem.network, Problem.network), (CancellationError(), .refused)] as [(any Error, Problem)])
    func temporaryFailureIsRetriedAfterAPause(_ error: any Error, _ problem: Problem) async throws {
        client.errors = [error]
        try await run {
            try await until(.failed(problem))
            try await clock.advance(by: .seconds(60))
            try await until(.on)
        }
        #expect(client.changes == ["none"])
    }

    @Test func retryEndsThePause() async throws {
        client.errors = [Problem.network]
        try await run {
            try await until(.failed(.network))
            registration.retry()
            try await until(.on)
        }
    }

    @Test func retryDuringAFailingCallIsNotLost() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Never.self)
        client.gate = gate
        try await run {
            try await eventually { await client.changes.count == 1 }
            client.errors = [Problem.network]
            registration.retry()
            opening.finish()
            try await until(.on)
        }
        #expect(client.changes == ["none", "none"])
    }

    @Test func permanentFailureWaitsForARetry() async throws {
        client.errors = [Problem.refused]
        try await run {
            try await until(.failed(.refused))
            #expect(!clock.hasSleeper)
            registration.retry()
            try await until(.on)
        }
    }

    @Test func serviceWithoutNotificationsIsNotRetried() async throws {
        client.errors = [Problem.unknownPath]
        try await run {
            try await until(.notOffered)
            registration.retry()
            #expect(!clock.hasSleeper && client.offers == 1)
        }
    }

    // MARK: Changes during an update

    @Test func changeDuringACallSendsEqualSettingsOnce() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Never.self)
        client.gate = gate
        try await run {
            try await eventually { await client.changes.count == 1 }
            registration.update()
            opening.finish()
            try await until(.on)
            #expect(client.offers == 2 && client.changes == ["none"])
            client.wantedPush = "full"
            registration.update()
            try await eventually { await client.changes == ["none", "full"] }
        }
    }

    @Test func updateEndsTheWaitForThePushService() async throws {
        phone.awaitsPushAddress = true
        try await run {
            try await eventually { await client.offers == 1 }
            client.wantedPush = nil
            registration.update()
            try await until(.off)
        }
        #expect(client.changes.isEmpty)
    }

    @Test func renewedSettingsAreSentAgain() async throws {
        try await run {
            try await until(.on)
            registration.renew()
            try await eventually { await client.changes == ["none", "none"] }
        }
    }

    // MARK: ntfy

    @Test func ntfyReplacesAMissingPushService() async throws {
        phone.pushAddress = nil
        try await run {
            try await until(.noService)
            #expect(registration.hasNtfy && registration.ntfyAddress == nil)
            try await registration.setNtfy(true)
            try await until(.on)
            #expect(registration.ntfyAddress?.absoluteString == "https://ntfy.sh/t1")
            try await registration.setNtfy(false)
            try await until(.noService)
        }
        #expect(client.changes == ["none", nil] && phone.secrets.isEmpty)
    }
}
