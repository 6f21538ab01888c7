import AudioKit
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServerKit
import StorageKit
import WireKit

/// The replies to failures: a status, and `{"detail": …}`.
struct TalkErrors: ErrorReplies {
    /// The methods of each path, for the status 405.
    let methods: [String: Set<HTTPRequest.Method>]

    func reply(to error: any Error, _ request: Request, _ context: ServerContext) throws -> Response? {
        switch error {
        case let error as TalkError: try error.response()
        case let error as PathError: try .detail([error.issue])
        case let error as FieldErrors: try .detail(error)
        case let error as BodyError: try .detail(error)
        case let error as FormError: try .json(DetailReply(error.description), status: .badRequest)
        case let error as StorageError where error.isTemporary:
            try TalkError(.unavailable, "The service is busy", retryAfter: .seconds(1)).response()
        case let error where StorageError.isFullDisk(error): try TalkError.diskIsFull.response()
        case let error as HTTPError where error.status == .notFound: try missing(request)
        default: nil
        }
    }

    func unexpectedFailure() throws -> Response {
        try .json(DetailReply("Internal Server Error"), status: .internalServerError)
    }

    private func missing(_ request: Request) throws -> Response {
        var segments = request.uri.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if segments.count >= 3, ["sessions", "users"].contains(segments[1]), !segments[2].isEmpty { segments[2] = ":id" }
        if segments.count >= 5, segments[3] == "segments" { segments[4] = ":segment" }
        guard let methods = methods[segments.joined(separator: "/")] else {
            return try .json(DetailReply("Not Found"), status: .notFound)
        }
        return try .json(
            DetailReply("Method Not Allowed"), status: .methodNotAllowed,
            headers: [.allow: methods.map(\.rawValue).sorted().joined(separator: ", ")])
    }
}

extension TalkError {
    private var status: HTTPResponse.Status {
        switch kind {
        case .badRequest: .badRequest
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .requestTimeout: .requestTimeout
        case .conflict: .conflict
        case .tooMany: .tooManyRequests
        case .notImplemented: .notImplemented
        case .badGateway: .badGateway
        case .unavailable: .serviceUnavailable
        case .gatewayTimeout: .gatewayTimeout
        case .insufficientStorage: .insufficientStorage
        }
    }

    fileprivate func response() throws -> Response {
        var headers: HTTPFields = [:]
        if let retryAfter { headers[.retryAfter] = "\(min(60, max(1, retryAfter.components.seconds)))" }
        return try .json(DetailReply(detail), status: status, headers: headers)
    }
}

/// The error of an invalid identifier in a path.
struct PathError: Error, Equatable {
    var issue: DetailReply.Issue

    init(_ name: String, _ message: String) {
        issue = DetailReply.Issue(loc: [.name("path"), .name(name)], msg: message, type: "value_error")
    }
}
