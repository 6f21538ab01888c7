import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServerKit
import SimBridgeWire
import StorageKit

/// Status and `{"detail": …}` of every failure.
struct RelayErrors: ErrorReplies {
    /// The methods of each path, for 405.
    let methods: [String: Set<HTTPRequest.Method>]

    func reply(to error: any Error, _ request: Request, _ context: ServerContext) throws -> Response? {
        switch error {
        case let error as RelayError: try error.response()
        case let error as QueryError: try Self.invalid([error.issue])
        case let error as FieldErrors: try Self.invalid(error.issues.map(\.asIssue))
        case BodyError.tooLarge(let limit):
            try .json(ErrorReply("The body is larger than \(limit) bytes"), status: .contentTooLarge)
        case BodyError.malformed(let reason):
            try Self.invalid([.init(loc: [.name("body"), .index(0)], msg: reason, type: "json_invalid")])
        case BodyError.notAnObject:
            try Self.invalid([.init(loc: [.name("body")], msg: "The body is not a JSON object", type: "model_attributes_type")])
        case let error as StorageError where error.code == .overloaded:
            try RelayError(.unavailable, "The service is busy", retryAfter: .seconds(1)).response()
        case let error as HTTPError where error.status == .notFound: try missing(request, context)
        case let error as HTTPError where error.status == .upgradeRequired:
            try .json(ErrorReply(error.body ?? "Upgrade required"), status: .upgradeRequired, headers: error.headers)
        default: nil
        }
    }

    func unexpectedFailure() throws -> Response {
        try .json(ErrorReply("Internal Server Error"), status: .internalServerError)
    }

    private func missing(_ request: Request, _ context: ServerContext) throws -> Response {
        if context.isWebSocketHandshake { return try .json(ErrorReply("Forbidden"), status: .forbidden) }
        let segments = request.uri.path.split(separator: "/", omittingEmptySubsequences: false)
        let isDevice = segments.count >= 3 && segments[1] == "devices" && !segments[2].isEmpty
        let path = isDevice ? (["/devices/:id"] + segments[3...].map(String.init)).joined(separator: "/") : request.uri.path
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
