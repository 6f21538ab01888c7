import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Pager2077Wire
import ServerKit
import StorageKit

/// Gives every failure below it the contract's shape: status, code and sentence.
struct PagerErrors: RouterMiddleware {
    typealias Context = ServerContext

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as PagerError {
            return try error.response()
        } catch let error as FieldErrors {
            return try PagerError.invalidInput(error.issues[0].message).response()
        } catch BodyError.tooLarge(let limit) {
            return try PagerError(.payloadTooLarge, "The body is larger than \(limit) bytes").response()
        } catch BodyError.malformed(let reason) {
            return try PagerError.invalidInput(reason).response()
        } catch BodyError.notAnObject {
            return try PagerError.invalidInput("The body is not a JSON object").response()
        } catch let error as StorageError where error.code == .overloaded {
            return try PagerError(.unavailable, "The service is busy", retryAfter: .seconds(1)).response()
        } catch let error as HTTPError where error.status == .notFound {
            return try PagerError(.notFound, "Endpoint not found").response()
        } catch let error as HTTPError where error.status == .upgradeRequired {
            return try PagerError(.upgradeRequired, error.body ?? "").response(headers: error.headers)
        } catch let error where error is PeerGone || error is CancellationError {
            throw error
        } catch {
            context.logger.error("Unexpected failure", metadata: ["error": "\(error)"])
            return try PagerError(.internalError, "An unexpected error occurred").response()
        }
    }
}

extension PagerError {
    private var status: HTTPResponse.Status {
        switch code {
        case .invalidInput, .invalidDisplayName, .invalidHexCode, .invalidGame, .invalidScore, .messageTooLong: .badRequest
        case .unauthorized, .invalidToken: .unauthorized
        case .forbidden, .notFriends: .forbidden
        case .notFound, .userNotFound: .notFound
        case .friendshipExists, .duplicateRequest, .duplicateClientID: .conflict
        case .payloadTooLarge: .contentTooLarge
        case .upgradeRequired: .upgradeRequired
        case .rateLimited: .tooManyRequests
        case .unavailable: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }

    fileprivate func response(headers: HTTPFields = [:]) throws -> Response {
        var headers = headers
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if let retryAfter { headers[.retryAfter] = "\(max(1, retryAfter.components.seconds + 1))" }
        return try .json(Failure(Failure.Reason(code: code.rawValue, message: message)), status: status, headers: headers)
    }
}
