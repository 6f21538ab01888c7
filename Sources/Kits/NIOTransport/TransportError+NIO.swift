import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import NetworkingKit

extension TransportError {
    /// Maps an error of NIO or AsyncHTTPClient.
    ///
    /// - Returns: A ``TransportError``, or `CancellationError` for a cancelled call.
    static func from(_ error: any Error) -> any Error {
        switch error {
        case is TransportError, is CancellationError: return error
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: return TransportError(.tls, "\(error)")
        case is HTTPParserError, is NIOWebSocketError: return TransportError(.malformed, "\(error)")
        case is NIOConnectionError: return TransportError(.network, "\(error)")
        case let error as ChannelError:
            if case .connectTimeout = error { return TransportError(.timedOut, "\(error)") }
            return TransportError(.ended, "\(error)")
        case let error as IOError: return TransportError(error.errnoCode == ECONNREFUSED ? .network : .ended, "\(error)")
        case let error as HTTPClientError:
            let code: Code? =
                switch error {
                case .cancelled: nil
                case .invalidURL, .emptyHost, .missingSocketPath, .emptyScheme: .address
                case .readTimeout, .writeTimeout, .connectTimeout, .deadlineExceeded: .timedOut
                case .remoteConnectionClosed: .ended
                case .tlsHandshakeTimeout: .tls
                default: .network
                }
            return code.map { TransportError($0, "\(error)") } ?? CancellationError()
        default: return TransportError(.network, "\(error)")
        }
    }
}
