package import Crypto
import Foundation
import HTTPTypes
package import Hummingbird
import TestKit
package import WireKit

/// Apple's push service as far as its documentation describes it: checks each request, and replies as told.
package final class StandInAPNS: Sendable {
    package struct Answer: Sendable {
        package var status: Int
        package var reason: String
        package var timestamp: Int64?
        /// The seconds of `Retry-After`.
        package var retryAfter: Int?
        /// True to close the connection instead.
        package var hangsUp: Bool
        /// True to reply only at the end of the test.
        package var stalls: Bool

        package init(
            status: Int, reason: String, timestamp: Int64? = nil, retryAfter: Int? = nil, hangsUp: Bool = false,
            stalls: Bool = false
        ) {
            self.status = status
            self.reason = reason
            self.timestamp = timestamp
            self.retryAfter = retryAfter
            self.hangsUp = hangsUp
            self.stalls = stalls
        }
    }

    private struct State {
        var requests: [ReceivedRequest] = []
        var answers: [String: [Answer]] = [:]
        var hasEnded = false
    }

    package static let bundleID = "com.example.pager"
    package static let keyID = "ABC123DEFG"
    package static let teamID = "TEAM123456"
    package let key: P256.Signing.PrivateKey
    private let now: @Sendable () -> Timestamp
    private let state = Locked(State())

    package init(key: P256.Signing.PrivateKey = .init(), now: @escaping @Sendable () -> Timestamp = { .now }) {
        self.key = key
        self.now = now
    }

    package var requests: [ReceivedRequest] { state.withLock { $0.requests } }

    /// Replies to the next requests for `token` with these answers, in order, after all checks. Then accepts.
    package func set(_ answers: [Answer], for token: String) { state.withLock { $0.answers[token] = answers } }
    package func set(_ status: Int, _ reason: String, for token: String) {
        set([Answer(status: status, reason: reason)], for: token)
    }
    package func end() { state.withLock { $0.hasEnded = true } }

    package func answer(_ request: ReceivedRequest) async throws -> Response {
        state.withLock { $0.requests.append(request) }
        if let failure = check(request) { return Self.response(failure, to: request) }
        let token = String(request.path.split(separator: "/").last ?? "")
        let answer = state.withLock { state -> Answer? in
            guard let answers = state.answers[token], let first = answers.first else { return nil }
            state.answers[token] = Array(answers.dropFirst())
            return first
        }
        guard let answer else { return Self.response(Answer(status: 200, reason: ""), to: request) }
        if answer.hangsUp { throw SecureServer.Hangup() }
        if answer.stalls { try await eventually { [state] in state.withLock { $0.hasEnded } } }
        return Self.response(answer, to: request)
    }

    package static func response(_ answer: Answer, to request: ReceivedRequest) -> Response {
        var headers = HTTPFields([HTTPField(name: HTTPField.Name("apns-id")!, value: request.header("apns-id") ?? "none")])
        if let retryAfter = answer.retryAfter { headers[.retryAfter] = "\(retryAfter)" }
        let timestamp = answer.timestamp.map { #","timestamp":\#($0)"# } ?? ""
        return Response(
            answer.status, answer.reason.isEmpty ? "" : #"{"reason":"\#(answer.reason)"\#(timestamp)}"#, headers: headers)
    }

    /// The documented refusal of a request that breaks a rule; nil for a correct one.
    package func check(_ request: ReceivedRequest) -> Answer? {
        refusal(of: request).map { Answer(status: $0.status, reason: $0.reason) }
    }

    private func refusal(of request: ReceivedRequest) -> (status: Int, reason: String)? {
        if !request.isHTTP2 { return (400, "NotHTTP2") }
        if request.method != "POST" { return (405, "MethodNotAllowed") }
        guard let path = request.path.wholeMatch(of: /\/3\/device\/([0-9a-f]+)/) else { return (404, "BadPath") }
        if path.1.isEmpty { return (400, "MissingDeviceToken") }
        if let failure = checkAuthorization(request.header("authorization")) { return failure }
        if let failure = checkHeaders(request) { return failure }
        return checkPayload(request)
    }

    private struct Claims: Decodable {
        var iss: String
        var iat: Int64
    }

    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    /// Verifies the token without the library that made it.
    private func checkAuthorization(_ text: String?) -> (Int, String)? {
        guard let text, text.hasPrefix("bearer ") else { return (403, "MissingProviderToken") }
        let parts = text.dropFirst(7).split(separator: ".").map(String.init)
        guard parts.count == 3, let signature = Self.bytes(of: parts[2]), signature.count == 64,
            let header = Self.bytes(of: parts[0]).flatMap({ try? JSONDecoder().decode(Header.self, from: $0) }),
            let claims = Self.bytes(of: parts[1]).flatMap({ try? JSONDecoder().decode(Claims.self, from: $0) }),
            header.alg == "ES256", header.kid == Self.keyID, claims.iss == Self.teamID,
            let ecdsa = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.publicKey.isValidSignature(ecdsa, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { return (403, "InvalidProviderToken") }
        let age = now().milliseconds / 1000 - claims.iat
        return (0...3600).contains(age) ? nil : (403, "ExpiredProviderToken")
    }

    private static func bytes(of base64URL: String) -> Data? {
        let base64 = base64URL.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
    }

    private func checkHeaders(_ request: ReceivedRequest) -> (Int, String)? {
        guard let topic = request.header("apns-topic") else { return (400, "MissingTopic") }
        let type = request.header("apns-push-type")
        guard ["alert", "background", "liveactivity"].contains(type) else { return (400, "InvalidPushType") }
        let expected = type == "liveactivity" ? Self.bundleID + ".push-type.liveactivity" : Self.bundleID
        if topic != expected { return (400, "TopicDisallowed") }
        guard let priority = request.header("apns-priority"), ["10", "5", "1"].contains(priority) else {
            return (400, "BadPriority")
        }
        if type == "background", priority != "5" { return (400, "BadPriority") }
        // A relative number would be a date in 1970.
        guard let expiration = request.header("apns-expiration").flatMap({ Int64($0) }),
            expiration == 0 || expiration > now().milliseconds / 1000
        else { return (400, "BadExpirationDate") }
        if let collapseID = request.header("apns-collapse-id"), collapseID.utf8.count > 64 { return (400, "BadCollapseId") }
        let id = request.header("apns-id") ?? ""
        return id.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) == nil ? (400, "BadMessageId") : nil
    }

    private func checkPayload(_ request: ReceivedRequest) -> (Int, String)? {
        if request.body.isEmpty { return (400, "PayloadEmpty") }
        if request.body.count > 4096 { return (413, "PayloadTooLarge") }
        guard case .object(let members)? = try? WireJSON.decode(JSONValue.self, from: request.body),
            case .object(let aps)? = members["aps"]
        else { return (400, "PayloadEmpty") }
        switch request.header("apns-push-type") {
        case "background": return aps["content-available"] == .integer(1) && aps["alert"] == nil ? nil : (400, "InvalidPushType")
        case "liveactivity":
            guard case .integer? = aps["timestamp"], case .string(let event)? = aps["event"], case .object? = aps["content-state"]
            else { return (400, "InvalidPushType") }
            guard event == "start" else { return nil }
            guard case .string? = aps["attributes-type"], case .object? = aps["attributes"], case .object? = aps["alert"]
            else { return (400, "InvalidPushType") }
            return nil
        default: return aps["alert"] == nil ? (400, "InvalidPushType") : nil
        }
    }
}
