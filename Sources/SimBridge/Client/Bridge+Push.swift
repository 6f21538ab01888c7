import ClientKit
package import Foundation
import NetworkingKit
package import PlatformKit
import SimBridgeCalls
package import SimBridgeWire
package import WireKit

/// Notifications of a push service, which reach this phone while the app is closed.
extension Bridge: PushClient {
    package typealias Push = PushRegistrationState<BridgeProblem>
    package typealias Problem = BridgeProblem

    package var push: Push { registration.state }
    package var notificationPermission: NotificationPermission { registration.permission }

    /// Turns push notifications on with a maximum content, or off for nil. Must be called from a tap.
    package func setPush(_ content: PushContent?) async {
        pushContent = content
        saved.pushContent = content
        if content != nil { await requestNotifications() }
        registration.update()
    }

    /// The address to which the user subscribes in the ntfy app; nil while ntfy is off. A secret.
    package var ntfyAddress: URL? { registration.ntfyAddress }

    /// True if the user can turn ntfy on or off: the relay has a server, and the phone has no push service of its own.
    package var hasNtfy: Bool { registration.hasNtfy }

    /// Turns ntfy on, with a topic that the relay has drawn, or off. Nothing is sent to a topic again that was turned off.
    ///
    /// - Throws: ``BridgeProblem``; nothing has changed then.
    package func setNtfy(_ isOn: Bool) async throws { try await registration.setNtfy(isOn) }

    // MARK: Settings of the relay

    /// The maximum content of push notifications: `nothing` with a biometric lock, which the relay cannot see; nil if they are off.
    package var wantedPush: PushContent? { pushContent.map { isBiometricEnabled ? .nothing : $0 } }
    package var pushLanguage: String { noticeWords.language }

    package func pushOffer() async throws -> PushOffer { try await authorized { try await $0.pushOffer(token: $1) } }

    package func registerPush(_ settings: PushSettings<PushContent>) async throws {
        let device = try current().device
        saved.mayHavePush = true
        _ = try await authorized { try await $0.setPush(settings, for: device, token: $1) }
    }

    package func didRegisterPush() {
        reportedForeground = nil
        reportPresence()
    }

    package func removePush() async throws {
        guard saved.mayHavePush else { return }
        let device = try current().device
        _ = try await authorized { try await $0.removePush(of: device, token: $1) }
        saved.mayHavePush = false
    }

    /// Ends the notifications of a login that another one replaces. Without effect if the relay cannot be reached now.
    func removePush(of left: Session?) async {
        guard let left, saved.mayHavePush else { return }
        _ = try? await withTimeout(Self.removalTimeout, clock: phone.clock) {
            try await left.api.removePush(of: left.device, token: left.token)
        }
    }

    // MARK: Presence

    /// Reports the user's presence to a relay that sends notifications, and acknowledges the events that are on screen.
    func reportPresence() {
        guard registration.isRegistered, reportedForeground != isInFront else { return }
        reportedForeground = isInFront
        engine.enqueue(.presence(foreground: isInFront))
        if isInFront { engine.acknowledge() }
    }
}
