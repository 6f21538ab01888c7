import AsyncHTTPClient
import NIOCore
import NIOSSL
import NIOTransport
import NetworkingKit

extension APNSSender {
    /// Returns a transport with one HTTP/2 connection, which stays open for 30 minutes after the last request.
    ///
    /// - Parameter authorities: The only certificates that are trusted; empty for the system's.
    static func makeConnection(trusting authorities: [NIOSSLCertificate]) -> any HTTPTransport {
        var configuration = HTTPClient.Configuration()
        if !authorities.isEmpty {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(authorities)
            configuration.tlsConfiguration = tls
        }
        return makeConnection(configuration)
    }

    /// - Parameters:
    ///   - configuration: The configuration with the trust roots.
    ///   - idleTimeout: Maximum time without a reply, after which a request fails.
    static func makeConnection(
        _ configuration: HTTPClient.Configuration, idleTimeout: Duration = .seconds(20)
    ) -> any HTTPTransport {
        var configuration = configuration
        configuration.connectionPool.idleTimeout = .minutes(30)
        // Until the first connection has negotiated HTTP/2, further requests wait for it instead of opening others.
        return AsyncHTTP(idleTimeout: idleTimeout, connectionsPerHost: 1, configuration: configuration)
    }
}
