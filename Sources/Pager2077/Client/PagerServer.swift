public import Foundation
public import NetworkingKit

/// Where a pager's service is, and how it is reached.
public struct PagerServer: Sendable {
    /// Its address; the service's own paths come below it.
    public var address: URL
    public var http: any HTTPTransport
    public var sockets: any SocketTransport

    public init(address: URL, http: any HTTPTransport, sockets: any SocketTransport) {
        self.address = address
        self.http = http
        self.sockets = sockets
    }
}
