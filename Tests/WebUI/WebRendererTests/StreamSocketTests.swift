import Foundation
import PlatformKit
import SwiftUI
import TestKit
import Testing

@testable import WebRenderer

/// Binary streams over the socket of a page.
@Suite struct StreamSocketTests {
    private func run(_ body: @escaping @Sendable (TestSite, _ cookie: String) async throws -> Void) async throws {
        let cookie = Secret.make()
        try await TestSite.run { _ in
            Text(verbatim: "hello")
        } body: { site in
            try await body(site, cookie)
        }
    }

    /// Opens a stream, to which `page` agrees.
    private func open(_ delivery: StreamDelivery, on site: TestSite, _ cookie: String, _ page: PageProbe) async throws -> PageStream
    {
        async let opened = site.sessions.phone(cookie).openStream("test", delivery)
        _ = try await page.acceptStream()
        return try await opened.stream
    }

    @Test func bytesTravelInBothDirections() async throws {
        try await run { site, cookie in
            try await site.page(cookie: cookie) { page in
                let stream = try await open(.reliable, on: site, cookie, page)
                try await stream.write(Data("down".utf8))
                #expect(try await page.nextBinary() == StreamFrame(.data, stream: 1, payload: Data("down".utf8)))
                try await page.send(StreamFrame(.data, stream: 1, payload: Data("up".utf8)))
                try await page.send(StreamFrame(.end, stream: 1, sequence: 1))
                #expect(try await stream.next()?.bytes == Data("up".utf8))
                #expect(try await stream.next() == nil)
                async let finished: Void = stream.finish()
                let last = [try await page.nextBinary(), try await page.nextBinary()]
                #expect(
                    Set(last) == [StreamFrame(.acknowledge, stream: 1, sequence: 2), StreamFrame(.end, stream: 1, sequence: 1)])
                try await page.send(StreamFrame(.acknowledge, stream: 1, sequence: 2))
                try await finished
            }
        }
    }

    @Test func aFileContinuesOnTheNextConnection() async throws {
        try await run { site, cookie in
            let (session, stream) = try await site.page(cookie: cookie) { page in
                let stream = try await open(.reliable, on: site, cookie, page)
                for number in 0..<3 { try await stream.write(Data([UInt8(number)])) }
                for number in 0..<3 { #expect(try await page.nextBinary().sequence == number) }
                return (await page.session, stream)
            }
            try await eventually { await site.sessions.attachedCount == 0 }
            try await stream.write(Data([3]))
            try await site.page(cookie: cookie, session: session) { page in
                #expect(try await page.nextBinary() == StreamFrame(.resume, stream: 1))
                #expect(try await page.nextBinary() == StreamFrame(.acknowledge, stream: 1))
                // The page has received the first item, and the box has received no acknowledgement.
                try await page.send(StreamFrame(.resume, stream: 1, sequence: 1))
                for number in 1..<4 {
                    #expect(
                        try await page.nextBinary()
                            == StreamFrame(.data, stream: 1, sequence: UInt32(number), payload: Data([UInt8(number)])))
                }
            }
        }
    }

    @Test func liveStreamsContinueWithNewItems() async throws {
        try await run { site, cookie in
            let (session, stream) = try await site.page(cookie: cookie) { page in
                let stream = try await open(.live, on: site, cookie, page)
                try await page.send(StreamFrame(.data, stream: 1, payload: Data([0])))
                #expect(try await stream.next() == StreamChunk(bytes: Data([0])))
                try await stream.write(Data([0]))
                return (await page.session, stream)
            }
            try await eventually { await site.sessions.attachedCount == 0 }
            try await stream.write(Data([1]))
            try await site.page(cookie: cookie, session: session) { page in
                try await page.send(StreamFrame(.resume, stream: 1))
                try await page.send(StreamFrame(.data, stream: 1, sequence: 6, payload: Data([6])))
                #expect(try await stream.next() == StreamChunk(bytes: Data([6]), missingCount: 5))
                try await stream.write(Data([2]))
                var frame = try await page.nextBinary()
                while frame.kind != .data { frame = try await page.nextBinary() }
                #expect(frame == StreamFrame(.data, stream: 1, sequence: 2, payload: Data([2])))
            }
        }
    }

    @Test func aReloadEndsTheStreams() async throws {
        try await run { site, cookie in
            let (session, stream) = try await site.page(cookie: cookie) { page in
                (await page.session, try await open(.reliable, on: site, cookie, page))
            }
            try await site.page(cookie: cookie, session: session, document: "reloaded") { page in
                #expect(await page.isResumed == true)
                await #expect(throws: PageError.absent) { try await stream.next() }
            }
        }
    }

    @Test func aForgottenPhoneEndsTheStreams() async throws {
        try await run { site, cookie in
            try await site.page(cookie: cookie) { page in
                let stream = try await open(.reliable, on: site, cookie, page)
                let next = Task { try await stream.next() }
                await site.sessions.forget(secret: cookie)
                await #expect(throws: PageError.absent) { try await next.value }
            }
        }
    }

    @Test func refusedStreamsAreRemoved() async throws {
        try await run { site, cookie in
            try await site.page(cookie: cookie) { page in
                let phone = await site.sessions.phone(cookie)
                let opened = Task { try await phone.openStream("unknown", .live).stream }
                try await page.wait { !$0.requests.isEmpty }
                let number = try #require(await page.requests.first).number
                try await page.write(text: #"{"reply":\#(number),"error":"unsupported"}"#)
                await #expect(throws: PhoneError.unsupported) { try await opened.value }
                #expect(try await page.nextBinary() == StreamFrame(.cancel, stream: 1))
                #expect(await phone.session()?.streams.count == 0)
            }
        }
    }

    @Test(arguments: [[], [0], [UInt8](repeating: 255, count: 64), [UInt8](repeating: 1, count: 200_000)])
    func invalidFramesAffectNoOtherStream(_ bytes: [UInt8]) async throws {
        try await run { site, cookie in
            try await site.page(cookie: cookie) { page in
                try await page.send(bytes: bytes)
                let stream = try await open(.reliable, on: site, cookie, page)
                try await stream.write(Data([1]))
                #expect(try await page.nextBinary().payload == Data([1]))
            }
        }
    }
}
