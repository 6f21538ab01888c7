public import Foundation
public import HTTPTypes

/// Carries HTTP calls to a service. Nothing above it knows whether that is over a network, or in the same process.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns once the head of the reply is there.
    ///
    /// - Parameter request: With scheme, authority and path.
    /// - Throws: ``TransportError``; `CancellationError` when the calling task was cancelled.
    func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream
}

/// What a request carries.
public enum HTTPBody: Hashable, Sendable {
    case none
    case data(Data)
    /// The content of a file, read while it is sent.
    case file(URL)
}

/// A reply whose body is still coming.
public struct HTTPStream: Sendable {
    public var head: HTTPResponse
    /// To be iterated once. Letting go of it ends the call.
    public var body: HTTPBytes

    public init(head: HTTPResponse, body: HTTPBytes) {
        self.head = head
        self.body = body
    }
}

/// The pieces of a body, as they come.
public struct HTTPBytes: AsyncSequence, Sendable {
    public typealias Element = Data
    private let makeNext: @Sendable () -> (@concurrent () async throws -> Data?)

    /// - Parameter makeNext: Makes a function that waits for the next piece; nil is the end. Called once.
    public init(_ makeNext: @escaping @Sendable () -> (@concurrent () async throws -> Data?)) { self.makeNext = makeNext }

    public func makeAsyncIterator() -> Iterator { Iterator(read: makeNext()) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let read: @concurrent () async throws -> Data?
        @concurrent public mutating func next() async throws -> Data? { try await read() }
    }
}

/// A reply with all of its body.
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
    /// - Parameter limit: The most bytes that the reply's body may have.
    /// - Throws: ``TransportError``, `tooLarge` for a longer reply; `CancellationError`.
    public func send(_ request: HTTPRequest, body: HTTPBody = .none, limit: Int = 4_194_304) async throws -> HTTPReply {
        let stream = try await stream(request, body: body)
        var bytes = Data()
        for try await piece in stream.body {
            guard bytes.count + piece.count <= limit else {
                throw TransportError(.tooLarge, "the reply has more than \(limit) bytes")
            }
            bytes += piece
        }
        return HTTPReply(head: stream.head, body: bytes)
    }
}

extension HTTPRequest {
    /// A request to `path`, which may have a query, below `base`, whose own path is kept.
    ///
    /// - Throws: ``TransportError`` `address` when `base` is no address of an HTTP service.
    public init(_ method: Method, _ path: String, below base: URL, headers: HTTPFields = [:]) throws(TransportError) {
        guard let scheme = base.scheme?.lowercased(), scheme == "http" || scheme == "https", let host = base.host(), !host.isEmpty
        else { throw TransportError(.address, "\(base.absoluteString) is not an http or https address") }
        let prefix = base.path(percentEncoded: true)
        let bracketed = host.contains(":") ? "[\(host)]" : host
        self.init(
            method: method, scheme: scheme, authority: base.port.map { "\(bracketed):\($0)" } ?? bracketed,
            path: (prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix) + path, headerFields: headers)
    }

    /// The address of the request.
    package var address: URL? {
        guard let scheme, let authority, let path else { return nil }
        return URL(string: "\(scheme)://\(authority)\(path)")
    }
}
