import ClientKit
import NetworkingKit
import PlatformKit

/// The reason of a failure, in the detail that the user needs. The app's views provide the words.
package enum TalkCoProblem: ClientProblem, Error, Hashable, Sendable {
    /// The service cannot be reached.
    case network
    /// The user does not let the app use the local network, where the service is.
    case localNetworkDenied
    /// The service did not answer in time.
    case timeout
    /// The server at the address is not TalkCo, or a proxy before it answered.
    case notTalkCo
    /// The service does not know the session any more, or the session has no open conversation.
    case sessionGone
    /// Another turn of the session is under way, or too many calls were made.
    case busy
    /// The session's connection to the model is still opening.
    case connecting
    /// The engine refused or cannot be reached, for a reason in the service's words.
    case engine(String)
    /// The conversation has reached its maximum size. It can be ended.
    case conversationFull
    /// The disk of the service is full. Data that it has stored is kept.
    case serviceFull
    /// Another refusal, in the service's words.
    case service(String)
    /// The tutor did not answer the turn. The conversation continues.
    case noAnswer
    /// The tutor did not answer the turn, for a reason in the service's words.
    case unanswered(String)
    /// Another tutor answers until the learner's model is available again, for a reason in the service's words.
    case substituted(String)
    /// The tutor's greeting was lost, or its engine failed. The conversation continues.
    case noGreeting
    /// The greeting was lost, for a reason in the service's words.
    case ungreeted(String)
    /// The user does not allow the microphone.
    case microphoneDenied
    /// This phone has no microphone, or no screen of the app is open.
    case microphoneMissing
    /// The microphone failed, for a reason in the system's words.
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
        // The caller no longer waits for the reply.
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

    /// Creates the problem for a failed recording.
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

    /// The reason in the service's words, shown below the app's sentence; nil for none.
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
