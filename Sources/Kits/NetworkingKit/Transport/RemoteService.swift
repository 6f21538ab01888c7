public import Foundation
public import HTTPTypes
public import WireKit

/// A remote service: its address and the transports to it.
public struct RemoteService: Sendable {
    /// The base URL of the service's paths.
    public var address: URL
    public var http: any HTTPTransport
    public var sockets: any SocketTransport

    public init(address: URL, http: any HTTPTransport, sockets: any SocketTransport) {
        self.address = address
        self.http = http
        self.sockets = sockets
    }

    /// Creates a request to `path`, optionally with a query.
    ///
    /// - Parameter token: The token for `Authorization: Bearer`, or nil to send none.
    /// - Throws: ``TransportError`` `address`.
    public func request(
        _ method: WireKit.HTTPMethod, _ path: String, token: String? = nil, headers: HTTPFields = [:]
    ) throws(TransportError) -> HTTPRequest {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try HTTPRequest(.init(rawValue: method.rawValue)!, path, below: address, headers: headers)
    }
}
