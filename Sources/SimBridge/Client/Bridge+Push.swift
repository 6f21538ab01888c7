import ClientKit
public import Foundation
import NetworkingKit
import PlatformKit
import SimBridgeCalls
public import SimBridgeWire
import WireKit

/// Notifications of a push service, which reach this phone while the app is closed.
extension Bridge {
    public enum Push: Hashable, Sendable {
        case off
        /// The relay or the push service has not answered yet.
        case connecting
        case on
        /// The phone does not allow notifications.
        case blocked
        /// This phone has no push service that the relay can use.
        case noService
        /// The relay is older than notifications.
        case notOffered
        /// Tried again.
        case failed(BridgeProblem)
    }

    private static let pushRetryInterval: Duration = .seconds(60)

    /// Turns notifications on, with the most that they may show, or off. Must be called from a tap.
    public func setPush(_ content: PushContent?) async {
        pushContent = content
        saved.pushContent = content
        if content != nil { await requestNotifications() }
        updatePush()
    }

    // MARK: ntfy

    /// The address to which the user subscribes in the ntfy app; nil while ntfy is off. A secret.
    public var ntfyAddress: URL? { ntfy?.address }

    /// True if the user can turn ntfy on or off: the relay has a server, and the phone has no push service of its own.
    public var hasNtfy: Bool { pushContent != nil && offeredNtfy != nil && lacksPushService }

    /// Turns ntfy on, with a topic that the relay has drawn, or off. Nothing is sent to a topic again that was turned off.
    ///
    /// - Throws: ``BridgeProblem``; nothing has changed then.
    public func setNtfy(_ isOn: Bool) async throws {
        guard isOn != (ntfy != nil) else { return }
        if isOn, offeredNtfy == nil { throw BridgeProblem.notConnected }
        let subscription = isOn ? offeredNtfy : nil
        do {
            try await NtfySubscription.store(subscription, in: phone.keychain)
        } catch {
            throw BridgeProblem.storage
        }
        ntfy = subscription
        updatePush()
    }

    /// Reads the subscription in the keychain. One at a server that the relay does not use any more reaches nobody.
    private func readNtfy(_ offer: PushOffer) async throws {
        let offered = offer.ntfy.flatMap { NtfySubscription(server: $0.server, topic: $0.topic) }
        let saved: NtfySubscription?
        do {
            saved = try await NtfySubscription.load(from: phone.keychain)
        } catch {
            throw BridgeProblem.storage
        }
        try Task.checkCancellation()
        offeredNtfy = offered
        ntfy = saved?.server == offered?.server ? saved : nil
    }

    // MARK: Settings of the relay

    /// The most that the relay may put into notifications: nothing while the app has a lock, which the relay cannot see.
    var allowedPushContent: PushContent { isBiometricEnabled ? .nothing : pushContent ?? .nothing }

    /// Brings the relay's settings up to date, without waiting.
    func updatePush() { pushUpdates?.yield() }

    /// Keeps the relay's settings of this device up to date until the calling task is cancelled.
    @inline(never)
    func followPush() async {
        let (updates, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        pushUpdates = continuation
        registeredPush = nil
        continuation.yield()
        let changes = phone.notifications.addressChanges()
        let forwarding = Task { for await _ in changes { continuation.yield() } }
        var update: Task<Void, Never>?
        for await _ in updates {
            // A push service may take long, and what it is asked for may be obsolete.
            update?.cancel()
            update = Task { [update] in
                await update?.value
                await self.synchronizePush()
            }
        }
        forwarding.cancel()
        update?.cancel()
        await update?.value
    }

    /// Brings the relay's settings up to date, and tries again until it can be reached.
    @inline(never)
    private func synchronizePush() async {
        while !Task.isCancelled {
            do {
                let state = try await synchronizedPush()
                try Task.checkCancellation()
                return push = state
            } catch is CancellationError {
                return
            } catch {
                let problem = BridgeProblem(error)
                push = problem == .notARelay ? .notOffered : .failed(problem)
                guard problem.isTemporary, problem != .notARelay else { return }
            }
            try? await phone.clock.sleep(for: Self.pushRetryInterval)
        }
    }

    /// - Returns: The state that the relay has now.
    private func synchronizedPush() async throws -> Push {
        notificationPermission = await phone.notifications.permission()
        try Task.checkCancellation()
        guard pushContent != nil else {
            try await removePush()
            return .off
        }
        if registeredPush == nil, notificationPermission == .granted { push = .connecting }
        let offer = try await authorized { try await $0.pushOffer(token: $1) }
        try await readNtfy(offer)
        // The ntfy app shows notifications by itself, whatever this app may.
        guard notificationPermission == .granted || ntfy != nil else {
            lacksPushService = true
            try await removePush()
            return .blocked
        }
        var address = ntfy.map { PushAddress.ntfy(topic: $0.topic) }
        if address == nil { address = await phone.notifications.pushAddress(key: offer.webPushKey) }
        try Task.checkCancellation()
        lacksPushService = address == nil || ntfy != nil
        guard let address else {
            try await removePush()
            return .noService
        }
        let settings = PushSettings(address: address, content: allowedPushContent, language: noticeWords.language)
        if settings != registeredPush {
            let device = try current().device
            saved.mayHavePush = true
            _ = try await authorized { try await $0.setPush(settings, for: device, token: $1) }
            registeredPush = settings
            reportedForeground = nil
            reportPresence()
        }
        return .on
    }

    /// Ends the notifications of a login that another one replaces. Without effect if the relay cannot be reached now.
    func removePush(of left: Session?) async {
        guard let left, saved.mayHavePush else { return }
        _ = try? await withTimeout(Self.removalTimeout, clock: phone.clock) {
            try await left.api.removePush(of: left.device, token: left.token)
        }
    }

    private func removePush() async throws {
        registeredPush = nil
        guard saved.mayHavePush else { return }
        let device = try current().device
        _ = try await authorized { try await $0.removePush(of: device, token: $1) }
        saved.mayHavePush = false
    }

    // MARK: Presence

    /// Reports to a relay that sends notifications whether the user looks at the app, and confirms what is on screen.
    func reportPresence() {
        guard registeredPush != nil, reportedForeground != isInFront else { return }
        reportedForeground = isInFront
        engine.enqueue(.presence(foreground: isInFront))
        if isInFront { engine.acknowledge() }
    }
}
