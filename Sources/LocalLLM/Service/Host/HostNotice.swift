package import LocalLLMWire
package import NetworkingKit

/// A notice for the host's terminal or log. It never contains prompts or answers.
package enum HostNotice: Hashable, Sendable {
    /// Phones can find the host now.
    case announced
    /// The announcement failed; the host retries.
    case announcementFailed(String)
    /// The host is not announced any more and has no connections.
    case stopped
    case phoneConnected(PeerKey, count: Int)
    case phoneDisconnected(PeerKey, count: Int)
    /// A phone was refused, because the host has ``Limits/clientCount`` clients.
    case phoneRefused(PeerKey)
    /// A phone was disconnected, because it has read nothing for ``ModelHost/stallInterval``.
    case phoneStalled(PeerKey)
    /// The user has to approve or refuse the phone.
    case approvalRequested(PeerKey)
    case approvalRefused(PeerKey)
    /// A new phone was admitted, and is known from now on.
    case phoneAdmitted(PeerKey, Admission)
    /// A phone was disconnected to make room for another one.
    case phoneDisplaced(PeerKey)
    /// The phone disconnected before the user decided.
    case approvalAbandoned(PeerKey)
    case generationStarted(PeerKey, model: String)
    case generationFinished(FinishReason, size: Int)
    case generationFailed(ErrorReport)
    /// The model did not get the oldest turns of a conversation that is longer than its context.
    case turnsOmitted(Int)
    /// A finished answer waits for a phone that is not connected, or that disconnected before the end of the answer. A later
    /// version may handle this notice by a push notification without text of the answer, if the user wants that. See
    /// `Docs/Protocols/LocalLLM.md`, section 7.
    case answerUnseen(PeerKey)
    case engineAvailable(models: [String])
    case engineUnavailable(String)
    /// The host uses a model that runs on another computer.
    case remoteModel(String)
    /// The engine does not have the model that the user has named.
    case modelMissing(String)
    case trouble(String)

    /// The reason for the admission of a new phone.
    package enum Admission: Hashable, Sendable {
        /// The host knew no phone yet.
        case first
        case invitation
        case terminal
        /// A known phone has approved the new one.
        case phone(PeerKey)
    }

    package var words: String {
        switch self {
        case .announced: "Phones can connect now."
        case .announcementFailed(let why): "Phones cannot find this host: \(why). Trying again."
        case .stopped: "Stopped: phones cannot connect."
        case .phoneConnected(let phone, let count): "Phone \(phone.short) connected (\(Self.phones(count)))."
        case .phoneDisconnected(let phone, let count): "Phone \(phone.short) disconnected (\(Self.phones(count)))."
        case .phoneRefused(let phone): "Phone \(phone.short) was sent away: \(Limits.clientCount) phones are connected."
        case .phoneStalled(let phone): "Phone \(phone.short) does not read any more, and was disconnected."
        case .approvalRequested(let phone):
            "A new phone wants to connect: \(phone.short). Type 'approve \(phone.short)' or 'refuse \(phone.short)'."
        case .approvalRefused(let phone): "Phone \(phone.short) was not approved."
        case .phoneAdmitted(let phone, .first):
            "Phone \(phone.short) is the first one, and may use this host from now on. If it is not yours, type 'remove \(phone.short)'."
        case .phoneAdmitted(let phone, .invitation): "Phone \(phone.short) was invited, and may use this host from now on."
        case .phoneAdmitted(let phone, .terminal): "Phone \(phone.short) was approved."
        case .phoneAdmitted(let phone, .phone(let other)): "Phone \(phone.short) was approved by phone \(other.short)."
        case .phoneDisplaced(let phone): "Phone \(phone.short) gave its place to another one."
        case .approvalAbandoned(let phone): "Phone \(phone.short) does not wait for an approval any more."
        case .generationStarted(let phone, let model): "\(model) answers phone \(phone.short)."
        case .generationFinished(let reason, let size): "The answer ended (\(reason.rawValue), \(size) bytes)."
        case .generationFailed(let report): "The answer failed (\(report.code.rawValue)): \(report.message)"
        case .turnsOmitted(let count): "The conversation is longer than the model can read at once: \(count) turns were left out."
        case .answerUnseen(let phone): "The answer waits for phone \(phone.short)."
        case .engineAvailable(let models): "Models: \(models.isEmpty ? "none" : models.joined(separator: ", "))."
        case .engineUnavailable(let why): why
        case .remoteModel(let model): "Note: \(model) does not run on this computer. Prompts for it leave it."
        case .modelMissing(let model): "There is no model \(model). Type 'model' and one of the names above."
        case .trouble(let what): what
        }
    }

    private static func phones(_ count: Int) -> String { "\(count) connected" }
}

extension PeerKey {
    /// The first characters of the key's text, which distinguish the phones of one user.
    package var short: String { String(description.prefix(8)) }
}
