import Foundation
import LocalLLMWire
import NIOTransport
import NetworkingKit
import TestKit
import Testing

@testable import LocalLLMService

/// A stop, from the phone to the socket of the model server.
@Suite struct StopTests {
    enum Cause: CaseIterable {
        case abort, lostPhone, stoppedHost, removedPhone
    }

    @Test(arguments: Cause.allCases)
    func stopReachesTheModelServer(_ cause: Cause) async throws {
        let closed = Signal()
        try await StandInServer.run { request in
            switch request.line {
            case "GET /api/tags", "GET /api/ps": try await request.reply(#"{"models":[{"name":"m"}]}"#)
            default:
                try await request.beginStream()
                try await request.stream(#"{"message":{"content":"endless"},"done":false}"# + "\n")
                await request.untilClosed()
                closed.send()
            }
        } _: { server in
            let engine = OllamaEngine(ModelServer(at: server.address, http: AsyncHTTP(idleTimeout: .seconds(600))))
            try await HostUnderTest.run(engine) { test in
                let phone = try await test.connect()
                try await phone.start()
                #expect(try await phone.nextReply() == .chatChunk(RequestID("r")!, ChatChunk("endless")))
                switch cause {
                case .abort: try await phone.send(.abort(RequestID("r")!))
                case .lostPhone: phone.stream.close()
                case .stoppedHost: await test.host.stop()
                case .removedPhone: #expect(try await test.host.remove(HostUnderTest.phoneKey(0)))
                }
                try await closed.wait()
                if cause == .abort { #expect(try await phone.nextReply() == .chatEnd(RequestID("r")!, .abort)) }
            }
        }
    }
}
