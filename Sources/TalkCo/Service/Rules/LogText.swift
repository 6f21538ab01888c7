import StorageKit

extension Error {
    /// The text of the error for the log. Of an unknown type, only the name: its description could contain a learner's words.
    var logText: String {
        switch self {
        case let error as EngineError: error.description
        case let error as StorageError: error.description
        case let error as TalkError: error.detail
        default: "\(type(of: self))"
        }
    }
}
