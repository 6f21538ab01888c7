/// One call that a client makes of a service, declared once and used by both sides.
///
/// `Body` is what the request carries, `Reply` what a success answers with, both as JSON; ``NoBody`` stands for nothing.
/// How a system wraps a reply or reports a failure is that system's own convention.
public struct Endpoint<Body: Sendable, Reply: Sendable>: Sendable {
    public var method: HTTPMethod
    /// Absolute path below the service's base URL. A segment that begins with `:` is a parameter: `/api/friends/:friendId`.
    public var path: String

    public init(_ method: HTTPMethod, _ path: String) {
        self.method = method
        self.path = path
    }

    /// The path with each parameter replaced by its value, percent-encoded.
    ///
    /// Parameters that `values` does not name stay as they are, so that a forgotten one is seen in the first test.
    public func path(_ values: [String: String]) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            guard segment.hasPrefix(":"), let value = values[String(segment.dropFirst())] else { return String(segment) }
            return PercentEncoding.encode(value)
        }.joined(separator: "/")
    }
}

/// The request methods that our contracts use.
public enum HTTPMethod: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
}

/// The request carries no body.
public struct NoBody: Hashable, Sendable {
    public init() {}
}

/// Percent-encoding of one path segment or query value (RFC 3986, section 2.1).
enum PercentEncoding {
    /// Keeps unreserved characters (RFC 3986, section 2.3) and encodes every other byte of the UTF-8 form.
    static func encode(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
