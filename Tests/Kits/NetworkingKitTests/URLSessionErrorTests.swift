import Foundation
import HTTPTypes
import Testing

@testable import NetworkingKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What `URLSession` reports, as the errors that every transport has.
@Suite struct URLSessionErrorTests {
    private static func response(_ status: Int, _ headers: [String: String] = [:]) -> URLResponse? {
        HTTPURLResponse(
            url: URL(string: "wss://box.example/live")!, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    }

    /// The session's error says nothing of the reply, whatever it is.
    @Test(
        arguments: [302, 400, 401, 403, 404, 407, 410, 426, 429, 500, 502, 503, 200],
        [
            URLError.Code.badServerResponse, .cannotParseResponse, .networkConnectionLost, .cancelled, .userAuthenticationRequired,
            nil,
        ])
    func refusalHasTheStatusOfTheReply(_ status: Int, _ code: URLError.Code?) throws {
        let reply = Self.response(status, ["Retry-After": "10"])
        let error = try #require(TransportError.opening(code.map { URLError($0) }, reply) as? TransportError)
        #expect(error.code == .refused && error.reply?.head.status.code == status)
        #expect(error.reply?.head.headerFields[HTTPField.Name("Retry-After")!] == "10")
    }

    @Test func refusedTokenIsFinalForTheLine() throws {
        let error = TransportError.opening(URLError(.badServerResponse), Self.response(401))
        #expect(LineFailure(error).hop == .token && LineFailure(error).isFinal)
        // The one status that has an error of its own.
        let bare = TransportError.opening(URLError(.userAuthenticationRequired), nil)
        #expect(LineFailure(bare).hop == .token)
        #expect(LineFailure(TransportError.opening(URLError(.badServerResponse), Self.response(503))).hop == .service)
    }

    @Test func openingWithoutAReplyHasTheErrorOfTheSession() {
        func code(_ error: (any Error)?, _ reply: URLResponse? = nil) -> TransportError.Code? {
            (TransportError.opening(error, reply) as? TransportError)?.code
        }
        #expect(code(nil) == .network)
        #expect(code(URLError(.timedOut)) == .timedOut)
        #expect(code(URLError(.cannotFindHost)) == .network)
        #expect(code(URLError(.badServerResponse)) == .malformed)
        #expect(code(POSIXError(.ECONNREFUSED)) == .network)
        // The reply switches protocols, and does not prove that it has read the request (RFC 6455, section 4.1).
        #expect(code(URLError(.badServerResponse), Self.response(101)) == .malformed)
        #expect(code(nil, Self.response(101)) == .malformed)
        #expect(code(URLError(.networkConnectionLost), Self.response(101)) == .ended)
        #expect(TransportError.opening(URLError(.cancelled), nil) is CancellationError)
        // A pinned certificate decides before the server can reply.
        let pin = TransportError(.tls, "another certificate")
        #expect(TransportError.opening(pin, Self.response(401)) as? TransportError == pin)
    }

    @Test func deniedLocalNetworkHasAReasonOfItsOwn() async {
        let server = URL(string: "http://192.168.1.20:8077")
        func code(_ error: any Error, isDenied: Bool, server: URL? = server) async -> TransportError.Code? {
            (await TransportError.explained(error, server: server) { _ in isDenied } as? TransportError)?.code
        }
        let offline = TransportError.opening(URLError(.notConnectedToInternet), nil)
        #expect(await code(offline, isDenied: true) == .localNetworkDenied)
        // On a Wi-Fi without the internet the system says this instead.
        #expect(await code(TransportError.from(URLError(.dataNotAllowed)), isDenied: true) == .localNetworkDenied)
        #expect(await code(offline, isDenied: false) == .network)
        #expect(await code(offline, isDenied: true, server: nil) == .network)
        // Where a connection was attempted, nothing is asked.
        #expect(await code(TransportError.from(URLError(.cannotConnectToHost)), isDenied: true) == .network)
        #expect(await code(TransportError.from(URLError(.timedOut)), isDenied: true) == .timedOut)
        let denied = TransportError(.localNetworkDenied, "")
        #expect(LineFailure(denied).hop == .network && !LineFailure(denied).isFinal)
    }

    @Test(arguments: [
        (URLError.Code.appTransportSecurityRequiresSecureConnection, TransportError.Code.address), (.badURL, .address),
        (.fileDoesNotExist, .address), (.clientCertificateRequired, .tls), (.serverCertificateUntrusted, .tls),
        (.dataLengthExceedsMaximum, .tooLarge), (.networkConnectionLost, .ended), (.cannotParseResponse, .malformed),
        (.notConnectedToInternet, .network), (.dataNotAllowed, .network),
    ])
    func errorOfTheSessionHasItsCode(_ code: URLError.Code, _ expected: TransportError.Code) {
        #expect((TransportError.from(URLError(code)) as? TransportError)?.code == expected)
    }

    /// An open WebSocket reports the system's errors.
    @Test(arguments: [
        (POSIXErrorCode.EMSGSIZE, TransportError.Code.tooLarge), (.ENOTCONN, .ended), (.ECONNRESET, .ended),
        (.ECONNABORTED, .ended),
        (.EPIPE, .ended), (.ETIMEDOUT, .timedOut), (.EPROTO, .malformed), (.EHOSTUNREACH, .network), (.ENETDOWN, .network),
    ])
    func errorOfTheSystemHasItsCode(_ code: POSIXErrorCode, _ expected: TransportError.Code) {
        #expect((TransportError.from(POSIXError(code)) as? TransportError)?.code == expected)
        #expect(
            (TransportError.from(NSError(domain: NSPOSIXErrorDomain, code: Int(code.rawValue))) as? TransportError)?.code
                == expected)
    }

    @Test(arguments: [
        ("http://box.example:8077", "ws://box.example:8077/live?after=1"),
        ("https://box.example", "wss://box.example/live?after=1"),
        ("https://[fe80::1]:8443/pager", "wss://[fe80::1]:8443/pager/live?after=1"),
    ])
    func webSocketHasItsOwnScheme(_ base: String, _ address: String) throws {
        var request = try HTTPRequest(.get, "/live?after=1", below: URL(string: base)!, headers: [.authorization: "Bearer a"])
        let opening = try URLRequest(webSocket: request)
        #expect(opening.url?.absoluteString == address)
        #expect(opening.value(forHTTPHeaderField: "Authorization") == "Bearer a")
        request.scheme = opening.url?.scheme
        #expect(try URLRequest(webSocket: request).url == opening.url)
        request.scheme = "ftp"
        #expect(throws: TransportError.self) { try URLRequest(webSocket: request) }
    }
}
