import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import PushKit
import ServerKit
import StorageKit
import WireKit

/// The notifications of sessions, for the time in which nobody looks at the app, and the phones that want them.
struct SessionPushes: Sendable {
    /// The time before a notification is sent, in which a phone may come back whose socket was cut.
    static let delay: Duration = .seconds(5)
    /// The lifetime of a notification about the end of a turn.
    static let lifetime: Duration = .seconds(86_400)

    let store: Database
    let outbox: PushOutbox
    let foreground: ForegroundClients<HostUser>
    let tokens: AccessTokens
    let services: PushServices
    let now: @Sendable () -> Timestamp

    // MARK: Settings of a phone

    /// - Throws: ``ServiceFailure`` `INVALID_MESSAGE` for an address that nothing would reach.
    func set(_ settings: PushSettings<PushContent>, for phone: PushPhone.ID) async throws {
        var settings = settings
        do throws(PushAddressError) {
            settings.address = try services.validated(settings.address)
        } catch {
            throw ServiceFailure(.invalidMessage, error.reason)
        }
        let (time, token) = (now(), tokens.fingerprint)
        try await store.write { [settings] in try $0.store(settings, of: phone, at: time, token: token) }
    }

    func remove(_ phone: PushPhone.ID) async throws {
        try await store.write { transaction in
            try PushPhones.remove(phone, in: transaction)
            try outbox.withdraw(for: phone.rawValue, in: transaction) { _ in true }
        }
    }

    /// Ends the notifications of phones that do not have the present token.
    func removeStrangers() async throws {
        let token = tokens.fingerprint
        try await store.write { try $0.removePush(exceptWith: token) }
    }

    // MARK: Events

    /// Notifies all phones of an event, or withdraws what the event makes pointless. In the event's transaction.
    ///
    /// A notification waits until nobody counts as present: a phone in front may have lost its network. Its next sign of life withdraws it.
    func apply(_ change: NotificationChange, at time: Timestamp, in transaction: WriteTransaction) throws {
        let recipients = try transaction.pushPhones()
        guard !recipients.isEmpty else { return }
        switch change {
        case .notify(let session, let make):
            guard let record = try transaction.session(session), let (notification, end) = make(record.folder) else { return }
            let presence = foreground.end(of: .owner).map { foreground.now().duration(to: $0) } ?? .zero
            let content = try WireJSON.encode(notification)
            for phone in recipients {
                try outbox.enqueue(
                    PushDraft(
                        recipient: phone.rawValue, topic: NoticeID.session(session), content: content, delay: presence + Self.delay,
                        lifetime: end.map { .milliseconds($0.milliseconds - time.milliseconds) } ?? Self.lifetime), in: transaction)
            }
        case .withdraw(let session):
            for phone in recipients {
                try outbox.withdraw(for: phone.rawValue, topic: NoticeID.session(session), in: transaction)
            }
        case .resolve(let prompt):
            for phone in recipients {
                try outbox.withdraw(for: phone.rawValue, in: transaction) { entry in
                    try WireJSON.decode(SessionNotification.self, from: entry.content).prompt == prompt
                }
            }
        }
    }

    // MARK: Presence

    /// Notes that a user looks at a phone, or does not any more, and withdraws what was queued before: the phone has received its events.
    ///
    /// Both in one transaction, so that what is queued later is not withdrawn.
    func setPresence(_ isActive: Bool, of socket: PhoneSocket) async throws {
        let end = isActive ? foreground.now() + Limits.presenceLifetime : nil
        let hasCome = isActive || foreground.contains(socket, of: .owner)
        guard hasCome, try await !store.read({ try $0.pushPhones() }).isEmpty else {
            return foreground.set(socket, of: .owner, until: end)
        }
        try await store.write { transaction in
            for phone in try transaction.pushPhones() {
                try outbox.withdraw(for: phone.rawValue, in: transaction) { _ in true }
            }
            foreground.set(socket, of: .owner, until: end)
        }
    }
}

/// The user of a host's phones: a host has one.
enum HostUser: Hashable, Sendable { case owner }

/// The effect of an event of the log on notifications.
enum NotificationChange: Sendable {
    /// - Parameter make: Makes the notification, and the time after which it is pointless, from the project's folder.
    case notify(Session.ID, make: @Sendable (_ folder: String) -> (SessionNotification, end: Timestamp?)?)
    /// The session goes on, or was ended, by a user.
    case withdraw(Session.ID)
    case resolve(PromptRequest.ID)

    /// The end of the agent's work.
    ///
    /// - Parameter detail: Its last words.
    static func ended(_ result: TurnResult, _ detail: String?, in session: Session.ID) -> NotificationChange {
        .notify(session) { folder in
            let event = result.isError ? SessionNotification.Event.failed : .finished
            return (SessionNotification(event, session: session, folder: folder, detail: detail), nil)
        }
    }

    /// - Returns: Nil for an event without an effect.
    init?(_ frame: ServerFrame) {
        switch frame {
        case .promptRequest(let request):
            let event = request.kind == .permission ? SessionNotification.Event.permission : .question
            self = .notify(request.sessionId) { folder in
                let notification = SessionNotification(
                    event, session: request.sessionId, prompt: request.promptId, folder: folder, detail: request.question.question)
                return (notification, request.expiresAt)
            }
        case .promptResolved(let resolved): self = .resolve(resolved.promptId)
        case .output(let output):
            switch output.message.content {
            case .result(let result) where result.reason == AgentResult.interrupted: self = .withdraw(output.sessionId)
            case .result(let result): self = .ended(result, result.text, in: output.sessionId)
            case .chat(let chat) where chat.role == .user: self = .withdraw(output.sessionId)
            default: return nil
            }
        case .promptUpdate(let output):
            guard case .chat(let chat) = output.message.content, chat.delivery == nil else { return nil }
            self = .withdraw(output.sessionId)
        case .sessionState(let change) where change.state == .paused || change.state == .terminated:
            self = .withdraw(change.sessionId)
        default: return nil
        }
    }
}
