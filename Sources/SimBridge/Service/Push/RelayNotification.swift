import Foundation
import PushKit
import SimBridgeWire
import WireKit

/// A text or call reported by a host, as stored in the outbox for one client. Its language and content are chosen when it is sent.
struct RelayNotification: Codable, Hashable, Sendable {
    enum Event: String, Codable, Hashable, Sendable { case text, call }

    var event: Event
    var host: Device.ID
    var sender: String
    /// The key of the sender (``PhoneNumberMatcher/key(_:sim:)``); nil in entries of earlier versions.
    var person: String?
    /// The body of a text; nil for a call.
    var body: String?

    /// Maximum stored length of a sender, in Unicode scalar values. A host may report megabytes.
    private static let maximumSenderLength = 50
    /// Maximum stored length of a text, in Unicode scalar values.
    private static let maximumBodyLength = 1000

    /// - Returns: Nil for an event without a notification.
    init?(_ event: PhoneEvent, by host: Device.ID, _ numbers: PhoneNumberMatcher = PhoneNumberMatcher()) {
        switch event {
        case .incomingText(let sim, let from, let body):
            self.init(event: .text, host: host, sender: from ?? "", sim, numbers)
            self.body = body.map { $0.prefix(scalars: Self.maximumBodyLength) }
        case .incomingCall(let sim, let from): self.init(event: .call, host: host, sender: from ?? "", sim, numbers)
        default: return nil
        }
    }

    private init(event: Event, host: Device.ID, sender: String, _ sim: Int?, _ numbers: PhoneNumberMatcher) {
        self.event = event
        self.host = host
        self.sender = sender.prefix(scalars: Self.maximumSenderLength)
        person = numbers.key(self.sender, sim: sim)
    }

    /// Returns the time until the notification expires: 24 hours for a text; for a call, the rest of the 60 s after its first ring.
    ///
    /// - Parameter began: The host's time of the event; nil if the host does not report it.
    func lifetime(after began: RelayTime?, at time: Timestamp) -> Duration {
        guard event == .call else { return .seconds(86_400) }
        let age = began.map { time.milliseconds - $0.timestamp.milliseconds } ?? 0
        return .milliseconds(60_000 - min(max(age, 0), 60_000))
    }

    /// True if this is a call of `host`, and `state` reports that it was answered or has ended.
    ///
    /// - Parameter number: The other end of the reported call; nil or empty when the host does not name it.
    func isOver(by state: PhoneEvent.CallState, of host: Device.ID, number: String?) -> Bool {
        guard event == .call, host == self.host, [.active, .ended, .error].contains(state) else { return false }
        guard let number, !number.isEmpty, !sender.isEmpty else { return true }
        return PhoneNumberMatcher().matches(number.prefix(scalars: Self.maximumSenderLength), person ?? sender)
    }
}

extension PushAlert {
    /// The notification as one device shows it, with an id of ``NoticeID``.
    init(_ notification: RelayNotification, showing content: PushContent, in language: String) {
        let words = NotificationWords(NotificationLanguage(language))
        let isCall = notification.event == .call
        self.init(
            id: isCall ? NoticeID.call : NoticeID.text, title: "SimBridge", body: isCall ? words.call : words.text,
            // `high` is for incoming calls, `normal` for messages.
            urgency: isCall ? .high : .normal, priority: isCall ? .maximum : .standard,
            tags: [isCall ? "telephone_receiver" : "speech_balloon"])
        guard content != .nothing else { return }
        title = notification.sender.isEmpty ? words.unknownNumber : notification.sender
        if isCall { title = "📞 " + title } else { id = NoticeID.text(from: notification.person ?? notification.sender) }
        if content == .full, let text = notification.body { body = text }
    }
}

/// The words of notifications.
private struct NotificationWords {
    var text = "New text message"
    var call = "Incoming call"
    var unknownNumber = "Unknown number"

    init(_ language: NotificationLanguage) {
        guard language == .korean else { return }
        (text, call, unknownNumber) = ("새 문자 메시지", "걸려 온 전화", "알 수 없는 번호")
    }
}
