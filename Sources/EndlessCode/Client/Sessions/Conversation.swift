package import EndlessCodeWire
import Foundation
import Observation
import WireKit

/// The messages of one session, as far as this phone has them.
///
/// ```
///   entries:  │ messages of the log, tools with their results │ text being written │ queued prompts │ prompts of this phone │
///             0                                        settledCount                                                        end
/// ```
@MainActor
@Observable
package final class Conversation: Identifiable {
    package nonisolated let id: Session.ID
    /// The oldest first: messages, then text that is being written, then prompts that wait at the server and on this phone.
    package internal(set) var entries: [ChatEntry] = []
    /// True if the server has messages before the oldest one: ``AgentClient/loadEarlier(_:)``.
    package internal(set) var hasEarlier = false
    /// The state of the newest page.
    package internal(set) var phase = LoadPhase.idle
    /// The state of the page before the oldest message.
    package internal(set) var earlierPhase = LoadPhase.idle
    /// The last failure of the session that the server reported, such as the last lines of a crash; nil after the next prompt.
    package internal(set) var error: SocketError?
    /// The text that the user is writing. Kept when the app ends.
    package var draft = "" { didSet { if draft != oldValue { client?.draftDidChange(self) } } }

    // The state behind ``entries``: see `Conversation+Log.swift`.
    @ObservationIgnored var log: [LoggedMessage] = []
    @ObservationIgnored var settledCount = 0
    @ObservationIgnored var places = Places()
    @ObservationIgnored var partials: [PartialText] = []
    /// The messages of the log that are queued prompts.
    @ObservationIgnored var queued: [LoggedMessage] = []
    @ObservationIgnored var outgoing: [OutgoingPrompt] = []
    @ObservationIgnored var closed: [PromptRequest.ID: ClosedPrompt] = [:]
    /// The keys of ``closed``, the oldest first.
    @ObservationIgnored var closedOrder: [PromptRequest.ID] = []
    /// The permission prompt of each tool use, by ``ToolUse/toolUseId``.
    @ObservationIgnored var permissions: [String: PromptRequest.ID] = [:]
    /// True if the log has no gap up to the newest message (while the line is open) or up to the cursor.
    @ObservationIgnored var isCurrent = false
    /// True once a screen has shown the conversation.
    @ObservationIgnored var wasOpened = false
    /// True if the user has fetched earlier pages; then no message is dropped.
    @ObservationIgnored var hasLoadedEarlier = false
    @ObservationIgnored weak var client: AgentClient?

    init(_ id: Session.ID, _ client: AgentClient?, draft: String = "") {
        self.id = id
        self.draft = draft
        self.client = client
    }

    /// The agent's last text in the newest turn; nil without one.
    var lastAnswer: String? {
        for entry in entries.reversed() {
            switch entry.content {
            case .agent(let text, false) where entry.parentToolUseId == nil: return text
            case .user: return nil
            default: break
            }
        }
        return nil
    }

    /// The notice of the retry that the agent waits for; nil unless it is the newest message.
    package var retry: Notice? {
        guard partials.isEmpty, settledCount > 0, case .notice(let notice) = entries[settledCount - 1].content,
            notice.kind == Notice.Kind.retry
        else { return nil }
        return notice
    }

    /// Returns the prompt of the turn with the newest result, to send again after a crash; nil if another prompt followed.
    package func lostPrompt(of result: ChatEntry.ID) -> String? {
        var hasPassedResult = false
        for entry in entries.reversed() {
            switch entry.content {
            case .user(let text): return hasPassedResult ? text : nil
            case .result where entry.id == result: hasPassedResult = true
            case .result: return nil
            default: break
            }
        }
        return nil
    }
}
