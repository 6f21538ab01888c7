import Foundation
import HTTPTypes
import NetworkingKit
import TestKit
import Testing

/// The conformance tests of WebSocket transports.
@Suite struct SocketTransportTests {
    @Test(arguments: SocketTransportKind.allCases) func messagesComeBackInOrder(_ kind: SocketTransportKind) async throws {
        try await kind.use { sockets, base async throws in
            let socket = try await sockets.echo(base)
            for number in 0..<50 {
                try await socket.send(.text("häl\(number)")); #expect(try await socket.receive() == .text("häl\(number)"))
            }
            try await socket.send(.data(Data([0, 255])))
            #expect(try await socket.receive() == .data(Data([0, 255])))
        }
    }

    /// The first message may arrive in the same segment as the reply to the handshake.
    @Test(arguments: SocketTransportKind.allCases) func greetingIsNotLost(_ kind: SocketTransportKind) async throws {
        try await kind.use { sockets, base async throws in
            try await withThrowingTaskGroup(of: SocketMessage?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        let socket = try await sockets.connect(try HTTPRequest(.get, "/greeting", below: base))
                        return try await within(.seconds(20)) { try await socket.receive() }
                    }
                }
                for try await greeting in group { #expect(greeting == .text("hello")) }
            }
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func refusalContainsTheReply(_ kind: SocketTransportKind) async throws {
        try await kind.use { sockets, base async throws in
            let error = await #expect(throws: TransportError.self) { try await sockets.echo(base, token: "bad") }
            #expect(error?.code == .refused)
            #expect(error?.reply?.head.status == .unauthorized)
            #expect(error?.reply.map { String(decoding: $0.body, as: UTF8.self).contains("who are you") } == true)
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func closeReasonIsReported(_ kind: SocketTransportKind) async throws {
        try await kind.use { sockets, base async throws in
            for (word, end) in [("close", SocketEnd(1008, "asked to")), ("bye", SocketEnd(1000)), ("fail", SocketEnd(1011))] {
                let socket = try await sockets.echo(base)
                try await socket.send(.text(word))
                #expect(try await within { try await socket.receive() } == nil)
                #expect(socket.end == end)
                await #expect(throws: TransportError.self) { try await socket.send(.text("more")) }
            }
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func oversizedMessageEndsTheConnection(_ kind: SocketTransportKind) async throws
    {
        try await kind.use { sockets, base async throws in
            let upwards = try await sockets.echo(base)
            // The service may close before everything is written.
            try? await upwards.send(.text(String(repeating: "x", count: 150_000)))
            await expectEnd(of: upwards)
            let downwards = try await sockets.echo(base, maximumMessageSize: 1000)
            try await downwards.send(.text("large"))
            await expectEnd(of: downwards)
        }
    }

    private func expectEnd(of socket: any SocketConnection) async {
        do {
            #expect(try await within { try await socket.receive() } == nil)
        } catch {
            #expect(error is TransportError)
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func unreadMessagesWaitWithoutLoss(_ kind: SocketTransportKind) async throws {
        let calls = SampleCalls()
        try await kind.use(calls) { sockets, base async throws in
            let socket = try await sockets.echo(base)
            try await socket.send(.text("flood"))
            // Within the process each message waits for the reader; a network has buffers for all of them.
            try await eventually { calls.flowed == (kind == .inProcess ? 1 : 1000) }
            for number in 0..<1000 { #expect(try await socket.receive() == .text("\(number)")) }
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func postedMessagesArriveInOrder(_ kind: SocketTransportKind) async throws {
        try await kind.use { sockets, base async throws in
            let socket = try await sockets.echo(base)
            try await socket.send(.text("post"))
            var seen: [SocketMessage?] = []
            for _ in 0...1000 { seen.append(try await within { try await socket.receive() }) }
            let numbers = seen.filter { $0 != .text("end") }
            #expect(numbers == (0..<1000).map { .text("\($0)") })
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func postedBytesAreBounded(_ kind: SocketTransportKind) async throws {
        let calls = SampleCalls()
        try await kind.use(calls) { sockets, base async throws in
            let socket = try await sockets.echo(base)
            try await socket.send(.text("overflow"))
            // The kernel buffers some messages in addition.
            try await eventually { calls.taken != nil }
            let taken = try #require(calls.taken)
            #expect(taken >= 10)
            for _ in 0..<taken { #expect(try await within { try await socket.receive() } != nil) }
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func pingIsAnswered(_ kind: SocketTransportKind) async throws {
        try await kind.use { sockets, base async throws in
            let socket = try await sockets.echo(base)
            for _ in 0..<3 { try await within { try await socket.ping() } }
            socket.close(.normal)
            await #expect(throws: TransportError.self) { try await within { try await socket.ping() } }
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func cancelledReaderLeavesTheConnectionOpen(_ kind: SocketTransportKind)
        async throws
    {
        try await kind.use { sockets, base async throws in
            let socket = try await sockets.echo(base)
            for turns in Self.turns {
                let reader = Task { try await socket.receive() }
                await yield(turns)
                reader.cancel()
                await #expect(throws: CancellationError.self) { try await within { try await reader.value } }
                try await socket.send(.text("still here"))
                #expect(try await within { try await socket.receive() } == .text("still here"))
            }
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func cancellationEndsAPendingConnection(_ kind: SocketTransportKind)
        async throws
    {
        let calls = SampleCalls()
        try await kind.use(calls) { sockets, base async throws in
            let opening = Task { try await sockets.connect(try HTTPRequest(.get, "/hesitant", below: base)) }
            try await eventually { calls.held == 1 }
            opening.cancel()
            await #expect(throws: CancellationError.self) { try await within { try await opening.value } }
        }
    }

    @Test(arguments: SocketTransportKind.allCases) func closingEndsTheReader(_ kind: SocketTransportKind) async throws {
        try await kind.use { sockets, base async throws in
            for turns in Self.turns {
                let socket = try await sockets.echo(base)
                let reader = Task { try await socket.receive() }
                await yield(turns)
                socket.close(.normal)
                #expect(try await within { try await reader.value } == nil)
            }
        }
    }

    /// Numbers of yields before the reader is cancelled or closed: whether it has begun to wait by then must not matter.
    private static let turns = [0, 1, 10, 100, 1000]
    private func yield(_ turns: Int) async { for _ in 0..<turns { await Task.yield() } }
}
