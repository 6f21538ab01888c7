import CryptoPrimitives
import HyperswarmTestKit
import Noise
import Testing

@testable import SecretStream

@Suite struct EncryptedStreamTests {
    /// Both ends of a connection, limited to frames of `limit` bytes.
    private func pair(limit: Int = EncryptedStream.defaultMaximumFrameSize) -> (
        initiator: EncryptedStream, responder: EncryptedStream
    ) {
        let (initiator, responder) = handshakes()
        return (EncryptedStream(initiator, maximumFrameSize: limit), EncryptedStream(responder, maximumFrameSize: limit))
    }

    private func handshakes() -> (NoiseHandshake.Result, NoiseHandshake.Result) {
        let (first, second, hash) = (RandomBytes.make(32), RandomBytes.make(32), RandomBytes.make(64))
        let key = KeyPair.generate().publicKey
        return (
            NoiseHandshake.Result(role: .initiator, remotePublicKey: key, hash: hash, transmitKey: first, receiveKey: second),
            NoiseHandshake.Result(role: .responder, remotePublicKey: key, hash: hash, transmitKey: second, receiveKey: first)
        )
    }

    private func code(_ body: () throws -> Void) -> SecretStreamError.Code? {
        do { try body() } catch { return (error as? SecretStreamError)?.code }
        return nil
    }

    @Test func messagesArriveInAnyFragmentation() throws {
        var generator = SplitMix64(4)
        var (sender, receiver) = pair()
        var stream = sender.openingFrame
        var sent: [[UInt8]] = []
        for _ in 0..<200 {
            let message = RandomBytes.make(Int.random(in: 1...3000, using: &generator), using: &generator)
            stream += sender.encrypt(message)
            if Bool.random(using: &generator) { stream += sender.keepAlive() }
            sent.append(message)
        }
        var received: [[UInt8]] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...5000, using: &generator))
            received += try receiver.receive(Array(part))
            rest = rest.dropFirst(part.count)
        }
        #expect(received == sent)
        try receiver.finish()
    }

    @Test func longWritesAreSplitIntoAcceptedFrames() throws {
        var (sender, receiver) = pair(limit: 1017)
        let plaintext = RandomBytes.make(2500)
        _ = try receiver.receive(sender.openingFrame)
        let frames = sender.encrypt(plaintext)
        #expect(frames.count == 2500 + 3 * EncryptedStream.overhead)
        #expect(try receiver.receive(frames).map(\.count) == [1000, 1000, 500])
        #expect(sender.encrypt(Array(plaintext.prefix(1000))).count == 1020)
    }

    @Test func keepAliveIsAnEmptyMessageAndNotDelivered() throws {
        var (sender, receiver) = pair()
        _ = try receiver.receive(sender.openingFrame)
        let frame = sender.keepAlive()
        #expect(Array(frame.prefix(3)) == [0x11, 0, 0])
        #expect(frame.count == 20)
        #expect(try receiver.receive(frame).isEmpty)
        #expect(try receiver.receive(sender.encrypt([1])) == [[1]])
    }

    @Test func headerOfAnotherConnectionIsRefused() throws {
        var (_, receiver) = pair()
        let (stranger, _) = pair()
        #expect(code { _ = try receiver.receive(stranger.openingFrame) } == .wrongHeader)
        #expect(code { _ = try receiver.receive([1]) } == .failedEarlier)
    }

    /// A peer that reflects our own header would otherwise be taken for the other side.
    @Test func ownHeaderReflectedIsRefused() {
        var (sender, _) = pair()
        #expect(code { _ = try sender.receive(sender.openingFrame) } == .wrongHeader)
    }

    @Test func headerLengthIsCheckedBeforeItsBytesArrive() {
        var (_, receiver) = pair()
        #expect(code { _ = try receiver.receive([57, 0, 0]) } == .wrongHeader)
    }

    @Test func announcedLengthIsCheckedBeforeItsBytesArrive() throws {
        var (sender, receiver) = pair(limit: 1000)
        _ = try receiver.receive(sender.openingFrame)
        #expect(code { _ = try receiver.receive([0xe9, 0x03, 0]) } == .frameTooLong)
        var (second, other) = pair(limit: 1000)
        _ = try other.receive(second.openingFrame)
        #expect(code { _ = try other.receive([16, 0, 0]) } == .frameTooShort)
        _ = second.keepAlive()
    }

    @Test func bufferHoldsOnlyWhatArrived() throws {
        var (sender, receiver) = pair()
        _ = try receiver.receive(sender.openingFrame)
        _ = try receiver.receive([0, 0, 0x70] + [UInt8](repeating: 0, count: 100))
        #expect(receiver.bufferedByteCount == 103)
    }

    @Test func changedRepeatedAndMissingMessagesFailTheStream() throws {
        for attack in 0..<3 {
            var (sender, receiver) = pair()
            _ = try receiver.receive(sender.openingFrame)
            let first = sender.encrypt([1, 2, 3])
            var second = sender.encrypt([4, 5, 6])
            switch attack {
            case 0:
                second[10] ^= 1
                _ = try receiver.receive(first)
            case 1:
                _ = try receiver.receive(first)
                second = first
            default:
                break
            }
            #expect(code { _ = try receiver.receive(second) } == .authenticationFailed)
        }
    }

    @Test func endInsideAFrameIsTruncation() throws {
        var (sender, receiver) = pair()
        #expect(
            code {
                var copy = receiver; try copy.finish()
            } == .truncated)
        _ = try receiver.receive(sender.openingFrame)
        #expect(
            code {
                var copy = receiver; try copy.finish()
            } == nil)
        _ = try receiver.receive(Array(sender.encrypt([1]).dropLast()))
        #expect(code { try receiver.finish() } == .truncated)
    }

    @Test func shortUnorderedMessagesAreDropped() {
        let (initiator, responder) = handshakes()
        var sender = UnorderedMessages(initiator)
        let message = sender.encrypt([1])
        let receiver = UnorderedMessages(responder)
        #expect(receiver.decrypt(message) == [1])
        for count in 0..<message.count { #expect(receiver.decrypt(Array(message.prefix(count))) == nil) }
    }

    @Test func randomAndMutatedBytesNeverTrap() throws {
        let count = Fuzz.inputCount(20_000)
        var generator = SplitMix64(5)
        var (sender, receiver) = pair(limit: 5000)
        let opening = sender.openingFrame
        let valid = sender.encrypt(RandomBytes.make(300, using: &generator)) + sender.keepAlive()
        let fresh = receiver
        _ = try receiver.receive(opening)
        let opened = receiver
        for round in 0..<count {
            var stream = round.isMultiple(of: 4) ? fresh : opened
            var bytes = round.isMultiple(of: 4) ? opening : valid
            if round.isMultiple(of: 3) {
                bytes = RandomBytes.make(Int.random(in: 0...400, using: &generator), using: &generator)
            } else {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let messages = try? stream.receive(bytes)
            #expect(stream.bufferedByteCount <= 5003)
            // At most the first frame can still be intact.
            #expect((messages ?? []).count <= 1)
        }
    }
}
