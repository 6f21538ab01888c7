package import Foundation
import Observation
package import PlatformKit
import WireKit

/// The registration of a phone for notifications at a service, kept as the user wants them.
///
/// ```
///   wish, permission, address, language ─▶ update() ─▶ offer ─▶ address ─▶ settings at the service
///                                            ▲                                   │ temporary failure
///                                            └──────────── 60 s, retry() ────────┘
/// ```
///
/// An update ends the wait for the push service's address and the pause before a retry. A call to the service runs to its end, and
/// the next update compares with the settings that the call stored.
@MainActor
@Observable
package final class PushRegistration<Client: PushClient> {
    package typealias State = PushRegistrationState<Client.Problem>

    package private(set) var state = State.off
    package private(set) var permission = NotificationPermission.undecided
    /// The subscription to ntfy that the user has turned on.
    private var ntfy: NtfySubscription?
    /// The ntfy subscription that the service offers, with a new topic; nil if it offers none.
    private var offeredNtfy: NtfySubscription?
    /// True if only ntfy can reach this phone.
    private var lacksPushService = false

    @ObservationIgnored private let phone: Phone
    @ObservationIgnored private weak var client: Client?
    /// The keychain that stores the ntfy subscription; nil before the first run.
    @ObservationIgnored private var keychain: (any Keychain)?
    /// The settings of this phone that the service has stored; nil if none are known.
    @ObservationIgnored private var registered: PushSettings<Client.Content>?
    /// True if an update was requested since the last one began.
    @ObservationIgnored private var isOutdated = false
    /// True if a retry was requested since the last update began.
    @ObservationIgnored private var retriesAtOnce = false
    /// Finishes with the next request for an update.
    @ObservationIgnored private var request: AsyncStream<Never>.Continuation?

    private static var retryInterval: Duration { .seconds(60) }

    package init(phone: Phone) { self.phone = phone }

    package var isRegistered: Bool { registered != nil }

    package func readPermission() async { permission = await phone.notifications.permission() }

    /// Requests the permission of a user who has not decided yet. Must be called from a tap.
    package func requestPermission() async { permission = await phone.notifications.requestPermission() }

    // MARK: Requests

    /// Brings the service's settings up to date, without waiting.
    package func update() {
        isOutdated = true
        request?.finish()
    }

    /// Retries a failed update now. Called when the line has opened, or the app has come to the front.
    package func retry() {
        retriesAtOnce = true
        switch state {
        // A proxy may answer in place of a service that starts.
        case .failed, .notOffered: update()
        default: break
        }
    }

    /// Sends the settings again, because the service has forgotten them.
    package func renew() {
        registered = nil
        update()
    }

    /// Forgets the state at a service that the phone leaves.
    package func reset() {
        (state, ntfy, offeredNtfy, lacksPushService) = (.off, nil, nil, false)
        renew()
    }

    // MARK: ntfy

    /// The address to which the user subscribes in the ntfy app; nil while ntfy is off. A secret.
    package var ntfyAddress: URL? { ntfy?.address }

    /// True if the user can turn ntfy on or off: the service has a server, and the phone has no push service of its own.
    package var hasNtfy: Bool { offeredNtfy != nil && lacksPushService && client?.wantedPush != nil }

    /// Turns ntfy on, with a topic that the service generated, or off. Nothing is sent again to a topic that was turned off.
    ///
    /// - Throws: `notConnected`, `storage`; nothing has changed then.
    package func setNtfy(_ isOn: Bool) async throws(Client.Problem) {
        guard isOn != (ntfy != nil) else { return }
        if isOn, offeredNtfy == nil { throw .notConnected }
        let subscription = isOn ? offeredNtfy : nil
        do {
            if let keychain { try await NtfySubscription.store(subscription, in: keychain) }
        } catch {
            throw .storage
        }
        ntfy = subscription
        update()
    }

    /// Reads the subscription in the keychain. Ignores a subscription at an ntfy server that the service no longer uses.
    private func readNtfy(_ offer: PushOffer, _ keychain: any Keychain) async throws {
        let offered = offer.ntfy.flatMap { NtfySubscription(server: $0.server, topic: $0.topic) }
        let saved: NtfySubscription?
        do {
            saved = try await NtfySubscription.load(from: keychain)
        } catch {
            throw Client.Problem.storage
        }
        try checkCurrent()
        offeredNtfy = offered
        ntfy = saved?.server == offered?.server ? saved : nil
    }

    // MARK: Updates

    /// Keeps the service's settings up to date until the calling task is cancelled.
    package func run(_ client: Client, keychain: any Keychain) async {
        (self.client, self.keychain, registered) = (client, keychain, nil)
        let changes = phone.notifications.addressChanges()
        await withTaskGroup { group in
            group.addTask { for await _ in changes { await self.update() } }
            while !Task.isCancelled {
                (isOutdated, retriesAtOnce) = (false, false)
                await synchronize(client, keychain)
                await waitForUpdate()
            }
            group.cancelAll()
        }
    }

    /// Makes one attempt. A temporary failure requests the next one after a pause.
    private func synchronize(_ client: Client, _ keychain: any Keychain) async {
        do {
            let current = try await synchronized(client, keychain)
            try checkCurrent()
            state = current
        } catch {
            guard !isOutdated, !Task.isCancelled else { return }
            let problem = Client.Problem(error)
            state = problem.isUnknownPath ? .notOffered : .failed(problem)
            // A `CancellationError` is that of the call: the task is not cancelled.
            guard problem.isTemporary || error is CancellationError, !problem.isUnknownPath else { return }
            let clock = phone.clock
            if !retriesAtOnce { _ = try? await untilUpdate { try? await clock.sleep(for: Self.retryInterval) } }
            isOutdated = true
        }
    }

    /// - Returns: The new state of the registration.
    /// - Throws: `CancellationError` when an update is requested.
    private func synchronized(_ client: Client, _ keychain: any Keychain) async throws -> State {
        await readPermission()
        try checkCurrent()
        guard client.wantedPush != nil else { return try await removed(.off, client) }
        if registered == nil, permission == .granted { state = .connecting }
        let offer = try await client.pushOffer()
        try await readNtfy(offer, keychain)
        // The ntfy app shows notifications by itself, whatever permission this app has.
        guard permission == .granted || ntfy != nil else {
            lacksPushService = true
            return try await removed(phone.isSecure ? .blocked : .insecure, client)
        }
        var address = ntfy.map { PushAddress.ntfy(topic: $0.topic) }
        if address == nil {
            let notifications = phone.notifications
            address = try await untilUpdate { await notifications.pushAddress(key: offer.webPushKey) }
        }
        lacksPushService = address == nil || ntfy != nil
        guard let address, let content = client.wantedPush else { return try await removed(.noService, client) }
        let settings = PushSettings(address: address, content: content, language: client.pushLanguage)
        if settings != registered {
            try await client.registerPush(settings)
            registered = settings
            client.didRegisterPush()
        }
        return .on
    }

    private func removed(_ state: State, _ client: Client) async throws -> State {
        registered = nil
        try await client.removePush()
        return state
    }

    // MARK: Waiting

    /// - Throws: `CancellationError` when an update was requested, or the task was cancelled.
    private func checkCurrent() throws { if isOutdated || Task.isCancelled { throw CancellationError() } }

    /// Runs an operation until an update is requested.
    ///
    /// - Throws: `CancellationError` if an update was requested, or the task was cancelled.
    private func untilUpdate<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) async throws -> Value {
        let value = await withTaskGroup(of: Value?.self) { group in
            group.addTask { await operation() }
            group.addTask {
                await self.waitForUpdate()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        try checkCurrent()
        guard let value else { throw CancellationError() }
        return value
    }

    private func waitForUpdate() async {
        while !isOutdated, !Task.isCancelled {
            let (requests, continuation) = AsyncStream.makeStream(of: Never.self)
            request = continuation
            for await _ in requests {}
        }
    }
}
