import CompactEncoding
import CryptoPrimitives
import Foundation
import HyperswarmTestKit
import Testing

@testable import HyperDHT

/// The bytes of blind-relay 1.6.1 and protomux 3.10.3: by their message tables, and as recorded at a relay of the reference.
@Suite struct RelayMessageTests {
    private let token = [UInt8](0..<32)
    private let key = KeyPair(seed: [UInt8](repeating: 1, count: 32))!.publicKey

    private struct Frame {
        var key: String
        var isInitiator: Bool
        var token: String
        /// The peer's own stream id, and the one under which the relay takes its packets.
        var ids: (UInt32, UInt32)
        var wish: String
        var answer: String
    }

    /// The decrypted frames of two peers at one relay: first the client names it, then the server.
    private static let recorded = [
        Frame(
            key: "fe9d4a9d71b2f7c1db34299d5328dba5333fdcbb4d72d7315a413a197a093e33", isInitiator: false,
            token: "b29109fdf84f3672de9b99f7344c88f52e0523200262f55a83650d3a1eae9798", ids: (0xb4a9_0210, 0x3ef8_ce08),
            wish: "010000b29109fdf84f3672de9b99f7344c88f52e0523200262f55a83650d3a1eae9798fe1002a9b400",
            answer: "010000b29109fdf84f3672de9b99f7344c88f52e0523200262f55a83650d3a1eae9798fe08cef83e00"),
        Frame(
            key: "a20d2ad5047a552a40d19741791f7fbde31b5cc8d4c23a770e27ca49dec76568", isInitiator: true,
            token: "b29109fdf84f3672de9b99f7344c88f52e0523200262f55a83650d3a1eae9798", ids: (0x6985_d744, 0x24cf_6dd3),
            wish: "010001b29109fdf84f3672de9b99f7344c88f52e0523200262f55a83650d3a1eae9798fe44d7856900",
            answer: "010001b29109fdf84f3672de9b99f7344c88f52e0523200262f55a83650d3a1eae9798fed36dcf2400"),
        Frame(
            key: "fe9d4a9d71b2f7c1db34299d5328dba5333fdcbb4d72d7315a413a197a093e33", isInitiator: true,
            token: "0ca1e688d3967a6d6c8de26302c2a15b5a34bf75a27a2eabe66bb51663a5cfa5", ids: (0x891a_3165, 0xbc13_c64a),
            wish: "0100010ca1e688d3967a6d6c8de26302c2a15b5a34bf75a27a2eabe66bb51663a5cfa5fe65311a8900",
            answer: "0100010ca1e688d3967a6d6c8de26302c2a15b5a34bf75a27a2eabe66bb51663a5cfa5fe4ac613bc00"),
        Frame(
            key: "a20d2ad5047a552a40d19741791f7fbde31b5cc8d4c23a770e27ca49dec76568", isInitiator: false,
            token: "0ca1e688d3967a6d6c8de26302c2a15b5a34bf75a27a2eabe66bb51663a5cfa5", ids: (0x694b_7640, 0x896c_65a0),
            wish: "0100000ca1e688d3967a6d6c8de26302c2a15b5a34bf75a27a2eabe66bb51663a5cfa5fe40764b6900",
            answer: "0100000ca1e688d3967a6d6c8de26302c2a15b5a34bf75a27a2eabe66bb51663a5cfa5fea0656c8900"),
    ]

    @Test func framesAreThoseOfTheReference() throws {
        for frame in Self.recorded {
            let peer = try #require(PublicKey(Hex.bytes(frame.key)))
            var channel = RelayChannel(peer: peer)
            #expect(channel.opening == Hex.bytes("0001010b626c696e642d72656c617920" + frame.key))
            func message(_ id: UInt32) -> RelayMessage {
                .pair(isInitiator: frame.isInitiator, token: Hex.bytes(frame.token), streamID: id)
            }
            #expect(channel.frame(message(frame.ids.0)) == Hex.bytes(frame.wish))
            // The relay's side of the channel has the same number and id.
            #expect(try channel.receive(channel.opening).isEmpty)
            #expect(try channel.receive(Hex.bytes(frame.answer)) == [.received(message(frame.ids.1))])
        }
    }

    @Test func pairAndUnpairHaveTheirBytes() throws {
        let pair = RelayMessage.pair(isInitiator: true, token: token, streamID: 0x0102_0304)
        #expect(pair.type == 0)
        #expect(pair.payload == [1] + token + [0xfe, 4, 3, 2, 1] + [0])
        #expect(RelayMessage.pair(isInitiator: false, token: token, streamID: 7).payload == [0] + token + [7, 0])
        let unpair = RelayMessage.unpair(token: token)
        #expect(unpair.type == 1)
        #expect(unpair.payload == [0] + token)
        for message in [pair, unpair] { #expect(try RelayMessage.decode(type: message.type, message.payload) == message) }
        #expect(try RelayMessage.decode(type: 2, [1, 2, 3]) == nil)
        // Bits and fields of later versions are ignored.
        #expect(
            try RelayMessage.decode(type: 0, [0x7f] + token + [7, 0, 9, 9]) == .pair(isInitiator: true, token: token, streamID: 7))
    }

