import CryptoPrimitives
import HyperswarmTestKit
import Noise
import Testing

@Suite struct NoiseHandshakeTests {
    private let client = KeyPair.generate()
    private let server = KeyPair.generate()

    private func initiator() -> NoiseHandshake {
        NoiseHandshake(.ik, role: .initiator, prologue: [1], staticKey: client, remoteStaticKey: server.publicKey)
    }

    private func responder(prologue: [UInt8] = [1]) -> NoiseHandshake {
        NoiseHandshake(.ik, role: .responder, prologue: prologue, staticKey: server)
    }

    private func code(_ body: () throws -> Void) -> NoiseError.Code? {
        do { try body() } catch { return (error as? NoiseError)?.code }
        return nil
    }

    @Test func otherPrologueOrKeyFailsTheHandshake() throws {
        var sender = initiator()
        let message = try sender.writeMessage([1, 2])
        var wrongPrologue = responder(prologue: [2])
        #expect(code { _ = try wrongPrologue.readMessage(message) } == .authenticationFailed)
        var wrongKey = NoiseHandshake(.ik, role: .responder, prologue: [1], staticKey: .generate())
        #expect(code { _ = try wrongKey.readMessage(message) } == .authenticationFailed)
    }

    @Test func messagesOutOfTurnAreRefused() throws {
        var sender = initiator()
        var receiver = responder()
        #expect(code { _ = try receiver.writeMessage([]) } == .outOfOrder)
        #expect(code { _ = try sender.readMessage([]) } == .outOfOrder)
        _ = try receiver.readMessage(sender.writeMessage([]))
        _ = try sender.readMessage(receiver.writeMessage([]))
        #expect(code { _ = try sender.writeMessage([]) } == .outOfOrder)
        #expect(code { _ = try sender.readMessage([]) } == .outOfOrder)
        #expect(sender.result?.hash == receiver.result?.hash)
    }

    @Test func failedHandshakeStaysFailed() throws {
        var sender = initiator()
        let message = try sender.writeMessage([])
        var receiver = responder()
        #expect(code { _ = try receiver.readMessage(Array(message.prefix(40))) } == .malformedMessage)
        #expect(code { _ = try receiver.readMessage(message) } == .outOfOrder)
        #expect(receiver.result == nil)
    }

    @Test func invalidEphemeralKeyFailsTheHandshake() {
        var receiver = responder()
        let message = [UInt8](repeating: 0, count: 120)
        #expect(code { _ = try receiver.readMessage(message) } == .invalidKey)
    }

    @Test func largestMessageIsBounded() {
        var sender = initiator()
        #expect(code { _ = try sender.writeMessage([UInt8](repeating: 0, count: 65_535)) } == .malformedMessage)
        var receiver = responder()
        #expect(code { _ = try receiver.readMessage([UInt8](repeating: 9, count: 65_536)) } == .malformedMessage)
    }

    @Test func changedOrRandomMessagesNeverPass() throws {
        let count = Fuzz.inputCount(1_000)
        var generator = SplitMix64(3)
        var sender = initiator()
        let message = try sender.writeMessage([1, 2, 3])
        for round in 0..<count {
            var receiver = responder()
            var changed = message
            if round.isMultiple(of: 2) {
                changed[Int.random(in: 0..<changed.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            } else {
                changed = RandomBytes.make(Int.random(in: 0...200, using: &generator), using: &generator)
            }
            #expect(code { _ = try receiver.readMessage(changed) } != nil)
        }
    }
}
