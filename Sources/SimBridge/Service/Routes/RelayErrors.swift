import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import ServerKit
import SimBridgeWire
import StorageKit

/// Gives every failure below it the contract's shape: `{"detail": …}`.
struct RelayErrors: RouterMiddleware {
    typealias Context = ServerContext

    /// What each path answers, for 405.
    let methods: [String: Set<HTTPRequest.Method>]

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as RelayError {
            return try error.response()
        } catch let error as QueryError {
            return try Self.invalid([error.issue])
        } catch let error as FieldErrors {
            return try Self.invalid(error.issues.map(\.asIssue))
        } catch BodyError.tooLarge(let limit) {
            return try .json(ErrorReply("The body is larger than \(limit) bytes"), status: .contentTooLarge)
        } catch BodyError.malformed(let reason) {
            return try Self.invalid([.init(loc: [.name("body"), .index(0)], msg: reason, type: "json_invalid")])
        } catch BodyError.notAnObject {
            return try Self.invalid([
                .init(loc: [.name("body")], msg: "The body is not a JSON object", type: "model_attributes_type")
            ])
        } catch let error as StorageError where error.code == .overloaded {
            return try RelayError(.unavailable, "The service is busy", retryAfter: .seconds(1)).response()
        } catch let error as HTTPError where error.status == .notFound {
            return try missing(request, context)
        } catch let error as HTTPError where error.status == .upgradeRequired {
            return try .json(ErrorReply(error.body ?? "Upgrade required"), status: .upgradeRequired, headers: error.headers)
        } catch let error where error is PeerGone || error is CancellationError {
            throw error
        } catch {
            context.logger.error("Unexpected failure", metadata: ["error": "\(error)"])
            return try .json(ErrorReply("Internal Server Error"), status: .internalServerError)
        }
    }

    private func missing(_ request: Request, _ context: ServerContext) throws -> Response {
        if context.isWebSocketHandshake { return try .json(ErrorReply("Forbidden"), status: .forbidden) }
        let segments = request.uri.path.split(separator: "/", omittingEmptySubsequences: false)
        let isDevice = segments.count == 3 && segments[1] == "devices" && !segments[2].isEmpty
        let path = isDevice ? "/devices/:id" : request.uri.path
        guard let methods = methods[path] else { return try .json(ErrorReply("Not Found"), status: .notFound) }
        return try .json(
            ErrorReply("Method Not Allowed"), status: .methodNotAllowed,
            headers: [.allow: methods.map(\.rawValue).sorted().joined(separator: ", ")])
    }

    private static func invalid(_ issues: [ErrorReply.Issue]) throws -> Response {
        try .json(ErrorReply(issues), status: .unprocessableContent)
    }
}

extension RelayError {
    private var status: HTTPResponse.Status {
        switch kind {
        case .badRequest: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .conflict: .conflict
        case .tooManyAttempts: .tooManyRequests
        case .notImplemented: .notImplemented
        case .unavailable: .serviceUnavailable
        }
    }

    fileprivate func response() throws -> Response {
        var headers: HTTPFields = [:]
        if kind == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if let retryAfter { headers[.retryAfter] = "\(min(60, max(1, retryAfter.components.seconds + 1)))" }
        return try .json(ErrorReply(detail), status: status, headers: headers)
    }
}

extension FieldIssue {
    fileprivate var asIssue: ErrorReply.Issue {
        let type =
            switch kind {
            case .missing: "missing"
            case .wrongType(let expected): expected == "integer" ? "int_type" : "\(expected)_type"
            case .wrongLength: "string_length"
            case .outOfRange: "out_of_range"
            case .containsNull, .invalid: "value_error"
            }
        return .init(loc: [.name("body"), .name(field)], msg: message, type: type)
    }
}