    @Test func malformedMessagesAreRefused() {
        #expect(throws: CompactEncodingError.self) { try RelayMessage.decode(type: 0, [1] + token) }
        #expect(throws: CompactEncodingError.self) { try RelayMessage.decode(type: 1, [0, 1]) }
        // A stream id has 32 bits.
        let wide: [UInt8] = [0xff, 0, 0, 0, 0, 1, 0, 0, 0]
        #expect(throws: CompactEncodingError.self) { try RelayMessage.decode(type: 0, [1] + token + wide + [0]) }
    }

    @Test func channelOpensUnderProtocolAndKey() throws {
        let channel = RelayChannel(peer: key)
        #expect(channel.opening == [0, 1, 1, 11] + Array("blind-relay".utf8) + [32] + key.bytes)
        #expect(channel.frame(.unpair(token: token)) == [1, 1, 0] + token)
    }

    @Test func batchCarriesMessagesOfSeveralChannels() throws {
        let frame: [UInt8] = [0, 0, 1, 3, 0, 8, 9, 2, 1, 7, 0, 0, 2, 3, 5]
        #expect(
            try MultiplexMessage.decode(frame) == [
                .data(channel: 1, type: 0, payload: [8, 9]), .data(channel: 1, type: 1, payload: [7]), .close(channel: 5),
            ])
        #expect(throws: CompactEncodingError.self) { try MultiplexMessage.decode([0, 0, 1] + [UInt8](repeating: 0, count: 4096)) }
    }

    private func check(_ channel: inout RelayChannel, _ frame: [UInt8], _ expected: [RelayChannel.Event]) throws {
        let events = try channel.receive(frame)
        #expect(events == expected)
    }

    @Test func channelTakesMessagesAfterThePeersOpening() throws {
        var peer = RelayChannel(peer: key)
        let relay = RelayChannel(peer: key)
        let answer = RelayMessage.pair(isInitiator: true, token: token, streamID: 5)
        try check(&peer, relay.frame(answer), [])
        try check(&peer, relay.opening, [])
        try check(&peer, relay.frame(answer), [.received(answer)])
        // Another channel, and the same one again, are refused; the peer's close ends the channel.
        let other = MultiplexMessage.open(channel: 2, protocolName: "other", id: []).encoded
        try check(&peer, other, [.send([0, 2, 2])])
        try check(&peer, relay.opening, [.send([0, 2, 1])])
        try check(&peer, MultiplexMessage.close(channel: 1).encoded, [.closed])
        try check(&peer, relay.frame(answer), [])
    }

    @Test func rejectedChannelIsClosed() throws {
        var peer = RelayChannel(peer: key)
        try check(&peer, MultiplexMessage.reject(channel: 1).encoded, [.closed])
    }

    @Test func tokenPairsOneInitiatorWithOneOther() {
        var pairing = RelayPairing()
        let first = RelayPairing.Side(session: 1, isInitiator: true, streamID: 10)
        let second = RelayPairing.Side(session: 2, isInitiator: false, streamID: 20)
        #expect(pairing.pair(first, token: token) == nil)
        #expect(pairing.pair(RelayPairing.Side(session: 3, isInitiator: true, streamID: 30), token: token) == nil)
        #expect(pairing.pair(second, token: token) == [first, second])
        #expect(pairing.pair(second, token: token) == nil)
        #expect(pairing.waitingCount == 0)
        // A stranger does not end it; the end of one peer's connection does.
        let isEnded = pairing.unpair(token: token, session: 3)
        #expect(!isEnded)
        #expect(pairing.endSession(2) == [token])
        #expect(pairing.pairedCount == 0)
        #expect(pairing.endSession(1).isEmpty)
    }

    @Test func pairingsAreBounded() {
        var limits = RelayPairing.Limits()
        limits.maximumCountOfSession = 2
        limits.maximumWaitingCount = 3
        var pairing = RelayPairing(limits: limits)
        for session in 1...3 {
            for number in 0..<5 as Range<UInt8> {
                _ = pairing.pair(
                    RelayPairing.Side(session: session, isInitiator: true, streamID: 1), token: [UInt8(session), number])
            }
        }
        #expect(pairing.waitingCount == 3)
        for session in 1...3 { _ = pairing.endSession(session) }
        #expect(pairing.waitingCount == 0)
    }
}
