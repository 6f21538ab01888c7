import Foundation
import ServerKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// The same routes as a phone meets them: bytes on a port.
@Suite struct OverThePortTests {
    let relay: TestRelay
    let pair: TestRelay.Pair

    init() async throws {
        relay = try await TestRelay()
        pair = try await relay.pair()
    }

    private var hostPath: String { "/ws/host/\(pair.host)?token=\(pair.owner.token)" }

    private func onPort(_ body: @escaping @Sendable (ServerUnderTest) async throws -> Void) async throws {
        try await ServerUnderTest.run([relay.parts], body)
    }

    @Test(arguments: ["", "/simbridge"]) func itWorksAloneAndBelowAPrefix(_ prefix: String) async throws {
        try await ServerUnderTest.run([relay.parts], isAlone: prefix.isEmpty) { server async throws in
            #expect(try await server.http.send("GET", "\(prefix)/docs").status == 200)
            let devices = try await server.http.send(
                "GET", "\(prefix)/devices", headers: ["Authorization": "bearer \(pair.owner.token)"])
            #expect(try WireJSON.decode([Device].self, from: devices.body).count == 2)
            try await WebSocketProbe.open(port: server.port, prefix + hostPath) { socket async throws in
                #expect(try await socket.receive().text == #"{"device_id":\#(pair.host),"type":"connected"}"#)
            }
        }
    }

    @Test func handshakesThatAreRefused() async throws {
        let token = pair.owner.token
        let expected: [(String, Int)] = [
            ("/ws/host/\(pair.host)?token=nonsense", 401), ("/ws/host/\(pair.host)", 403), ("/ws/host/\(pair.host)?token=", 403),
            ("/ws/host/x?token=\(token)", 403), ("/ws/fridge/\(pair.host)?token=\(token)", 403), ("/nowhere?token=\(token)", 403),
            ("/ws/client/\(pair.host)?token=\(token)", 403), ("/ws/host/999?token=\(token)", 403),
        ]
        try await onPort { server async throws in
            for (path, status) in expected {
                let refused = await #expect(throws: WebSocketProbe.Refused.self) { () async throws in
                    try await WebSocketProbe.open(port: server.port, path) { _ in }
                }
                #expect(refused?.reply.status == status, "\(path)")
                #expect(refused?.reply.text.contains("\"detail\"") == true)
            }
            for path in [hostPath, "/ws/host/\(pair.host)", "/ws/host/x"] {
                #expect(try await server.http.send("GET", path).status == 404)
            }
        }
    }

    @Test func framesOfEveryKind() async throws {
        try await onPort { server async throws in
            try await WebSocketProbe.open(port: server.port, hostPath) { socket async throws in
                _ = try await socket.receive()
                // Fragments with a control frame between them.
                try await socket.send(
                    .init(opcode: 1, isFinal: false, payload: Array(#"{"type":"#.utf8)), .ping([7]),
                    .init(opcode: 0, payload: Array(#""ping"}"#.utf8)))
                #expect(try await socket.receive() == .pong([7]))
                #expect(try await socket.receive().text == #"{"type":"pong"}"#)
                try await socket.send(.binary(Array(#"{"type":"ping"}"#.utf8)))
                #expect(try await socket.receive().text == #"{"type":"pong"}"#)
                try await socket.send(.init(opcode: 1, payload: [0xff, 0xfe]))
                #expect(try await socket.receive().closeCode == 1007)
            }
            try await WebSocketProbe.open(port: server.port, hostPath) { socket async throws in
                _ = try await socket.receive()
                let head: [UInt8] = [0x81, 0xff] + [0, 0, 0, 0, 1, 0, 0, 1] + [0, 0, 0, 0]
                try await socket.connection.send(head)
                #expect(try await socket.receive().closeCode == 1009)
            }
        }
    }

    @Test func aReplacedSocketIsToldWhy() async throws {
        try await onPort { server async throws in
            try await WebSocketProbe.open(port: server.port, hostPath) { first async throws in
                _ = try await first.receive()
                try await WebSocketProbe.open(port: server.port, hostPath) { second async throws in
                    let goodbye = try await first.receive()
                    #expect(goodbye.closeCode == 1008 && goodbye.closeReason == "Replaced by new connection")
                    #expect(try await second.receive().text.contains("connected"))
                }
            }
        }
    }

    /// Be it cut or with a close frame. Suites of others look after 0.3 s; here it may take as long as the machine is busy.
    @Test(arguments: [true, false]) func aClosedSocketReadsOfflineAtOnce(_ saysGoodbye: Bool) async throws {
        try await onPort { server async throws in
            try await WebSocketProbe.open(port: server.port, hostPath) { socket async throws in
                _ = try await socket.receive()
                #expect(try await relay.devices(of: pair.owner)[0].isOnline)
                if saysGoodbye {
                    try await socket.send(.close(1000))
                    #expect(try await socket.receive().closeCode == 1000)
                    try await eventually { try await !relay.devices(of: pair.owner)[0].isOnline }
                }
            }
            try await eventually { try await !relay.devices(of: pair.owner)[0].isOnline }
        }
    }

    @Test func aMessageOfManyMegabytesIsCarried() async throws {
        let filling = String(repeating: "x", count: 8_000_000)
        try await onPort { server async throws in
            try await WebSocketProbe.open(port: server.port, hostPath) { host async throws in
                _ = try await host.receive()
                try await WebSocketProbe.open(port: server.port, "/ws/client/\(pair.client)?token=\(pair.owner.token)") {
                    client async throws in
                    _ = try await client.receive()
                    try await client.send(.text(#"{"type":"webrtc","sdp":"\#(filling)"}"#))
                    var received = try await host.receive().text
                    // On a busy machine the relay's ping may be due first.
                    while received == #"{"type":"ping"}"# { received = try await host.receive().text }
                    #expect(received.utf8.count > 8_000_000)
                }
            }
        }
    }
}
