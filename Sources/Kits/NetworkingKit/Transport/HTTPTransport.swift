public import Foundation
public import HTTPTypes

/// A carrier of HTTP calls to a service, over a network or within the process.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns when the head of the reply has arrived.
    ///
    /// - Parameter request: A request with scheme, authority and path.
    /// - Throws: ``TransportError``; `CancellationError` when the calling task was cancelled.
    func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream
}

/// The body of a request.
public enum HTTPBody: Hashable, Sendable {
    case none
    case data(Data)
    /// The contents of a file, read while it is sent.
    case file(URL)
}

/// A reply whose body is still arriving.
public struct HTTPStream: Sendable {
    public var head: HTTPResponse
    /// The body. Iterate once; releasing it cancels the call.
    public var body: HTTPBytes

    public init(head: HTTPResponse, body: HTTPBytes) {
        self.head = head
        self.body = body
    }
}

/// The chunks of a body, in order of arrival.
public struct HTTPBytes: AsyncSequence, Sendable {
    public typealias Element = Data
    private let makeNext: @Sendable () -> (@concurrent () async throws -> Data?)

    /// - Parameter makeNext: Called once; returns a function that waits for the next chunk and returns nil at the end.
    public init(_ makeNext: @escaping @Sendable () -> (@concurrent () async throws -> Data?)) { self.makeNext = makeNext }

    public func makeAsyncIterator() -> Iterator { Iterator(read: makeNext()) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let read: @concurrent () async throws -> Data?
        @concurrent public mutating func next() async throws -> Data? { try await read() }
    }
}

/// A reply with its whole body.
public struct HTTPReply: Hashable, Sendable {
    public var head: HTTPResponse
    public var body: Data

    public init(head: HTTPResponse, body: Data) {
        self.head = head
        self.body = body
    }
}

extension HTTPTransport {
    /// Sends a request and waits for the whole reply.
    ///
    /// - Parameter limit: Maximum size of the reply's body, in bytes.
    /// - Throws: ``TransportError``, `tooLarge` for a larger reply; `CancellationError`.
    public func send(_ request: HTTPRequest, body: HTTPBody = .none, limit: Int = 4_194_304) async throws -> HTTPReply {
        let stream = try await stream(request, body: body)
        var bytes = Data()
        for try await chunk in stream.body {
            guard bytes.count + chunk.count <= limit else {
                throw TransportError(.tooLarge, "the reply has more than \(limit) bytes")
            }
            bytes += chunk
        }
        return HTTPReply(head: stream.head, body: bytes)
    }
}

extension HTTPRequest {
    /// Creates a request to `path`, optionally with a query, below the path of `base`. A user name and a password in `base` are sent as basic
    /// credentials (RFC 7617), unless `headers` has others.
    ///
    /// - Throws: ``TransportError`` `address` when `base` is not an HTTP address.
    public init(_ method: Method, _ path: String, below base: URL, headers: HTTPFields = [:]) throws(TransportError) {
        guard let scheme = base.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = base.host(), !host.isEmpty
        else { throw TransportError(.address, "\(base.absoluteString) is not an http or https address") }
        let prefix = base.path(percentEncoded: true)
        let bracketed = host.contains(":") ? "[\(host)]" : host
        var headers = headers
        if headers[.authorization] == nil, let user = base.user(percentEncoded: false), !user.isEmpty {
            let credentials = Data("\(user):\(base.password(percentEncoded: false) ?? "")".utf8)
            headers[.authorization] = "Basic \(credentials.base64EncodedString())"
        }
        self.init(
            method: method, scheme: scheme, authority: base.port.map { "\(bracketed):\($0)" } ?? bracketed,
            path: (prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix) + path, headerFields: headers)
    }

    /// The URL of the request.
    package var address: URL? {
        guard let scheme, let authority, let path else { return nil }
        return URL(string: "\(scheme)://\(authority)\(path)")
    }
}
