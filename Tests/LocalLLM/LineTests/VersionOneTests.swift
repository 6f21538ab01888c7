import CryptoPrimitives
import Foundation
import HyperDHT
import HyperswarmTestKit
import LocalLLMClient
import LocalLLMTestKit
import LocalLLMWire
import NetworkingKit
import SwarmTransport
import TestKit
import Testing
import WireKit

/// Peers that know only version 1 of the protocol, and none of its additions, on real streams of the peer-to-peer network.
@Suite(.serialized) struct VersionOneTests {
    // MARK: A phone of version 1

    @Test func phoneOfVersion1IsAnswered() async throws {
        try await Testnet.with(10) { network in
            let host = try await RealHost(accepting: SwarmTransport(node: try await network.addPeer()))
            let phone = try await OldPhone.connect(to: host.id, on: network)
            let info = try await phone.next("server_info")
            #expect(info["host_name"] == .string("Ada’s Mac") && info["model"] == .string("llama"))
            #expect(info["status"] == .string("ready"))

            // Two answers, of which the second is stopped.
            try await phone.write(#"{"type":"chat_start","request_id":"1","payload":{"prompt":"Hello"}}"#)
            #expect(try await phone.next("server_info")["status"] == .string("busy"))
            for piece in ["Good ", "day"] {
                try await host.engine.say(piece)
                // No number, and nothing else that version 1 does not have.
                #expect(try await phone.next("chat_chunk", "1") == ["text": .string(piece)])
            }
            #expect(host.lastTurns == [ChatTurn(.user, "Hello")])
            try await host.engine.end()
            #expect(try await phone.next("chat_end", "1") == ["finish_reason": .string("stop")])

            try await phone.write(#"{"type":"chat_start","request_id":"2","payload":{"prompt":"Once more"}}"#)
            // The engine's progress is not told: this phone has not asked for it.
            try await host.engine.report(ChatProgress(.loading))
            try await host.engine.say("Go")
            #expect(try await phone.next("chat_chunk", "2") == ["text": .string("Go")])
            try await phone.write(#"{"type":"abort","request_id":"2"}"#)
            #expect(try await phone.next("chat_end", "2") == ["finish_reason": .string("abort")])
            try await eventually { host.engine.cancelCount == 1 }

            // An empty line, and one that nobody understands.
            try await phone.write("\nnonsense")
            #expect(try await phone.next("error")["code"] == .string("BAD_MESSAGE"))

            // The end of the stream stops the engine.
            try await phone.write(#"{"type":"chat_start","request_id":"3","payload":{"prompt":"And again"}}"#)
            try await host.engine.say("Never")
            #expect(try await phone.next("chat_chunk", "3") == ["text": .string("Never")])
            phone.close()
            try await eventually { host.engine.cancelCount == 2 }
            try await eventually { await host.isIdle }
            _ = await host.quit()
        }
    }

    // MARK: A host of version 1

    /// A topic that is no public key: y = 2 is no point of the curve.
    private static let topic = ServerID([2] + [UInt8](repeating: 0, count: 31))!

    private static func oldHost(_ number: UInt8, on network: Testnet, topic: ServerID) async throws -> ScriptedHost {
        let keyPair = try #require(KeyPair(seed: [UInt8](repeating: number, count: 32)))
        let transport = SwarmTransport(node: try await network.addPeer(), keyPair: keyPair)
        return try await ScriptedHost(accepting: transport, topic: topic, opening: [.serverInfo(ScriptedHost.version1)])
    }

    @Test func hostOfVersion1Answers() async throws {
        // A random topic may be a public key or not.
        let random = try #require(ServerID(KeyPair.generate().publicKey.bytes))
        for topic in [Self.topic, random] {
            try await Testnet.with(10) { network in
                let host = try await Self.oldHost(1, on: network, topic: topic)
                try await Self.chat(with: host, at: topic, try await HostNetwork.swarm(network))
                await host.quit()
            }
        }
    }

    @MainActor
    private static func chat(with host: ScriptedHost, at topic: ServerID, _ network: HostNetwork) async throws {
        let phone = ChatPhone(network)
        phone.client.connect(to: topic.text)
        try await phone.until { $0.link == .open && $0.screen == .chat }
        #expect(!phone.client.isVerified && phone.client.info == ScriptedHost.version1)
        #expect(phone.client.hosts.map(\.isVerified) == [false])
        #expect(host.connectionCount == 1)

        phone.client.send("Hello")
        let first = try await host.start()
        #expect(first.start == ChatStart(prompt: "Hello"))
        try await host.send(Data(#"{"type":"chat_chunk","request_id":"\#(first.id)","payload":{"text":"Good "}}"#.utf8))
        try await host.send(.chatChunk(first.id, ChatChunk("day")))
        try await phone.until { $0.conversation?.exchanges.last?.answer == "Good day" }
        try await host.send(.chatEnd(first.id, .stop))
        try await phone.until(.finished(.stop))

        phone.client.send("Once more")
        let second = try await host.start(2)
        // Such a host keeps no conversation.
        #expect(second.start == ChatStart(prompt: "Once more"))
        try await host.send(.chatChunk(second.id, ChatChunk("Go")))
        try await phone.until(.streaming)
        phone.client.stop()
        try await host.abort(of: second.id)
        try await host.send(.chatEnd(second.id, .abort))
        try await phone.until(.finished(.abort))

        phone.client.send("And again")
        let third = try await host.start(3)
        try await host.send(.chatChunk(third.id, ChatChunk("Never")))
        try await phone.until(.streaming)
        host.disconnect()
        try await phone.until { $0.screen == .connect && $0.problem?.code == .hostDisconnected }
        #expect(phone.last?.problem?.code == .hostDisconnected && phone.last?.answer == "Never")
        #expect(phone.client.address == topic.text)
        // It comes back by itself, and does not repeat a request that the host cannot continue.
        try await phone.until { $0.link == .open && $0.screen == .chat }
        #expect(host.starts.count == 3 && phone.exchanges.map(\.answer) == ["Good day", "Go", "Never"])
        await phone.quit()
    }

    @Test func changedKeyOfAHostOfVersion1IsAskedAboutFirst() async throws {
        try await Testnet.with(10) { network in
            let host = try await Self.oldHost(1, on: network, topic: Self.topic)
            let swarm = try await HostNetwork.swarm(network)
            let phone = try await Self.pin(host, swarm)
            await host.quit()
            let other = try await Self.oldHost(2, on: network, topic: Self.topic)
            try await Self.decide(phone, known: host, other)
            await other.quit()
        }
    }

    @MainActor
    private static func pin(_ host: ScriptedHost, _ network: HostNetwork) async throws -> ChatPhone {
        let phone = ChatPhone(network)
        try await phone.connect(to: topic)
        phone.client.disconnect()
        return phone
    }

    @MainActor
    private static func decide(_ phone: ChatPhone, known: ScriptedHost, _ other: ScriptedHost) async throws {
        phone.client.connect(to: topic.text)
        try await phone.until { $0.keyQuestion != nil }
        #expect(phone.client.keyQuestion?.knownKey == known.key.description)
        #expect(phone.client.keyQuestion?.newKey == other.key.description)
        #expect(phone.client.screen == .connect && !phone.client.send("secret"))
        phone.client.acceptKey(false)
        try await phone.until { $0.link == .idle }
        #expect(phone.client.problem == ChatProblem(.connectFailed, .keyRefused) && other.messages.isEmpty)

        phone.client.connect(to: topic.text)
        try await phone.until { $0.keyQuestion != nil }
        phone.client.acceptKey(true)
        try await phone.until { $0.link == .open }
        phone.client.send("Hello")
        let start = try await other.start()
        try await other.send(.chatChunk(start.id, ChatChunk("Hi")))
        try await other.send(.chatEnd(start.id, .stop))
        try await phone.until(.finished(.stop))
        #expect(phone.last?.answer == "Hi")
        await phone.quit()
    }

    // MARK: Both of this version

    @Test func hostWithKeyAndTopicIsDialledOnce() async throws {
        try await Testnet.with(10) { network in
            let host = try await RealHost(accepting: SwarmTransport(node: try await network.addPeer()))
            try await Self.chat(with: host, try await HostNetwork.swarm(network))
            #expect(host.connectionCount == 1)
            _ = await host.quit()
        }
    }

    @MainActor
    private static func chat(with host: RealHost, _ network: HostNetwork) async throws {
        let phone = ChatPhone(network)
        phone.client.connect(to: host.id.text)
        try await phone.until { $0.link == .open && $0.screen == .chat }
        #expect(phone.client.isVerified && phone.client.attempts.count == 1)
        phone.client.send("Hello")
        for piece in ["Good ", "day"] { try await host.engine.say(piece) }
        try await host.engine.end()
        try await phone.until(.finished(.stop))
        #expect(phone.last?.answer == "Good day")
        await phone.quit()
    }
}

extension HostNetwork {
    /// The network of phones that share a node.
    static func swarm(_ network: Testnet) async throws -> HostNetwork {
        let node = try await network.addPeer()
        return HostNetwork { secret, _ in SwarmTransport(node: node, keyPair: KeyPair(seed: Array(secret))) }
    }
}

/// A phone of version 1: looks up the Server ID as a topic, sends the fields of version 1, and ignores all others.
private final class OldPhone: Sendable {
    private struct State {
        var framing = NewlineFraming()
        var lines: [Data] = []
    }

    private struct Unexpected: Error {}

    private let stream: any ByteStream
    private let state = Locked(State())

    private init(_ stream: any ByteStream) { self.stream = stream }

    static func connect(to id: ServerID, on network: Testnet) async throws -> OldPhone {
        let transport = SwarmTransport(node: try await network.addPeer())
        return OldPhone(try await transport.dial(.topic(try #require(PeerTopic(id.bytes)))))
    }

    func write(_ line: String) async throws { try await stream.write(Data("\(line)\n".utf8)) }
    func close() { stream.close() }

    /// The payload of the next message, which has this type and request. Introductions may come at any time.
    func next(_ type: String, _ request: String? = nil) async throws -> [String: JSONValue] {
        while true {
            let line = try await line()
            guard case .object(let message) = try WireJSON.decode(JSONValue.self, from: line) else { throw Unexpected() }
            if message["type"] == .string("server_info"), type != "server_info" { continue }
            try #require(message["type"] == .string(type), "\(String(decoding: line, as: UTF8.self))")
            try #require(message["request_id"] == request.map(JSONValue.string))
            guard case .object(let payload) = message["payload"] else { throw Unexpected() }
            return payload
        }
    }

    private func line() async throws -> Data {
        try await within { [self] in
            while true {
                if let line = state.withLock({ $0.lines.isEmpty ? nil : $0.lines.removeFirst() }) { return line }
                guard let bytes = try await stream.read() else { throw Unexpected() }
                try state.withLock { state in
                    for case .complete(let line) in try state.framing.receive(bytes) { state.lines.append(line) }
                }
            }
        }
    }
}
