/// A call that a client makes to a service, declared once and used by both sides.
///
/// `Body` is the JSON body of the request and `Reply` the JSON of a successful reply; ``NoBody`` stands for an empty request. Each
/// system has its own conventions for envelopes and errors.
public struct Endpoint<Body: Sendable, Reply: Sendable>: Sendable {
    public var method: HTTPMethod
    /// The absolute path below the service's base URL. A segment that begins with `:` is a parameter: `/api/friends/:friendId`.
    public var path: String

    public init(_ method: HTTPMethod, _ path: String) {
        self.method = method
        self.path = path
    }

    /// Returns the path with each parameter replaced by its percent-encoded value.
    ///
    /// Parameters without a value stay unchanged, so that the first test detects a missing one.
    public func path(_ values: [String: String]) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            guard segment.hasPrefix(":"), let value = values[String(segment.dropFirst())] else { return String(segment) }
            return PercentEncoding.encode(value)
        }.joined(separator: "/")
    }
}

/// The HTTP methods that our contracts use.
public enum HTTPMethod: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
}

/// The body type of a request without a body.
public struct NoBody: Hashable, Sendable {
    public init() {}
}

/// Percent-encoding of one path segment or query value (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// Keeps unreserved characters (RFC 3986, section 2.3) and encodes every other byte of the UTF-8 form.
    package static func encode(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            bytes += byte.isURLUnreserved ? [byte] : [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
