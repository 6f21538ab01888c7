import NetworkingKit
public import Pager2077Wire

/// Why something did not work, as far as a person has to know. The App finds the words.
public enum PagerProblem: Error, Hashable, Sendable {
    /// The service cannot be reached.
    case network
    /// It did not answer in time.
    case timeout
    case userNotFound
    case alreadyFriends
    case requestAlreadySent
    /// The request was answered already, perhaps by another phone.
    case requestGone
    case ownCode
    case invalidCode
    case notFriends
    case messageTooLong
    case messageEmpty
    case name(DisplayName.Problem?)
    case sessionExpired
    case tooManyAttempts
    /// It waited too long to be sent.
    case expired
    /// No room for more that waits.
    case full
    /// This phone could not keep it.
    case storage
    /// This phone does not let anything be copied now.
    case clipboard
    /// Anything else that the service said.
    case service(String)

    init(_ error: any Error) {
        switch error {
        case let problem as PagerProblem: self = problem
        case let error as TransportError: self = error.code == .timedOut ? .timeout : .network
        case is OutboxFull: self = .full
        default: self = .service("\(type(of: error))")
        }
    }

    /// - Parameter reason: From a reply that is no success.
    init(_ reason: Failure.Reason, status: Int) {
        switch ErrorCode(rawValue: reason.code) {
        case .userNotFound: self = .userNotFound
        case .friendshipExists: self = .alreadyFriends
        case .duplicateRequest: self = .requestAlreadySent
        case .invalidHexCode: self = .invalidCode
        case .notFriends: self = .notFriends
        case .messageTooLong: self = .messageTooLong
        case .invalidDisplayName: self = .name(nil)
        case .unauthorized, .invalidToken: self = .sessionExpired
        case .rateLimited: self = .tooManyAttempts
        case .notFound where status == 404: self = .requestGone
        default: self = .service(reason.code)
        }
    }

    /// Whether a later try may succeed without any change.
    public var isTemporary: Bool {
        switch self {
        case .network, .timeout, .tooManyAttempts, .sessionExpired: true
        // What is not in the contract's shape came from something on the way, not from the service.
        case .service(let code):
            code.hasPrefix(PagerAPI.foreign) || [ErrorCode.unavailable, .internalError].map(\.rawValue).contains(code)
        default: false
        }
    }
}
