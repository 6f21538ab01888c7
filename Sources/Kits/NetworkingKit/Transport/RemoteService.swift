public import Foundation
public import HTTPTypes
public import WireKit

/// A service at the other end: where it is, and how it is reached.
public struct RemoteService: Sendable {
    /// Its address; the service's own paths come below it.
    public var address: URL
    public var http: any HTTPTransport
    public var sockets: any SocketTransport

    public init(address: URL, http: any HTTPTransport, sockets: any SocketTransport) {
        self.address = address
        self.http = http
        self.sockets = sockets
    }

    /// A request to `path`, which may have a query.
    ///
    /// - Parameter token: For `Authorization: Bearer`; nil: none.
    /// - Throws: ``TransportError`` `address`.
    public func request(
        _ method: WireKit.HTTPMethod, _ path: String, token: String? = nil, headers: HTTPFields = [:]
    ) throws(TransportError) -> HTTPRequest {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try HTTPRequest(.init(rawValue: method.rawValue)!, path, below: address, headers: headers)
    }
}
