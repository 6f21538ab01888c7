import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Pager2077Wire
import ServerKit
import StorageKit

/// Status, code and sentence of every failure.
struct PagerErrors: ErrorReplies {
    func reply(to error: any Error, _ request: Request, _ context: ServerContext) throws -> Response? {
        switch error {
        case let error as PagerError: try error.response()
        case let error as FieldErrors: try PagerError.invalidInput(error.issues[0].message).response()
        case BodyError.tooLarge(let limit):
            try PagerError(.payloadTooLarge, "The body is larger than \(limit) bytes").response()
        case BodyError.malformed(let reason): try PagerError.invalidInput(reason).response()
        case BodyError.notAnObject: try PagerError.invalidInput("The body is not a JSON object").response()
        case let error as StorageError where error.isTemporary:
            try PagerError(.unavailable, "The service is busy", retryAfter: .seconds(1)).response()
        case let error where StorageError.isFullDisk(error):
            try PagerError(.storageFull, "The disk of the service is full", retryAfter: .seconds(9)).response()
        case let error as HTTPError where error.status == .notFound: try PagerError(.notFound, "Endpoint not found").response()
        case let error as HTTPError where error.status == .upgradeRequired:
            try PagerError(.upgradeRequired, error.body ?? "").response(headers: error.headers)
        default: nil
        }
    }

    func unexpectedFailure() throws -> Response {
        try PagerError(.internalError, "An unexpected error occurred").response()
    }
}

extension PagerError {
    private var status: HTTPResponse.Status {
        switch code {
        case .invalidInput, .invalidDisplayName, .invalidHexCode, .invalidGame, .invalidScore, .messageTooLong: .badRequest
        case .unauthorized, .invalidToken: .unauthorized
        case .forbidden, .notFriends, .blocked: .forbidden
        case .notFound, .userNotFound: .notFound
        case .friendshipExists, .duplicateRequest, .duplicateClientID: .conflict
        case .payloadTooLarge: .contentTooLarge
        case .upgradeRequired: .upgradeRequired
        case .rateLimited: .tooManyRequests
        case .unavailable: .serviceUnavailable
        case .storageFull: .insufficientStorage
        case .internalError: .internalServerError
        }
    }

    fileprivate func response(headers: HTTPFields = [:]) throws -> Response {
        var headers = headers
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if let retryAfter { headers[.retryAfter] = "\(max(1, retryAfter.components.seconds + 1))" }
        return try .json(
            Failure(Failure.Reason(code: code.rawValue, message: message, details: details)), status: status, headers: headers)
    }
}
