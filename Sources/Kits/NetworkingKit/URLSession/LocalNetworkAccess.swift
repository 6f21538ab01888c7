import Foundation
import WireKit

#if canImport(Network)
    import Dispatch
    import Network
#endif

/// The permission to use the local network, which users give or refuse on an iPhone.
///
/// `URLSession` reports a refusal as *not connected to the internet*, and a path monitor reports the phone's own path, which is fine. Only the path
/// of a connection to the server has the reason.
enum LocalNetworkAccess {
    /// Maximum time to wait for the path of a connection.
    private static let limit = Duration.seconds(2)

    /// - Returns: True if the system opens no connection to a server because the user has not allowed the local network.
    @concurrent static func isDenied(to server: URL) async -> Bool {
        #if canImport(Network)
            guard let host = server.host(), let port = NWEndpoint.Port(rawValue: UInt16(clamping: server.port ?? 443)) else {
                return false
            }
            let connection = NWConnection(host: NWEndpoint.Host(host), port: port, using: .tcp)
            let (decisions, continuation) = AsyncStream.makeStream(of: Void.self)
            connection.stateUpdateHandler = { state in
                switch state {
                case .setup, .preparing: break
                default: continuation.yield()
                }
            }
            connection.start(queue: DispatchQueue(label: "local-network-access"))
            let timer = Task { if (try? await Task.sleep(for: limit)) != nil { continuation.yield() } }
            defer {
                timer.cancel()
                connection.cancel()
            }
            for await _ in decisions { break }
            return connection.currentPath?.unsatisfiedReason == .localNetworkDenied
        #else
            return false
        #endif
    }
}

extension TransportError {
    /// Returns the error of a connection with the reason that `URLSession` leaves out.
    ///
    /// - Parameter isDenied: Returns true if the user does not allow the local network, where the server is.
    static func explained(
        _ error: any Error, server: URL?, isDenied: (URL) async -> Bool = { await LocalNetworkAccess.isDenied(to: $0) }
    ) async -> any Error {
        guard let offline = error as? TransportError, offline.isOffline, let server, await isDenied(server) else { return error }
        return TransportError(.localNetworkDenied, "the user does not allow the local network: \(offline.detail)")
    }
}
