import Crypto
import Foundation
import TestKit
import Testing
import WireKit

@testable import PushKit

/// The receiving side of RFC 8291, written from the text of the RFC for these tests: it shares no code with the sender.
struct WebPushReceiver {
    let key: P256.KeyAgreement.PrivateKey
    let secret: Data

    init(key: P256.KeyAgreement.PrivateKey = .init(), secret: Data = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }) {
        self.key = key
        self.secret = secret
    }

    struct Malformed: Error {
        var what: String
    }

    func subscription(_ endpoint: String) throws -> WebPushSubscription {
        try WebPushSubscription(endpoint: endpoint, publicKey: key.publicKey.x963Representation, secret: secret)
    }

    /// Decrypts a body of one record.
    func decrypt(_ body: Data) throws -> Data {
        // RFC 8188, section 2.1: salt (16), record size (4), length of the key identifier (1), key identifier.
        let bytes = [UInt8](body)
        guard bytes.count > 86 else { throw Malformed(what: "header") }
        let salt = bytes[0..<16]
        let recordSize = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
        guard bytes[20] == 65 else { throw Malformed(what: "key identifier") }
        let senderKey = Array(bytes[21..<86])
        let record = bytes[86...]
        guard recordSize >= 18, record.count <= recordSize else { throw Malformed(what: "record size") }
        // RFC 8291, section 3.4, with HMAC instead of a ready-made HKDF.
        let shared = try key.sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PublicKey(x963Representation: senderKey))
        let pseudorandom = hmac(key: Array(secret), shared.withUnsafeBytes { Array($0) })
        let info = Array("WebPush: info".utf8) + [0] + Array(key.publicKey.x963Representation) + senderKey
        let inputKey = hmac(key: pseudorandom, info + [1])
        let mixed = hmac(key: Array(salt), inputKey)
        let contentKey = hmac(key: mixed, Array("Content-Encoding: aes128gcm".utf8) + [0, 1]).prefix(16)
        let nonce = hmac(key: mixed, Array("Content-Encoding: nonce".utf8) + [0, 1]).prefix(12)
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: nonce), ciphertext: record.dropLast(16), tag: record.suffix(16))
        var plain = try AES.GCM.open(box, using: SymmetricKey(data: contentKey))
        // RFC 8188, section 2: padding of zeros behind the delimiter of the last record.
        while plain.last == 0 { plain.removeLast() }
        guard plain.popLast() == 2 else { throw Malformed(what: "delimiter") }
        return plain
    }

    private func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
}

/// Encryption for browsers.
@Suite struct WebPushEncryptionTests {
    /// RFC 8291, appendix A.
    private enum Example {
        static let plaintext = Data("When I grow up, I want to be a watermelon".utf8)
        static let senderKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let receiverKey = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
        static let receiverPublicKey = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let body =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95b"
            + "Qpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"

        static var receiver: WebPushReceiver {
            get throws {
                WebPushReceiver(
                    key: try P256.KeyAgreement.PrivateKey(rawRepresentation: Data(base64URL: receiverKey)!),
                    secret: Data(base64URL: secret)!)
            }
        }
    }

    @Test func exampleOfTheRFCIsEncrypted() throws {
        let receiver = try Example.receiver
        #expect(receiver.key.publicKey.x963Representation.base64URL == Example.receiverPublicKey)
        let body = try WebPushEncryption.body(
            Example.plaintext, for: receiver.subscription("https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"),
            key: P256.KeyAgreement.PrivateKey(rawRepresentation: Data(base64URL: Example.senderKey)!),
            salt: Data(base64URL: Example.salt)!)
        #expect(body.base64URL == Example.body)
    }

    @Test func exampleOfTheRFCIsDecryptedByTheTestsReceiver() throws {
        #expect(try Example.receiver.decrypt(Data(base64URL: Example.body)!) == Example.plaintext)
    }

    @Test(arguments: [0, 1, 100, WebPushMessage.maximumSize])
    func whatIsEncryptedIsDecrypted(_ length: Int) throws {
        let receiver = WebPushReceiver()
        let plaintext = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) })
        let body = try WebPushEncryption.body(plaintext, for: receiver.subscription("https://push.example.net/a"))
        #expect(body.count == length + 103)
        #expect(body.count <= 4096)
        #expect(try receiver.decrypt(body) == plaintext)
    }

    @Test func eachMessageHasItsOwnKeyAndSalt() throws {
        let subscription = try WebPushReceiver().subscription("https://push.example.net/a")
        let bodies = try (0..<20).map { _ in try WebPushEncryption.body(Data("x".utf8), for: subscription) }
        #expect(Set(bodies.map { $0.prefix(16) }).count == 20)
        #expect(Set(bodies.map { $0[21..<86] }).count == 20)
    }

    @Test func anotherReceiverCannotDecrypt() throws {
        let body = try WebPushEncryption.body(Data("x".utf8), for: WebPushReceiver().subscription("https://push.example.net/a"))
        #expect(throws: (any Error).self) { try WebPushReceiver().decrypt(body) }
    }
}

/// Subscriptions come from browsers, so from anybody.
@Suite struct WebPushSubscriptionTests {
    private static let keys = WebPushReceiver()

    @Test func formIsThatOfThePushAPI() throws {
        let key = Self.keys.key.publicKey.x963Representation.base64URL
        let json =
            #"{"endpoint":"https://push.example.net/a?b=c","expirationTime":null,"keys":{"p256dh":"\#(key)","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}"#
        let subscription = try JSONDecoder().decode(WebPushSubscription.self, from: Data(json.utf8))
        #expect(subscription.endpoint.absoluteString == "https://push.example.net/a?b=c")
        #expect(try JSONDecoder().decode(WebPushSubscription.self, from: JSONEncoder().encode(subscription)) == subscription)
    }

    @Test(arguments: [
        "http://push.example.net/a", "ftp://push.example.net/a", "https:///a", "https://user@push.example.net/a", "",
        "https://user:pw@push.example.net/", "https://push.example.net/a#b", "push.example.net", "https://push.example.net/a b",
        "https://push.example.net/" + String(repeating: "x", count: 2048), "https://push.example.net/\u{e9}",
    ])
    func endpointHasToBeAPlainHTTPSAddress(_ endpoint: String) {
        #expect(throws: WebPushSubscriptionError.endpoint) { try Self.keys.subscription(endpoint) }
    }

    @Test func keysHaveToBeAPointAndSixteenBytes() {
        let point = Self.keys.key.publicKey.x963Representation
        for (key, secret) in [
            (point.dropLast(), Self.keys.secret), (Data([4]) + Data(repeating: 1, count: 64), Self.keys.secret),
            (Data(), Self.keys.secret), (point, Self.keys.secret.dropLast()), (point, Data()),
        ] {
            #expect(throws: WebPushSubscriptionError.keys) {
                try WebPushSubscription(endpoint: "https://push.example.net/a", publicKey: Data(key), secret: Data(secret))
            }
        }
    }

    @Test(arguments: [
        ("https://push.example.net/a", "https://push.example.net"), ("https://Push.Example.net:443/a", "https://push.example.net"),
        ("https://push.example.net:8443", "https://push.example.net:8443"), ("https://[2001:db8::1]/a", "https://[2001:db8::1]"),
    ])
    func originIsTheAudienceOfTheToken(_ endpoint: String, _ origin: String) throws {
        #expect(try Self.keys.subscription(endpoint).origin == origin)
    }
}
