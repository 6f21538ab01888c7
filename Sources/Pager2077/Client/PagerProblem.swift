import ClientKit
import NetworkingKit
package import Pager2077Wire

/// The reason of a failure, in the detail that the user needs. The app chooses the words.
package enum PagerProblem: ClientProblem, Error, Hashable, Sendable {
    /// The service cannot be reached.
    case network
    /// The user does not let the app use the local network, where the service is.
    case localNetworkDenied
    /// The service did not answer in time.
    case timeout
    case userNotFound
    case alreadyFriends
    case requestAlreadySent
    /// The request was answered already, perhaps by another phone.
    case requestGone
    case ownCode
    case invalidCode
    /// The code that confirms a deletion is not the user's own.
    case otherCode
    case notFriends
    /// The user has blocked the other user.
    case blocked
    /// The account was deleted, perhaps on another phone.
    case accountDeleted
    case messageTooLong
    case messageEmpty
    case name(DisplayName.Problem?)
    case sessionExpired
    case tooManyAttempts
    /// The message was too old to be sent.
    case expired
    /// The outbox holds its maximum of messages.
    case full
    /// This phone could not store the value.
    case storage
    /// This phone does not allow copying now.
    case clipboard
    /// Another error of the service, by its code.
    case service(String)

    package init(_ error: any Error) {
        switch error {
        case let problem as PagerProblem: self = problem
        case let error as TransportError: self.init(error.code)
        case is OutboxFull: self = .full
        default: self = .service("\(type(of: error))")
        }
    }

    private init(_ code: TransportError.Code) {
        switch code {
        case .timedOut: self = .timeout
        case .localNetworkDenied: self = .localNetworkDenied
        default: self = .network
        }
    }

    /// - Parameter reason: The reason in an error reply.
    init(_ reason: Failure.Reason, status: Int) {
        switch ErrorCode(rawValue: reason.code) {
        case .userNotFound where reason.isAccountDeleted: self = .accountDeleted
        case .blocked: self = .blocked
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

    package var isTemporary: Bool {
        switch self {
        case .network, .localNetworkDenied, .timeout, .tooManyAttempts, .sessionExpired: true
        // A reply that is not in the contract's form comes from a proxy, not from the service.
        case .service(let code):
            code.hasPrefix(PagerAPI.foreign)
                || [ErrorCode.unavailable, .storageFull, .internalError].map(\.rawValue).contains(code)
        default: false
        }
    }

    package var isFault: Bool { self == .service(ErrorCode.internalError.rawValue) }

    // MARK: Codes in the outbox

    private static let codes: [String: PagerProblem] = [
        "network": .network, "localNetworkDenied": .localNetworkDenied, "timeout": .timeout, "notFriends": .notFriends,
        "blocked": .blocked, "accountDeleted": .accountDeleted,
        "userNotFound": .userNotFound,
        "messageTooLong": .messageTooLong, "sessionExpired": .sessionExpired, "tooManyAttempts": .tooManyAttempts,
        "storage": .storage, OutboxItem.expired: .expired,
    ]

    package init(code: String) { self = Self.codes[code] ?? .service(code) }

    package var code: String {
        if case .service(let code) = self { return code }
        return Self.codes.first { $0.value == self }?.key ?? "\(self)"
    }
}
