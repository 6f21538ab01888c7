import ClientKit
import NetworkingKit
import PlatformKit

/// The reason of a failure, in the detail that the user needs. The App finds the words.
package enum TalkCoProblem: ClientProblem, Error, Hashable, Sendable {
    /// The service cannot be reached.
    case network
    /// The user does not let the app use the local network, where the service is.
    case localNetworkDenied
    /// The service did not answer in time.
    case timeout
    /// The server at the address is not TalkCo, or a proxy before it answered.
    case notTalkCo
    /// The service does not know the session any more, or it has no open conversation.
    case sessionGone
    /// Another turn of the session is under way, or too many calls were made.
    case busy
    /// The session's connection to the model is still opening.
    case connecting
    /// The engine refused, or cannot be reached. In the service's words.
    case engine(String)
    /// The conversation has taken as much as a conversation may. It can be ended.
    case conversationFull
    /// The service has no room to store anything. What it has stored is kept.
    case serviceFull
    /// Another refusal, in the service's words.
    case service(String)
    /// The tutor did not answer the turn. The conversation goes on.
    case noAnswer
    /// The same, with the reason in the service's words.
    case unanswered(String)
    /// Another tutor answers until the model is back. With the reason in the service's words.
    case substituted(String)
    /// The tutor's greeting was lost, or its engine failed. The conversation goes on.
    case noGreeting
    /// The same, with the reason in the service's words.
    case ungreeted(String)
    /// The user does not allow the microphone.
    case microphoneDenied
    /// This phone has no microphone, or no screen of the app is open.
    case microphoneMissing
    /// The microphone failed. In the system's words.
    case microphoneFailed(String)
    /// The recording was shorter than ``ConversationViewModel/minimumRecordingTime``.
    case tooShort
    /// The recording was silent.
    case silent
    /// No words were recognized in the recording.
    case nothingHeard
    /// A call or another app took the microphone.
    case interrupted
    /// The system does not play the voice until the user taps.
    case cannotPlay
    /// The service has no voice for single sentences.
    case cannotSpeak
    /// The service does not keep the recording any more.
    case recordingGone
    case textEmpty
    case textTooLong
    /// This phone could not store something.
    case storage

    package init(_ error: any Error) {
        switch error {
        case let problem as TalkCoProblem: self = problem
        case let error as TransportError: self.init(error.code)
        // The user does not wait for the reply any more.
        case is CancellationError: self = .network
        default: self = .storage
        }
    }

    private init(_ code: TransportError.Code) {
        switch code {
        case .timedOut: self = .timeout
        case .localNetworkDenied: self = .localNetworkDenied
        default: self = .network
        }
    }

    /// The failure of a recording.
    init(recording error: any Error) {
        switch error {
        case PhoneError.denied: self = .microphoneDenied
        case PhoneError.unsupported, PhoneError.absent: self = .microphoneMissing
        case PhoneError.failed(let sentence): self = .microphoneFailed(sentence)
        case is PhoneError: self = .storage
        default: self = .interrupted
        }
    }

    package var isTemporary: Bool {
        switch self {
        case .network, .localNetworkDenied, .timeout, .notTalkCo, .busy, .connecting, .serviceFull: true
        default: false
        }
    }

    /// The reason in the service's words, beside the sentence of the app.
    package var reason: String? {
        switch self {
        case .unanswered(let reason), .ungreeted(let reason), .substituted(let reason): reason
        default: nil
        }
    }

    // MARK: Codes in storage

    private static let codes: [String: TalkCoProblem] = [
        "network": .network, "localNetworkDenied": .localNetworkDenied, "timeout": .timeout, "notTalkCo": .notTalkCo,
        "sessionGone": .sessionGone, "busy": .busy,
        "connecting": .connecting, "noAnswer": .noAnswer, "storage": .storage,
        "conversationFull": .conversationFull, "serviceFull": .serviceFull,
    ]

    package init(code: String) { self = Self.codes[code] ?? .service(code) }

    package var code: String {
        switch self {
        case .engine(let sentence), .service(let sentence): sentence
        case .unanswered: TalkCoProblem.noAnswer.code
        default: Self.codes.first { $0.value == self }?.key ?? "service"
        }
    }
}
