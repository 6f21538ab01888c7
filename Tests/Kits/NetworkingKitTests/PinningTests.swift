import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import NIOTransport
import NetworkingKit
import ServerKit
import TestKit
import Testing
import WireKit

/// Clients that pin the certificate of a server, on the real server.
@Suite struct PinningTests {
    private let folder: TemporaryFolder
    private let certificate: ServerCertificate

    init() throws {
        folder = try TemporaryFolder()
        certificate = try ServerCertificate.stored(in: folder.url.appending(path: "one.pem"))
    }

    private var pin: PinnedCertificate { PinnedCertificate(fingerprint: certificate.fingerprint) }
    private var other: PinnedCertificate {
        get throws {
            PinnedCertificate(fingerprint: try ServerCertificate.stored(in: folder.url.appending(path: "two.pem")).fingerprint)
        }
    }

    /// Runs `body` with the address of a server, with TLS if there is a certificate.
    private func serve(
        _ certificate: ServerCertificate?, _ calls: SampleCalls = SampleCalls(),
        _ body: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        var configuration = WebServer.Configuration()
        configuration.tls = certificate?.tls
        try await ServerUnderTest.run([SampleService.parts(calls)], isAlone: false, configuration: configuration) { server in
            defer { calls.end() }
            try await body(server.port)
        }
    }

    private static func address(_ port: Int, host: String = "127.0.0.1", scheme: String = "https") -> URL {
        URL(string: "\(scheme)://\(host):\(port)/sample/")!
    }

    /// The error of a call, of a WebSocket and, without a pin, of reading the fingerprint.
    private static func errors(_ pin: PinnedCertificate?, _ address: URL, _ transports: NIOTransports = NIOTransports()) async
        -> [TransportError?]
    {
        let service = transports.service(at: address, pinning: pin)
        var errors: [TransportError?] = []
        do {
            _ = try await service.http.send(service.request(.get, "/silent"))
            errors.append(nil)
        } catch { errors.append(error as? TransportError) }
        do {
            _ = try await service.sockets.echo(address)
            errors.append(nil)
        } catch { errors.append(error as? TransportError) }
        guard pin == nil else { return errors }
        do {
            _ = try await transports.fingerprint(of: address)
            errors.append(nil)
        } catch { errors.append(error as? TransportError) }
        return errors
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func serverWithThePinnedCertificateIsReachedByAnyName(_ host: String) async throws {
        try await serve(certificate) { [pin] port in
            let address = Self.address(port, host: host)
            let service = NIOTransports().service(at: address, pinning: pin)
            #expect(try await service.http.send(service.request(.get, "/status/201")).head.status.code == 201)
            let socket = try await service.sockets.echo(address)
            try await socket.send(.text("hello"))
            #expect(try await socket.receive() == .text("hello"))
            socket.close(SocketEnd(1000))
        }
    }

    @Test func otherCertificateIsRefusedBeforeAnythingIsSent() async throws {
        let calls = SampleCalls()
        try await serve(certificate, calls) { [pin, other = try other] port in
            let expected = CertificateMismatch(expected: other.fingerprint, found: pin.fingerprint)
            for error in await Self.errors(other, Self.address(port)) {
                #expect(error?.code == .tls)
                #expect(error?.mismatch == expected)
                #expect(error?.detail.contains("\(other.fingerprint)") == true)
                #expect(error?.detail.contains("\(pin.fingerprint)") == true)
            }
            #expect(calls.held == 0)
        }
    }

    @Test func sameCertificateAfterARestartIsAcceptedAndANewOneRefused() async throws {
        let transports = NIOTransports()
        let (http, sockets) = (transports.http(pinning: pin), transports.sockets(pinning: pin))
        let file = certificate.file
        for _ in 0..<2 {
            try await serve(try ServerCertificate.stored(in: file)) { port in
                let address = Self.address(port)
                #expect(try await http.send(HTTPRequest(.get, "/status/200", below: address)).head.status.code == 200)
                _ = try await sockets.echo(address)
            }
        }
        try FileManager.default.removeItem(at: file)
        let new = try ServerCertificate.stored(in: file)
        try await serve(new) { [pin] port in
            let address = Self.address(port)
            let expected = TransportError(CertificateMismatch(expected: pin.fingerprint, found: new.fingerprint))
            await #expect(throws: expected) { try await http.send(HTTPRequest(.get, "/status/200", below: address)) }
            await #expect(throws: expected) { try await sockets.echo(address) }
        }
    }

    @Test func fingerprintIsReadWithoutARequest() async throws {
        let calls = SampleCalls()
        try await serve(certificate, calls) { [pin] port in
            let found = try await NIOTransports().fingerprint(of: Self.address(port))
            #expect(found == pin.fingerprint)
        }
        #expect(calls.held == 0)
    }

    @Test func selfSignedCertificateIsRefusedWithoutAPin() async throws {
        try await serve(certificate) { port in
            let errors = await Self.errors(nil, Self.address(port))
            #expect(errors.map { $0?.code } == [.tls, .tls, nil])
            #expect(errors.allSatisfy { $0?.mismatch == nil })
        }
    }

    @Test func plainServerBehindAnHTTPSAddressIsATLSError() async throws {
        try await serve(nil) { [pin] port in
            #expect(await Self.errors(pin, Self.address(port)).map { $0?.code } == [.tls, .tls])
            #expect(await Self.errors(nil, Self.address(port)).map { $0?.code } == [.tls, .tls, .tls])
        }
    }

    @Test func plainAddressIsRefusedWhereACertificateIsPinned() async throws {
        let calls = SampleCalls()
        try await serve(nil, calls) { [pin] port in
            let address = Self.address(port, scheme: "http")
            #expect(await Self.errors(pin, address).map { $0?.code } == [.address, .address])
            await #expect(throws: TransportError.self) { try await NIOTransports().fingerprint(of: address) }
        }
        #expect(calls.held == 0)
    }

    @Test func handshakeThatNeverEndsFails() async throws {
        let server = try await Silent(answer: nil)
        let transports = NIOTransports(handshakeTimeout: .milliseconds(300))
        let errors = await Self.errors(pin, Self.address(server.port), transports)
        // AsyncHTTPClient has one time limit for both, and names either.
        #expect([.tls, .timedOut].contains(errors[0]?.code))
        #expect(errors[1]?.code == .tls)
        let error = await #expect(throws: TransportError.self) {
            try await transports.fingerprint(of: Self.address(server.port))
        }
        #expect(error?.code == .tls)
    }

