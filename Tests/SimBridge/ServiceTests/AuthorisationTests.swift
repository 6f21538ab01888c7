import Foundation
import HTTPTypes
import NetworkingKit
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Every operation, by every unauthorised caller.
@Suite struct AuthorisationTests {
    /// The sender of the call.
    enum Caller: CaseIterable, Sendable {
        case noToken, badSignature, noAlgorithm, expired, otherAccount, unpaired
    }

    /// A call, with the devices of a pair that does not belong to the caller.
    struct Operation: Sendable {
        var name: String
        /// nil: a line.
        var method: HTTPRequest.Method?
        var path: String
        var body = ""
        /// The status for another account; nil: the account has no such resource, and sees its own.
        var foreign: Int?
        /// The status for the owner, whose devices are not paired.
        var unpaired: Int
    }

    private static func operations(host: Device.ID, client: Device.ID, removed: Device.ID) -> [Operation] {
        [
            Operation(
                name: "add device", method: .post, path: "/devices", body: #"{"name":"a","type":"client"}"#, foreign: nil,
                unpaired: 200),
            Operation(name: "devices", method: .get, path: "/devices", foreign: nil, unpaired: 200),
            Operation(name: "pairs", method: .get, path: "/pairings", foreign: nil, unpaired: 200),
            Operation(name: "remove device", method: .delete, path: "/devices/\(removed)", foreign: 404, unpaired: 200),
            Operation(
                name: "new password", method: .post, path: "/auth/password", body: #"{"password":"wrong","new_password":"x"}"#,
                foreign: 403, unpaired: 403),
            Operation(name: "pair", method: .post, path: "/pair?host_device_id=\(host)", foreign: 404, unpaired: 200),
            Operation(
                name: "confirm", method: .post, path: "/pair/confirm", body: #"{"code":"000000","client_device_id":\#(client)}"#,
                foreign: 404, unpaired: 400),
            Operation(
                name: "text", method: .post, path: "/sms", body: #"{"to_device_id":\#(host),"sim":1,"to":"1","body":"b"}"#,
                foreign: 403,
                unpaired: 403),
            Operation(
                name: "call", method: .post, path: "/call", body: #"{"to_device_id":\#(host),"sim":1,"to":"1"}"#, foreign: 403,
                unpaired: 403),
            Operation(name: "SIMs", method: .get, path: "/sims?host_device_id=\(host)", foreign: 403, unpaired: 403),
            Operation(name: "push services", method: .get, path: "/push", foreign: nil, unpaired: 200),
            Operation(
                name: "push on", method: .put, path: "/devices/\(client)/push",
                body: #"{"address":{"ntfy":{"topic":"t"}},"content":"full","language":"en"}"#, foreign: 404, unpaired: 200),
            Operation(name: "push off", method: .delete, path: "/devices/\(client)/push", foreign: 404, unpaired: 200),
            Operation(name: "history", method: .get, path: "/history?device_id=\(host)", foreign: nil, unpaired: 200),
            Operation(name: "host's line", method: nil, path: "/ws/host/\(host)", foreign: 403, unpaired: 101),
            Operation(name: "client's line", method: nil, path: "/ws/client/\(client)", foreign: 403, unpaired: 101),
        ]
    }

    @Test(arguments: Caller.allCases) func restAndHandshakes(_ caller: Caller) async throws {
        let relay = try await TestRelay()
        let owner = try await relay.person()
        let host = try await relay.device(.host, of: owner)
        let client = try await relay.device(.client, of: owner)
        let other = try await relay.person()
        _ = try await relay.device(.client, of: other)
        // Something that only the owner may see.
        let friend = try await relay.device(.client, of: owner)
        try await relay.pair(host, friend, by: owner)
        try await relay.text("private", to: host, by: owner)
        let ownHost = try await relay.device(.host, of: owner)
        let spare = try await relay.device(.client, of: owner)

        let token: String?
        switch caller {
        case .noToken: token = nil
        case .badSignature:
            let signer = await TokenSigner<RelayClaims>(secret: try SigningSecret(String(repeating: "x", count: 40), source: ""))
            token = try await signer.sign(RelayClaims(userId: owner.id, iat: 0, exp: 4_000_000_000))
        case .noAlgorithm:
            let claims = Data(#"{"user_id":\#(owner.id),"iat":0,"exp":4000000000}"#.utf8).base64EncodedString()
            token = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString() + "." + claims.filter { $0 != "=" } + "."
        case .expired:
            let signer = await TokenSigner<RelayClaims>(secret: relay.secret)
            token = try await signer.sign(RelayClaims(userId: owner.id, iat: 0, exp: Int(relay.now.milliseconds / 1000)))
        case .otherAccount: token = other.token
        case .unpaired: token = owner.token
        }
        // The owner's own host without a pairing, for operations that require one.
        for operation in Self.operations(host: caller == .unpaired ? ownHost : host, client: client, removed: spare) {
            let (status, text) =
                if let method = operation.method {
                    try await rest(relay, method, operation, token)
                } else {
                    try await handshake(relay, operation, token)
                }
            let expected: Int
            switch caller {
            case .noToken: expected = operation.method == nil ? 403 : 401
            case .badSignature, .noAlgorithm, .expired: expected = 401
            case .otherAccount: expected = operation.foreign ?? 200
            case .unpaired: expected = operation.unpaired
            }
            #expect(status == expected, "\(operation.name): \(text)")
            #expect(!text.contains("private"), "\(operation.name)")
        }
        if caller != .unpaired { #expect(try await relay.devices(of: owner).count == 5) }
    }

    private func rest(
        _ relay: TestRelay, _ method: HTTPRequest.Method, _ operation: Operation, _ token: String?
    ) async throws -> (Int, String) {
        let reply = try await relay.call(method, operation.path, token: token, body: operation.body)
        return (reply.status, reply.text)
    }

    private func handshake(_ relay: TestRelay, _ operation: Operation, _ token: String?) async throws -> (Int, String) {
        do {
            let line = try await relay.connect(operation.path + (token.map { "?token=\($0)" } ?? ""))
            line.close()
            return (101, "")
        } catch let error as TransportError {
            let reply = try #require(error.reply)
            return (Int(reply.head.status.code), String(decoding: reply.body, as: UTF8.self))
        }
    }

    /// Messages on an open line to devices of another account, and to own devices that are not paired.
    @Test(arguments: ["command", "event", "webrtc"]) func messagesOnALine(_ type: String) async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let stranger = try await relay.pair()
        let unpaired = try await relay.device(.host, of: pair.owner)
        let strangersHost = try await relay.line(.host, stranger.host, of: stranger.owner)
        let ownUnpaired = try await relay.line(.host, unpaired, of: pair.owner)
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        for target in [stranger.host, stranger.client, unpaired, pair.client, Device.ID(999_999), Device.ID(-1)] {
            try await client.send(#"{"type":"\#(type)","cmd":"SEND_SMS","to_device_id":\#(target),"req_id":"r"}"#)
            #expect(try await client.nextText() == #"{"error":"not_paired","req_id":"r","target_device_id":\#(target)}"#)
        }
        try await strangersHost.expectQuiet()
        try await ownUnpaired.expectQuiet()
        #expect(try await relay.history(of: pair.owner).isEmpty)
        #expect(try await relay.history(of: stranger.owner).isEmpty)
    }

    @Test func aLineIsForADeviceOfThatKind() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        for path in ["/ws/host/\(pair.client)", "/ws/client/\(pair.host)", "/ws/host/99999"] {
            let error = await #expect(throws: TransportError.self) { () async throws in
                _ = try await relay.connect(path + "?token=\(pair.owner.token)")
            }
            #expect(error?.reply?.head.status == .forbidden)
            #expect(error?.reply.map { String(decoding: $0.body, as: UTF8.self) } == #"{"detail":"Device not found or not yours"}"#)
        }
    }
}
