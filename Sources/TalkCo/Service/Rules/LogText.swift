import StorageKit

extension Error {
    /// The error for the log. A description of a type that this service does not know could contain a learner's words.
    var logText: String {
        switch self {
        case let error as EngineError: error.description
        case let error as StorageError: error.description
        case let error as TalkError: error.detail
        default: "\(type(of: self))"
        }
    }
}
