import EndlessCodeWire
import Foundation
import PushKit
import WireKit

/// A question or the end of a turn, as the outbox keeps it for one phone. Its words are chosen when it is sent.
struct SessionNotification: Codable, Hashable, Sendable {
    enum Event: String, Codable, Hashable, Sendable { case question, permission, finished, failed }

    var event: Event
    var session: Session.ID
    /// Only of questions and permissions.
    var prompt: PromptRequest.ID?
    /// The name of the project's folder.
    var project: String
    /// The question, or the agent's last words.
    var detail: String?

    /// The longest detail that is kept, in characters.
    private static let maximumDetailLength = 500

    init(_ event: Event, session: Session.ID, prompt: PromptRequest.ID? = nil, folder: String, detail: String?) {
        (self.event, self.session, self.prompt) = (event, session, prompt)
        project = URL(filePath: folder).lastPathComponent
        let detail = detail?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        let cut = String(detail.prefix(Self.maximumDetailLength))
        self.detail = cut.isEmpty ? nil : cut.count < detail.count ? cut + "…" : cut
    }
}

extension PushAlert {
    /// The notification as one phone shows it, with an id of ``NoticeID``.
    init(_ notification: SessionNotification, showing content: PushContent, in language: String) {
        let words = notification.event.words(in: NotificationLanguage(language))
        let asks = notification.prompt != nil
        self.init(
            id: NoticeID.session(notification.session), title: "EndlessCode", body: words, urgency: asks ? .high : .normal,
            priority: asks ? .high : .standard, tags: [notification.event.tag])
        guard content == .full else { return }
        title = notification.project
        if let detail = notification.detail { body = "\(words): \(detail)" }
    }
}

extension SessionNotification.Event {
    fileprivate func words(in language: NotificationLanguage) -> String {
        switch (self, language) {
        case (.question, .english): "The agent has a question"
        case (.question, .korean): "에이전트가 질문합니다"
        case (.permission, .english): "The agent asks for permission"
        case (.permission, .korean): "에이전트가 허가를 요청합니다"
        case (.finished, .english): "The agent has finished"
        case (.finished, .korean): "에이전트가 작업을 마쳤습니다"
        case (.failed, .english): "The agent has stopped with an error"
        case (.failed, .korean): "에이전트가 오류로 멈췄습니다"
        }
    }

    fileprivate var tag: String {
        switch self {
        case .question: "question"
        case .permission: "lock"
        case .finished: "white_check_mark"
        case .failed: "warning"
        }
    }
}