    /// The connection ends, or goes on with bytes of something else.
    @Test(arguments: ["", "\u{16}\u{3}\u{3}\u{0}\u{5}", "SSH-2.0-OpenSSH_9.2\r\n", "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}"])
    func handshakeThatIsCutOffFails(_ answer: String) async throws {
        let server = try await Silent(answer: answer)
        for pin in [pin, nil] {
            for error in await Self.errors(pin, Self.address(server.port)) {
                #expect([.tls, .ended, .network].contains(error?.code), "\(String(describing: error))")
            }
        }
    }

    @Test func cancellationEndsTheReadingOfAFingerprint() async throws {
        let server = try await Silent(answer: nil)
        let reading = Task { try await NIOTransports(handshakeTimeout: .seconds(100)).fingerprint(of: Self.address(server.port)) }
        try await eventually { server.connections > 0 }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await within { try await reading.value } }
    }

    @Test(arguments: [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)])
    func oldVersionsOfTLSAreRefused(_ version: String, _ isSpoken: Bool) async throws {
        let file = certificate.file.path
        let server = try await Program(
            executable: "/usr/bin/openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-cert", file, "-key", file, "-cipher", "ALL:@SECLEVEL=0", "-www", version])
        defer { server.send(SIGKILL) }
        var port: Int?
        while port == nil, let line = try await server.line() {
            if line.hasPrefix("ACCEPT") { port = line.split(separator: ":").last.flatMap { Int($0) } }
        }
        let address = try URL(string: "https://127.0.0.1:\(#require(port))/")!
        let http = AsyncHTTP(pinning: pin)
        if isSpoken {
            let found = try await NIOTransports().fingerprint(of: address)
            #expect(found == certificate.fingerprint)
            #expect(try await http.send(HTTPRequest(.get, "/", below: address)).head.status.code == 200)
        } else {
            await #expect(throws: TransportError.self) { try await NIOTransports().fingerprint(of: address) }
            await #expect(throws: TransportError.self) { try await http.send(HTTPRequest(.get, "/", below: address)) }
        }
    }

    @Test func fingerprintsAreSixtyFourDigits() throws {
        let text = certificate.fingerprint.description
        #expect(text.count == 64 && text == text.lowercased())
        #expect(CertificateFingerprint(text) == certificate.fingerprint)
        #expect(CertificateFingerprint(text.uppercased()) == certificate.fingerprint)
        for wrong in [
            "", String(text.dropLast()), text + "0", "g" + text.dropFirst(), "é" + text.dropFirst(2), " " + text.dropFirst(),
        ] {
            #expect(CertificateFingerprint(wrong) == nil)
        }
        // SHA-256 of no bytes.
        #expect(
            CertificateFingerprint(ofDER: []).description == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        // Until November 2026 a mistake in the comparison took one pair of fingerprints in 256 for equal ones.
        #expect((0..<2_000).allSatisfy { CertificateFingerprint(ofDER: "\($0)".utf8) != CertificateFingerprint(ofDER: [1]) })
    }
}

/// A server that takes connections and never speaks, or sends some bytes and closes.
private final class Silent: Sendable {
    let port: Int
    private let channel: any Channel
    private let count: Locked<Int>

    var connections: Int { count.withLock { $0 } }

    init(answer: String?) async throws {
        let count = Locked(0)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                count.withLock { $0 += 1 }
                if let answer {
                    return channel.pipeline.addHandler(
                        Answer(Array(answer.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })))
                }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.count = count
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }
}

/// Answers the first bytes and closes.
private final class Answer: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in channel.close(promise: nil) }
    }
}
