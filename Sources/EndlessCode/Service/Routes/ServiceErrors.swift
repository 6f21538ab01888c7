import EndlessCodeProjects
import EndlessCodeWire
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServerKit
import StorageKit

/// Status and `{"error":{"code","message"}}` of every failure.
struct ServiceErrors: ErrorReplies {
    func reply(to error: any Error, _ request: Request, _ context: ServerContext) throws -> Response? {
        switch error {
        case let error as ServiceFailure: try Self.response(error.code, error.message)
        case let error as ProjectError: try error.code.wire.map { try Self.response($0, error.detail) }
        case let error as FieldError: try Self.response(.invalidMessage, error.description)
        case let error as FieldErrors:
            try Self.response(.invalidMessage, error.issues.map(\.message).joined(separator: " "))
        case BodyError.tooLarge(let limit): try Self.response(.fileTooLarge, "The body is larger than \(limit) bytes.")
        case BodyError.malformed(let reason): try Self.response(.invalidMessage, reason)
        case BodyError.notAnObject: try Self.response(.invalidMessage, "The body is not a JSON object.")
        case let error as StorageError where error.isTemporary:
            try .json(
                ErrorReply(.internalError, "The server is busy."), status: .serviceUnavailable, headers: [.retryAfter: "1"])
        case let error where StorageError.isFullDisk(error):
            try .json(
                ErrorReply(.storageFull, "The disk of the server is full."), status: .init(code: ErrorCode.storageFull.httpStatus),
                headers: [.retryAfter: "10"])
        case is TooManyPhones:
            try .json(
                ErrorReply(.internalError, "\(Limits.socketCount) phones are connected."), status: .serviceUnavailable,
                headers: [.retryAfter: "10"])
        case let error as HTTPError where error.status == .notFound: try Self.response(.notFound, "There is no such path.")
        case let error as HTTPError where error.status == .upgradeRequired:
            try .json(
                ErrorReply(.invalidMessage, error.body ?? "Upgrade required."), status: .upgradeRequired, headers: error.headers)
        default: nil
        }
    }

    func unexpectedFailure() throws -> Response { try Self.response(.internalError, "The server failed.") }

    private static func response(_ code: ErrorCode, _ message: String) throws -> Response {
        try .json(
            ErrorReply(code, message), status: .init(code: code.httpStatus),
            headers: code == .authFailed ? [.wwwAuthenticate: "Bearer"] : [:])
    }
}

/// ``Limits/socketCount`` sockets are open.
struct TooManyPhones: Error {}

extension ProjectError.Code {
    /// Nil for failures of the computer, which are logged.
    fileprivate var wire: ErrorCode? {
        switch self {
        case .pathForbidden, .accessDenied: .pathForbidden
        case .notFound, .notAFolder, .notAFile: .fileNotFound
        case .fileTooLarge: .fileTooLarge
        case .invalidArgument: .invalidMessage
        default: nil
        }
    }
}
