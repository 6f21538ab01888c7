package import AsyncHTTPClient
import Foundation
package import HTTPTypes
import NIOCore
import NIOPosix
import NIOTransport
package import NetworkingKit
package import ServerKit
import WireKit

/// An HTTP transport for addresses that strangers choose: `https` on port 443 of a public address, and no redirects.
///
/// A name is resolved here, all its addresses are checked, and the connection goes to a checked address, so that a name that
/// resolves differently a moment later has no effect.
package final class PublicHTTP: HTTPTransport {
    /// The allowed destinations. Anything but ``standard`` is for tests.
    package struct Policy: Sendable {
        /// Returns true for an address to which connections are allowed.
        package var allowsAddress: @Sendable (_ address: String) -> Bool
        package var allowsPort: @Sendable (Int) -> Bool
        /// Returns the numeric addresses of a name.
        package var resolve: @Sendable (_ host: String) async throws -> [String]
        package var configuration: HTTPClient.Configuration

        package init(
            allowsAddress: @escaping @Sendable (String) -> Bool = { IPAddress($0)?.isPublic == true },
            allowsPort: @escaping @Sendable (Int) -> Bool = { $0 == 443 },
            resolve: @escaping @Sendable (String) async throws -> [String] = { try await Names.addresses(of: $0) },
            configuration: HTTPClient.Configuration = .init()
        ) {
            self.allowsAddress = allowsAddress
            self.allowsPort = allowsPort
            self.resolve = resolve
            self.configuration = configuration
        }
    }

    /// A host and one of the addresses of its name.
    private struct Target: Hashable {
        var host: String
        var address: String
    }

    /// Maximum hosts whose connections are kept.
    private static let capacity = 32
    /// Maximum addresses of one name that are tried.
    private static let maximumAddresses = 3

    private let policy: Policy
    /// Servers of the operator, to which the rules do not apply.
    private let allowedOrigins: Set<WebOrigin>
    /// The transports, the most recently used last.
    private let transports = Locked<[(target: Target, transport: AsyncHTTP)]>([])

    /// - Parameter allowedOrigins: Servers that may be inside the network, on any port, also without TLS.
    package convenience init(allowedOrigins: Set<WebOrigin> = []) {
        self.init(policy: Policy(), allowedOrigins: allowedOrigins)
    }

    package init(policy: Policy, allowedOrigins: Set<WebOrigin> = []) {
        self.policy = policy
        self.allowedOrigins = allowedOrigins
    }

    package func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        let isAllowed = request.address?.origin.map(allowedOrigins.contains) == true
        guard isAllowed || request.scheme == "https", let address = request.address, let host = address.host(), !host.isEmpty else {
            throw ForbiddenAddress(description: "not an https address")
        }
        guard isAllowed || policy.allowsPort(address.port ?? 443) else { throw ForbiddenAddress(description: "not port 443") }
        let literal = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let addresses = IPAddress(literal) == nil ? try await policy.resolve(host) : [literal]
        guard !addresses.isEmpty else { throw TransportError(.network, "the name has no address") }
        // One forbidden address suffices to refuse the name: an attacker could mix addresses.
        guard isAllowed || addresses.allSatisfy(policy.allowsAddress) else {
            throw ForbiddenAddress(description: "a name that leads to a private address")
        }
        var failure: any Error = TransportError(.network, "the name has no address")
        for address in addresses.prefix(Self.maximumAddresses) {
            do {
                return try await transport(to: Target(host: host, address: address)).stream(request, body: body)
            } catch let error as TransportError where error.code == .network {
                // No connection, so nothing was sent.
                failure = error
            }
        }
        throw failure
    }

    private func transport(to target: Target) -> AsyncHTTP {
        transports.withLock { transports in
            let index = transports.firstIndex { $0.target == target }
            let transport = index.map { transports.remove(at: $0).transport } ?? makeTransport(to: target)
            transports.append((target, transport))
            if transports.count > Self.capacity { transports.removeFirst() }
            return transport
        }
    }

    private func makeTransport(to target: Target) -> AsyncHTTP {
        var configuration = policy.configuration
        // The certificate is still checked against the name.
        configuration.dnsOverride = [target.host: target.address]
        configuration.proxy = nil
        return AsyncHTTP(idleTimeout: .seconds(20), connectionsPerHost: 8, configuration: configuration)
    }
}

/// The resolution of host names.
package enum Names {
    /// Resolves a name as the system does.
    ///
    /// - Throws: `TransportError` `network` for an unknown name.
    package static func addresses(of host: String) async throws -> [String] {
        try await NIOThreadPool.singleton.runIfActive { try lookUp(host) }
    }

    private static func lookUp(_ host: String) throws -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Sockets.stream
        // Only the families that this machine has.
        hints.ai_flags = AI_ADDRCONFIG
        var first: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &first)
        defer { if let first { freeaddrinfo(first) } }
        guard status == 0 else {
            throw TransportError(.network, "the name cannot be resolved: \(String(cString: gai_strerror(status)))")
        }
        var addresses: [String] = []
        var next = first
        while let info = next?.pointee {
            if let text = text(of: info), !addresses.contains(text) { addresses.append(text) }
            next = info.ai_next
        }
        return addresses
    }

    /// Returns the numeric address; nil if there is none.
    private static func text(of info: addrinfo) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(
            info.ai_addr, info.ai_addrlen, &buffer, socklen_t(buffer.count), nil, 0, Int32(NI_NUMERICHOST))
        guard status == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
