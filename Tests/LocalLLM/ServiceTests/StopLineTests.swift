import Foundation
import LocalLLMClient
import LocalLLMService
import LocalLLMTestKit
import LocalLLMWire
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

/// The time from the tap on Stop to the model server: through the real client, host and engine to a real socket.
@MainActor
@Suite struct StopLineTests {
    @Test func tapOnStopClosesTheModelServersConnection() async throws {
        let closed = Locked([ContinuousClock.Instant]())
        let times = try await StandInServer.run { request in
            switch request.line {
            case "GET /api/tags", "GET /api/ps": try await request.reply(#"{"models":[{"name":"m"}]}"#)
            default:
                try await request.beginStream()
                try await request.stream(#"{"message":{"content":"endless"},"done":false}"# + "\n")
                await request.untilClosed()
                closed.withLock { $0.append(.now) }
            }
        } _: { server in
            try await Self.times(of: server, closed)
        }
        print("from Stop to the model server:", times.sorted().map { "\($0)" }.joined(separator: ", "))
        // The goal is 100 ms. Other tests may take the processor, so the times are printed only: a stop that waited for the next piece
        // would never arrive, since there is none.
        #expect(times.count == 9)
    }

    private static func times(of server: StandInServer, _ closed: Locked<[ContinuousClock.Instant]>) async throws -> [Duration] {
        let engine = OllamaEngine(ModelServer(at: server.address, http: AsyncHTTP(idleTimeout: .seconds(600))))
        let network = TestPeers()
        let host = try await RealHost(on: network, answering: engine)
        let phone = ChatPhone(network)
        try await phone.connect(to: host.id)
        var times: [Duration] = []
        for count in 1...9 {
            #expect(phone.client.send("p"))
            try await phone.until(.streaming)
            let tap = ContinuousClock.now
            phone.client.stop()
            try await eventually { closed.withLock { $0.count } == count }
            times.append(closed.withLock { $0[count - 1] } - tap)
            try await phone.until(.finished(.abort))
            #expect(phone.last?.answer == "endless")
        }
        return times
    }
}
