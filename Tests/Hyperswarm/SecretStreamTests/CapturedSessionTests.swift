import CryptoPrimitives
import HyperswarmTestKit
import Noise
import SecretStream
import Testing

/// Connections recorded on loopback from the reference implementation.
@Suite struct CapturedSessionTests {
    @Test(arguments: ["session-default", "session-open", "session-direct", "session-punch"], ["clientToHost", "hostToClient"])
    func recordedConnectionIsDecrypted(_ file: String, _ direction: String) throws {
        let session = try Vectors(file)
        let recorded = session[direction]
        let noise = session["noiseResult"]
        // The file states the host's keys; the client's are the same ones exchanged.
        let receiverIsHost = direction == "clientToHost"
        let client = try #require(try PublicKey(session["clientPublicKey"].data()))
        let host = try #require(try PublicKey(session["hostPublicKey"].data()))
        let result = NoiseHandshake.Result(
            role: receiverIsHost ? .responder : .initiator, remotePublicKey: receiverIsHost ? client : host,
            hash: try noise["hash"].data(), transmitKey: try noise[receiverIsHost ? "tx" : "rx"].data(),
            receiveKey: try noise[receiverIsHost ? "rx" : "tx"].data())
        #expect(result.receiveKey == recorded["key"].bytes)

        var receiver = EncryptedStream(result)
        var total = 0
        var messages: [[UInt8]] = []
        for payload in try payloads(of: session, streamID: UInt32(recorded["udxStreamId"].number())) {
            total += payload.count
            messages += try receiver.receive(payload)
        }
        try receiver.finish()
        #expect(total == recorded["bytes"].integer)
        let expected = recorded["frames"].array.dropFirst().filter { $0["length"].integer != 17 }
        #expect(messages.count == expected.count)
        for (message, frame) in zip(messages, expected) {
            #expect(message.count + 17 == frame["length"].integer)
            let text = String(decoding: message, as: UTF8.self)
            // Long plaintexts are abbreviated in the file.
            let shown = try frame["plaintext"].text().split(separator: "...", maxSplits: 1)[0]
            #expect(text.hasPrefix(shown))
        }
    }

    /// The payloads of a stream's UDX data packets in the order of their sequence numbers, each once.
    private func payloads(of session: Vectors, streamID: UInt32) throws -> [[UInt8]] {
        var packets: [UInt32: [UInt8]] = [:]
        for datagram in session["datagrams"].array where datagram["kind"].string == "udx" {
            let bytes = try datagram["hex"].data()
            let isData = bytes[2] & 1 == 1
            guard isData, littleEndian(bytes[4..<8]) == streamID else { continue }
            packets[littleEndian(bytes[12..<16])] = Array(bytes.dropFirst(20 + Int(bytes[3])))
        }
        return packets.sorted { $0.key < $1.key }.map(\.value)
    }

    private func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
