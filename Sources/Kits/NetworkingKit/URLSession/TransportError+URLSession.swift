import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// Maps an error of `URLSession`.
    ///
    /// - Returns: A ``TransportError``, or `CancellationError` for a cancelled task.
    static func from(_ error: any Error) -> any Error {
        switch error {
        case is TransportError, is CancellationError: return error
        case let error as URLError:
            guard error.code != .cancelled else { return CancellationError() }
            var mapped = TransportError(Code(error.code), error.localizedDescription)
            mapped.isOffline = error.code == .notConnectedToInternet || error.code == .dataNotAllowed
            return mapped
        case let error as POSIXError: return TransportError(Code(error.code), error.localizedDescription)
        // Foundation on Linux does not turn such an error into a `POSIXError`.
        case let error as NSError where error.domain == NSPOSIXErrorDomain:
            return TransportError(
                POSIXErrorCode(rawValue: Int32(error.code)).map(Code.init) ?? .network, error.localizedDescription)
        default: return TransportError(.network, "\(error)")
        }
    }

    /// Maps the end of a task whose WebSocket was not opened.
    ///
    /// `URLSession` reports a refusal by an error without the reply, which is `badServerResponse` for most statuses; the task has the reply, without
    /// its body.
    ///
    /// - Parameters:
    ///   - error: The error of the task; nil if the connection just ended.
    ///   - response: The reply that the task has; nil if there was none.
    /// - Returns: A ``TransportError``, `refused` for every status but that of an opened WebSocket; or `CancellationError`.
    static func opening(_ error: (any Error)?, _ response: URLResponse?) -> any Error {
        // The server has another certificate than the pinned one.
        if let error = error as? TransportError { return error }
        if let response = response as? HTTPURLResponse {
            guard response.statusCode == 101 else { return refusal(response.httpResponse) }
            // The reply opens a WebSocket, but not the one that was requested.
            if error == nil || (error as? URLError)?.code == .badServerResponse {
                return TransportError(.malformed, "the reply does not complete the handshake")
            }
        }
        // Status 401 is the only one with an error of its own.
        if (error as? URLError)?.code == .userAuthenticationRequired { return refusal(HTTPResponse(status: .unauthorized)) }
        return error.map(from) ?? TransportError(.network, "the connection ended before it was open")
    }

    private static func refusal(_ head: HTTPResponse) -> TransportError {
        TransportError(.refused, "answered \(head.status.code)", reply: HTTPReply(head: head, body: Data()))
    }
}

extension TransportError.Code {
    fileprivate init(_ code: URLError.Code) {
        self =
            switch code {
            // App Transport Security refuses plain HTTP to this name.
            case .badURL, .unsupportedURL, .appTransportSecurityRequiresSecureConnection: .address
            // The file to send cannot be read.
            case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile: .address
            case .timedOut: .timedOut
            case .networkConnectionLost: .ended
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .userCancelledAuthentication:
                .tls
            case .dataLengthExceedsMaximum: .tooLarge
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
                .httpTooManyRedirects, .redirectToNonExistentLocation:
                .malformed
            default: .network
            }
    }

    /// Maps a system error, which `URLSession` reports for an open WebSocket.
    fileprivate init(_ code: POSIXErrorCode) {
        self =
            switch code {
            case .EMSGSIZE: .tooLarge
            case .ETIMEDOUT: .timedOut
            case .EPROTO, .EBADMSG: .malformed
            case .ENOTCONN, .ECONNRESET, .ECONNABORTED, .EPIPE, .ESHUTDOWN: .ended
            default: .network
            }
    }
}
