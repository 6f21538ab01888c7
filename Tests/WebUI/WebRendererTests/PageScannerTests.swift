import Foundation
import PlatformKit
import QRCode
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// The camera of a browser, on the side of the box.
@Suite struct PageScannerTests {
    /// A still of a code; without a text a white one.
    private static func still(_ text: String? = nil, side: Int = 200) throws -> Data {
        var pixels = Data(repeating: 255, count: side * side)
        if let text {
            let symbol = try QRSymbol(text)
            let dots = side / (symbol.size + 8)
            for row in 0..<symbol.size * dots {
                for column in 0..<symbol.size * dots where symbol[row / dots, column / dots] {
                    pixels[(row + 4 * dots) * side + column + 4 * dots] = 0
                }
            }
        }
        return header(side, side) + pixels
    }

    private static func header(_ width: Int, _ height: Int) -> Data {
        Data([UInt8(width >> 8), UInt8(width & 255), UInt8(height >> 8), UInt8(height & 255)])
    }

    /// A page whose camera is open, and the scan that waits for it.
    private func scan(
        wanted: @escaping @Sendable (String) -> Bool = { _ in true }, clock: any Clock<Duration> = ContinuousClock(),
        _ body: @escaping @Sendable (PageProbe, Task<String?, any Error>, TestSite, _ cookie: String) async throws -> Void
    ) async throws {
        let cookie = Secret.make()
        try await TestSite.run { _ in
            Text(verbatim: "hello")
        } body: { site in
            try await site.page(cookie: cookie) { page in
                let scanner = PageScanner(phone: await site.sessions.phone(cookie), app: "test", page: nil, clock: clock)
                let scan = Task { try await scanner.text(prompt: "Look.", where: wanted) }
                try await body(page, scan, site, cookie)
            }
        }
    }

    /// Sends bytes in chunks, the first with the number `sequence`.
    @discardableResult
    private func send(_ bytes: Data, to stream: UInt32, of page: PageProbe, from sequence: UInt32 = 0) async throws -> UInt32 {
        var (rest, sequence) = (bytes[...], sequence)
        while !rest.isEmpty {
            let chunk = rest.prefix(StreamFrame.maximumPayloadLength)
            try await page.send(StreamFrame(.data, stream: stream, sequence: sequence, payload: Data(chunk)))
            rest = rest.dropFirst(chunk.count)
            sequence += 1
        }
        return sequence
    }

    private func expectCancel(of stream: UInt32, on page: PageProbe) async throws {
        var frame = try await page.nextBinary()
        while frame.kind == .acknowledge { frame = try await page.nextBinary() }
        #expect(frame == StreamFrame(.cancel, stream: stream))
    }

    @Test func codeIsReadAndTheCameraIsClosed() async throws {
        try await scan { page, scan, _, _ in
            let stream = try await page.acceptStream()
            let next = try await send(Self.still(), to: stream, of: page)
            try await send(Self.still("localllm://abc"), to: stream, of: page, from: next)
            #expect(try await scan.value == "localllm://abc")
            try await expectCancel(of: stream, on: page)
        }
    }

    @Test func promptTravelsToThePage() async throws {
        try await scan { page, scan, _, _ in
            try await page.wait { !$0.requests.isEmpty }
            let request = try #require(await page.requests.first)
            let expected: JSONValue = .object([
                "id": .integer(1), "purpose": .string("scanner"), "delivery": .string("reliable"), "window": .integer(262_144),
                "value": .object(["prompt": .string("Look.")]),
            ])
            #expect(request.value == expected)
            scan.cancel()
            await #expect(throws: CancellationError.self) { try await scan.value }
        }
    }

    @Test func otherCodesArePassedOverAndThePageCannotHurryTheBox() async throws {
        let clock = TestClock()
        try await scan(wanted: { $0.hasPrefix("localllm:") }, clock: clock) { page, scan, _, _ in
            let stream = try await page.acceptStream()
            let next = try await send(Self.still("4006381333931"), to: stream, of: page)
            try await send(Self.still("localllm://abc"), to: stream, of: page, from: next)
            // The second still has to wait, however fast it came.
            try await eventually { clock.hasSleeper(for: PageScanner.pause) }
            try await clock.advance(by: PageScanner.pause)
            #expect(try await scan.value == "localllm://abc")
        }
    }

    @Test func closedCameraIsNoText() async throws {
        try await scan { page, scan, _, _ in
            let stream = try await page.acceptStream()
            let next = try await send(Self.still(), to: stream, of: page)
            try await page.send(StreamFrame(.end, stream: stream, sequence: next))
            #expect(try await scan.value == nil)
        }
    }

    @Test(arguments: [("denied", PhoneError.denied), ("gesture", .denied), ("unsupported", .unsupported)])
    func refusedOrMissingCameraIsAnError(_ word: String, _ error: PhoneError) async throws {
        try await scan { page, scan, _, _ in
            try await page.wait { !$0.requests.isEmpty }
            let number = try #require(await page.requests.first).number
            try await page.write(text: #"{"reply":\#(number),"error":"\#(word)"}"#)
            await #expect(throws: error) { try await scan.value }
        }
    }

    @Test(arguments: [(0, 0), (20, 65_535), (65_535, 65_535), (513, 512)])
    func hostileSizesEndTheScan(_ width: Int, _ height: Int) async throws {
        try await scan { page, scan, _, _ in
            let stream = try await page.acceptStream()
            try await send(Self.header(width, height), to: stream, of: page)
            await #expect(throws: PhoneError.failed("the browser's pictures cannot be read")) { try await scan.value }
            try await expectCancel(of: stream, on: page)
        }
    }

    /// The box takes a still of any allowed content, and reads the code after it. All together fit into the stream's window: this page does
    /// not wait for room.
    @Test func randomStillsAreSurvived() async throws {
        let clock = TestClock()
        try await scan(clock: clock) { page, scan, _, _ in
            let stream = try await page.acceptStream()
            var generator = SystemRandomNumberGenerator()
            var next: UInt32 = 0
            for (width, height) in [(21, 21), (300, 40), (450, 450)] {
                let noise = Data((0..<width * height).map { _ in UInt8.random(in: 0...255, using: &generator) })
                next = try await send(Self.header(width, height) + noise, to: stream, of: page, from: next)
                try await eventually { clock.hasSleeper }
                try await clock.advance(by: PageScanner.pause)
            }
            try await send(Self.still("end"), to: stream, of: page, from: next)
            #expect(try await scan.value == "end")
        }
    }

    @Test func cancelledScanClosesTheCamera() async throws {
        try await scan { page, scan, _, _ in
            let stream = try await page.acceptStream()
            try await send(Self.still(), to: stream, of: page)
            scan.cancel()
            await #expect(throws: CancellationError.self) { try await scan.value }
            try await expectCancel(of: stream, on: page)
        }
    }

    @Test func pageThatIsGoneIsAbsent() async throws {
        try await scan { page, scan, site, cookie in
            _ = try await page.acceptStream()
            await site.sessions.forget(secret: cookie)
            await #expect(throws: PhoneError.absent) { try await scan.value }
        }
        await #expect(throws: PhoneError.absent) {
            try await PageScanner(phone: nil, app: "test", page: nil).text(prompt: "") { _ in true }
        }
    }
}
