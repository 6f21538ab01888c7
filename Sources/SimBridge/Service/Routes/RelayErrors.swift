import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServerKit
import SimBridgeWire
import StorageKit
import WireKit

/// The replies to failures: a status and `{"detail": …}`.
struct RelayErrors: ErrorReplies {
    /// The allowed methods of each path, for replies with status 405.
    let methods: [String: Set<HTTPRequest.Method>]

    func reply(to error: any Error, _ request: Request, _ context: ServerContext) throws -> Response? {
        switch error {
        case let error as RelayError: try error.response()
        case let error as QueryError: try .detail([error.issue])
        case let error as FieldErrors: try .detail(error)
        case let error as BodyError: try .detail(error)
        case let error as StorageError where error.isTemporary:
            try RelayError(.unavailable, "The service is busy", retryAfter: .seconds(1)).response()
        case let error where StorageError.isFullDisk(error):
            try RelayError(.insufficientStorage, "The disk of the relay is full", retryAfter: .seconds(9)).response()
        case let error as HTTPError where error.status == .notFound: try missing(request, context)
        case let error as HTTPError where error.status == .upgradeRequired:
            try .json(DetailReply(error.body ?? "Upgrade required"), status: .upgradeRequired, headers: error.headers)
        default: nil
        }
    }

    func unexpectedFailure() throws -> Response {
        try .json(DetailReply("Internal Server Error"), status: .internalServerError)
    }

    private func missing(_ request: Request, _ context: ServerContext) throws -> Response {
        if context.isWebSocketHandshake { return try .json(DetailReply("Forbidden"), status: .forbidden) }
        let segments = request.uri.path.split(separator: "/", omittingEmptySubsequences: false)
        let isDevice = segments.count >= 3 && segments[1] == "devices" && !segments[2].isEmpty
        let path = isDevice ? (["/devices/:id"] + segments[3...].map(String.init)).joined(separator: "/") : request.uri.path
        guard let methods = methods[path] else { return try .json(DetailReply("Not Found"), status: .notFound) }
        return try .json(
            DetailReply("Method Not Allowed"), status: .methodNotAllowed,
            headers: [.allow: methods.map(\.rawValue).sorted().joined(separator: ", ")])
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
        case .insufficientStorage: .insufficientStorage
        }
    }

    fileprivate func response() throws -> Response {
        var headers: HTTPFields = [:]
        if kind == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if let retryAfter { headers[.retryAfter] = "\(min(60, max(1, retryAfter.components.seconds + 1)))" }
        if let pairing { return try .json(PairingRefusal(pairing), status: status) }
        return try .json(DetailReply(detail), status: status, headers: headers)
    }
}
