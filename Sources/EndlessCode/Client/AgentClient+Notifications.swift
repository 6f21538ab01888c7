import ClientKit
package import EndlessCodeWire
package import Foundation
import NetworkingKit
package import PlatformKit
package import WireKit

/// Notifications outside the app's screens: of a push service while the app is closed, or of the app itself without a push service.
extension AgentClient: PushClient {
    package typealias Push = PushRegistrationState<CodeProblem>
    package typealias Problem = CodeProblem

    /// The state of the push service.
    package var push: Push { registration.state }
    package var notificationPermission: NotificationPermission { registration.permission }

    /// Maximum time for a server to end the notifications of a phone that leaves the server.
    private static let removalTimeout = Duration.seconds(5)

    // MARK: Commands

    /// Turns notifications on or off. Turning them on asks the user for permission, so call it from a tap.
    package func setNotifications(_ areWanted: Bool) async {
        wantsNotifications = areWanted
        engine.save(areWanted, for: Key.notifications)
        if areWanted { await registration.requestPermission() }
        registration.update()
    }

    /// Sets the content that notifications may show.
    package func setNotificationContent(_ content: PushContent) {
        notificationContent = content
        engine.save(content, for: Key.notificationContent)
        registration.update()
    }

    /// The address to which the user subscribes in the ntfy app; nil while ntfy is off. A secret.
    package var ntfyAddress: URL? { registration.ntfyAddress }

    /// True if the user can turn ntfy on or off: the server offers ntfy, and the phone has no push service of its own.
    package var hasNtfy: Bool { registration.hasNtfy }

    /// Turns ntfy on, with a random topic of the server, or off. A topic that was turned off is not used again.
    ///
    /// - Throws: ``CodeProblem``: `notConnected`, `storage`. Nothing has changed then.
    package func setNtfy(_ isOn: Bool) async throws(CodeProblem) { try await registration.setNtfy(isOn) }

    // MARK: Settings at the server

    package var wantedPush: PushContent? { wantsNotifications ? notificationContent : nil }
    package var pushLanguage: String { noticeWords.language }

    /// Keeps the settings at the current server up to date until the calling task is cancelled.
    func followPush() async {
        guard let current else { return }
        await registration.run(self, keychain: ServerKeychain(phone.keychain, current))
    }

    package func pushOffer() async throws -> PushOffer { try await call { try await $0.pushOffer() } }

    package func registerPush(_ settings: PushSettings<PushContent>) async throws {
        let id = phoneID
        if let current { engine.save(true, for: Key.push(current)) }
        _ = try await call { try await $0.setPush(settings, of: id) }
    }

    package func removePush() async throws {
        guard let current, engine.saved.value(Bool.self, for: Key.push(current)) == true else { return }
        let id = phoneID
        _ = try await call { try await $0.removePush(of: id) }
        engine.save(Bool?.none, for: Key.push(current))
    }

    /// Ends the notifications of a server that is removed. No effect if the server cannot be reached now.
    func endPush(of server: SavedServer) async {
        let key = Key.push(server.id)
        try? await NtfySubscription.store(nil, in: ServerKeychain(phone.keychain, server.id))
        guard engine.saved.value(Bool.self, for: key) == true, server.isProtected, !needsCellularConsent else { return }
        let service = network.service(at: server.address, fingerprint: server.fingerprint)
        engine.save(Bool?.none, for: key)
        let (api, id, clock) = (ServerAPI(service: service, token: server.token, clock: phone.clock), phoneID, phone.clock)
        engine.tasks.start {
            _ = try? await withTimeout(Self.removalTimeout, clock: clock) { try await api.removePush(of: id) }
        }
    }

    // MARK: Notifications of the app itself

    func notifyAsked(_ request: PromptRequest) {
        let words = request.kind == .permission ? noticeWords.asksPermission : noticeWords.asks
        let tool = request.toolName.map { "\($0): " } ?? ""
        notify(of: request.sessionId, words, "\(words)\n\(tool)\(request.question.question)")
    }

    func notifyFinished(_ id: Session.ID, _ result: TurnResult) {
        let words = result.isError ? noticeWords.failed : noticeWords.finished
        notify(of: id, words, result.text ?? conversations[id]?.lastAnswer ?? words)
    }

    /// - Parameter words: The text of a notification without content.
    private func notify(of session: Session.ID, _ words: String, _ content: String) {
        // The push service shows the same notification.
        guard wantsNotifications, notificationPermission == .granted, !engine.isInFront, push != .on else { return }
        let projectID = sessions[session]?.projectId
        let project = projects.first { $0.id == projectID }?.name
        let isFull = notificationContent == .full
        let notification = LocalNotification(
            id: NoticeID.session(session), title: isFull ? project ?? "EndlessCode" : "EndlessCode",
            body: isFull ? String(content.prefix(500)) : words)
        let notifications = phone.notifications
        engine.tasks.start { try? await notifications.show(notification) }
    }

    package func notificationWasTapped(_ id: String) {
        guard let session = NoticeID.session(of: id) else { return }
        guard sessions[session] == nil, let owner = serverOfSavedSession(session) else { return wantedSession = session }
        engine.tasks.start {
            try? await self.use(owner)
            self.wantedSession = session
        }
    }

    /// Removes the notification of a session that the user looks at.
    func removeNotification(of session: Session.ID) {
        guard wantsNotifications else { return }
        let notifications = phone.notifications
        engine.tasks.start { await notifications.remove(id: NoticeID.session(session)) }
    }
}

/// The part of a keychain that belongs to one server.
private struct ServerKeychain: Keychain {
    private let keychain: any Keychain
    private let server: SavedServer.ID

    init(_ keychain: any Keychain, _ server: SavedServer.ID) { (self.keychain, self.server) = (keychain, server) }

    func data(for key: String) async throws -> Data? { try await keychain.data(for: "\(server) \(key)") }
    func set(_ data: Data?, for key: String) async throws { try await keychain.set(data, for: "\(server) \(key)") }
}
