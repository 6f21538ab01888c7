import Foundation
import Hummingbird
import ServerKit
import TestKit
import Testing
import WireKit

/// The proxy injects exactly the configured faults; the tests of the line rely on that.
@Suite(.seeded) struct LineProxyTests {
    private func proxied<Value: Sendable>(
        _ faults: LineProxy.Faults = .init(), seed: UInt64 = Seed.current,
        _ body: @escaping @Sendable (LineProxy) async throws -> Value
    ) async throws -> Value {
        try await ServerUnderTest.run([SampleService.parts()]) { server in
            try await LineProxy.run(to: server.port, seed: seed, faults: faults, body)
        }
    }

    private func faults(_ set: (inout LineProxy.Faults) -> Void) -> LineProxy.Faults {
        var faults = LineProxy.Faults()
        set(&faults)
        return faults
    }

    private static let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 251) })

    /// The bytes received of an endless reply.
    private func endless(_ proxy: LineProxy) async throws -> [UInt8] {
        try await RawConnection.open(port: proxy.port) { connection async throws in
            try await connection.send("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return try await connection.readToEnd()
        }
    }

    // MARK: Forwarding

    @Test func bytesArriveUnchangedWithoutFaults() async throws {
        try await proxied { proxy async throws in
            let reply = try await HTTPProbe(port: proxy.port).send("POST", "/echo", body: Self.body)
            #expect(reply.status == 201 && reply.body == Self.body)
            #expect(proxy.counts.connections == 1 && proxy.counts.cuts == 0)
            // Bytes are counted when they have been written: the client may be ahead.
            try await eventually { proxy.counts.bytesUp > Self.body.count && proxy.counts.bytesDown > Self.body.count }
        }
    }

    @Test func bytesArriveUnchangedInDelayedChunks() async throws {
        let faults = faults {
            $0.chunkSize = 1...1000
            $0.delay = .zero ... .microseconds(100)
            $0.stall = .init(probability: 0.1, duration: .zero ... .milliseconds(1))
        }
        try await proxied(faults) { proxy async throws in
            let reply = try await HTTPProbe(port: proxy.port).send("POST", "/echo", body: Self.body)
            #expect(reply.status == 201 && reply.body == Self.body)
        }
    }

    @Test func everyChunkIsDelayed() async throws {
        try await proxied(
            faults {
                $0.chunkSize = 1...1
                $0.delay = .milliseconds(1) ... .milliseconds(2)
            }
        ) { proxy async throws in
            let time = try await ContinuousClock().measure { () async throws in
                #expect(try await HTTPProbe(port: proxy.port).send("GET", "/status/200").text == "so")
            }
            #expect(time >= .milliseconds(proxy.counts.bytesUp + proxy.counts.bytesDown))
        }
    }

    @Test func halfClosureIsForwarded() async throws {
        try await proxied { proxy async throws in
            try await RawConnection.open(port: proxy.port) { connection async throws in
                try await connection.send("GET /status/200 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                connection.finishSending()
                #expect(try await HTTPProbe.reply(on: connection).text == "so")
                #expect(try await connection.readToEnd().isEmpty)
            }
            try await eventually { proxy.openCount == 0 }
            #expect(proxy.counts.cuts == 0)
        }
    }

    /// The proxy forwards a thousand bytes per millisecond; the server would send far more.
    @Test func slowReaderDelaysTheSenderWithoutBuffering() async throws {
        try await proxied(
            faults {
                $0.chunkSize = 1000...1000
                $0.delay = .milliseconds(1) ... .milliseconds(1)
            }
        ) { proxy async throws in
            try await RawConnection.open(port: proxy.port) { connection async throws in
                try await connection.send("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
                _ = try await connection.read(500_000)
            }
            #expect(proxy.counts.maximumBuffered < 500_000)
        }
    }

    // MARK: Cuts

    @Test func connectionIsCutAfterExactDownloadBytes() async throws {
        try await proxied(
            faults {
                $0.cutAfter = 12_345...12_345
                $0.resets = 0
            }
        ) { proxy async throws in
            #expect(try await endless(proxy).count == 12_345)
            #expect(proxy.counts.bytesDown == 12_345 && proxy.counts.cuts == 1)
        }
    }

    @Test func connectionIsCutAfterExactUploadBytes() async throws {
        try await proxied(faults { $0.cutAfter = 5000...5000 }) { proxy async throws in
            await #expect(throws: (any Error).self) {
                try await HTTPProbe(port: proxy.port).send("POST", "/echo", body: Self.body)
            }
            #expect(proxy.counts.bytesUp == 5000 && proxy.counts.cuts == 1)
        }
    }

    @Test func sameSeedCutsAtTheSameBytes() async throws {
        let faults = faults {
            $0.cutAfter = 200...20_000
            $0.chunkSize = 1...5000
            $0.resets = 0
        }
        func lengths(_ seed: UInt64) async throws -> [Int] {
            try await proxied(faults, seed: seed) { proxy async throws in
                var lengths: [Int] = []
                for _ in 0..<10 { lengths.append(try await endless(proxy).count) }
                return lengths
            }
        }
        let first = try await lengths(1)
        #expect(try await lengths(1) == first)
        #expect(try await lengths(2) != first)
        #expect(Set(first).count > 5)
    }

    @Test(arguments: [(0.0, 0), (1.0, ECONNRESET)] as [(Double, CInt)]) func cutIsAnEndOrAReset(
        _ resets: Double, _ error: CInt
    ) async throws {
        try await proxied(
            faults {
                $0.cutAfter = 0...0
                $0.resets = resets
            }
        ) { proxy async throws in
            #expect(Self.error(afterSending: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", to: proxy.port) == error)
        }
    }

    /// The error of a blocking socket, which distinguishes an end from a reset.
    private static func error(afterSending text: String, to port: Int) -> CInt {
        let socket = Foundation.socket(AF_INET, Sockets.stream, 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return errno }
        var bytes = Array(text.utf8)
        guard write(socket, &bytes, bytes.count) == bytes.count else { return errno }
        while true {
            let count = read(socket, &bytes, bytes.count)
            if count <= 0 { return count == 0 ? 0 : errno }
        }
    }

    @Test func allConnectionsAreCutAtOnce() async throws {
        let (opened, isOpen) = AsyncStream.makeStream(of: Void.self)
        try await proxied { proxy async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        let headers = ["Authorization": "Bearer good"]
                        try await WebSocketProbe.open(port: proxy.port, "/socket", headers: headers) { socket async throws in
                            try await socket.send(.text("a"))
                            #expect(try await socket.receive() == .text("a"))
                            isOpen.yield()
                            await #expect(throws: RawConnection.Ended.self) { try await socket.receive() }
                        }
                    }
                }
                for await _ in opened.prefix(5) {}
                #expect(proxy.openCount == 5)
                await proxy.cutAll()
                #expect(proxy.openCount == 0)
                try await group.waitForAll()
            }
            #expect(proxy.counts.cuts == 5)
        }
    }

    // MARK: Stalls

    @Test func stalledDirectionContinuesWhenReleased() async throws {
        try await proxied(faults { $0.stalled = [.down] }) { proxy async throws in
            async let reply = HTTPProbe(port: proxy.port).send("GET", "/status/200")
            try await eventually { proxy.counts.bytesUp > 0 }
            #expect(proxy.counts.bytesDown == 0)
            proxy.faults = .init()
            #expect(try await reply.text == "so")
        }
    }

    @Test func stallMayNeverEnd() async throws {
        try await proxied(faults { $0.stall = .init(probability: 1) }) { proxy async throws in
            await #expect(throws: TimedOut.self) {
                try await within(.milliseconds(200)) { try await HTTPProbe(port: proxy.port).send("GET", "/status/200") }
            }
            #expect(proxy.counts.connections == 1 && proxy.counts.bytesUp == 0)
        }
    }

    @Test func stallMayEnd() async throws {
        try await proxied(faults { $0.stall = .init(probability: 1, duration: .milliseconds(50) ... .milliseconds(60)) }) {
            proxy async throws in
            let time = try await ContinuousClock().measure { () async throws in
                #expect(try await HTTPProbe(port: proxy.port).send("GET", "/status/200").text == "so")
            }
            #expect(time >= .milliseconds(100))
        }
    }

    // MARK: A service that is down

    private func isRefused(_ proxy: LineProxy) async -> Bool {
        do {
            _ = try await HTTPProbe(port: proxy.port).send("GET", "/status/200")
            return false
        } catch {
            return "\(error)".contains("Connection refused")
        }
    }

    @Test func refusalAffectsNewConnectionsOnly() async throws {
        try await proxied { proxy async throws in
            try await RawConnection.open(port: proxy.port) { connection async throws in
                let request = "GET /status/200 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                // Before its first reply, the connection may not have been accepted yet and would be lost.
                try await connection.send(request)
                _ = try await HTTPProbe.reply(on: connection)
                for _ in 0..<3 {
                    try await proxy.refuse()
                    #expect(await isRefused(proxy))
                    try await connection.send(request)
                    #expect(try await HTTPProbe.reply(on: connection).text == "so")
                    try await proxy.accept()
                    #expect(try await HTTPProbe(port: proxy.port).send("GET", "/status/200").text == "so")
                }
            }
        }
    }

    @Test func cutMayStartAnOutage() async throws {
        let faults = faults {
            $0.cutAfter = 100...1000
            $0.outage = .init(probability: 1, duration: .milliseconds(200) ... .milliseconds(300))
        }
        try await proxied(faults) { proxy async throws in
            _ = try await endless(proxy)
            try await eventually { await isRefused(proxy) }
            proxy.faults = .init()
            try await eventually { await !isRefused(proxy) }
            #expect(try await HTTPProbe(port: proxy.port).send("GET", "/status/200").text == "so")
        }
    }

    @Test func targetCanChange() async throws {
        try await proxied { proxy async throws in
            let target = proxy.target
            // A port without a listener.
            proxy.target = 1
            await #expect(throws: (any Error).self) { try await HTTPProbe(port: proxy.port).send("GET", "/status/200") }
            proxy.target = target
            #expect(try await HTTPProbe(port: proxy.port).send("GET", "/status/200").text == "so")
        }
    }
}
