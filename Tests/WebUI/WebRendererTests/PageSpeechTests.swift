import Foundation
import PlatformKit
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// The microphone and the loudspeaker of a browser, on the side of the box.
@Suite struct PageSpeechTests {
    /// Half a second of a square wave.
    private static let speech = samples(12_000)

    private static func samples(_ count: Int, amplitude: Int16 = 16_384) -> Data {
        (0..<count).reduce(into: Data()) { bytes, index in
            let sample = UInt16(bitPattern: index / 40 % 2 == 0 ? amplitude : -amplitude)
            bytes.append(contentsOf: [UInt8(sample & 255), UInt8(sample >> 8)])
        }
    }

    private func run(_ body: @escaping @Sendable (TestSite, Phone, _ cookie: String) async throws -> Void) async throws {
        let cookie = Secret.make()
        try await TestSite.run { _ in
            Text(verbatim: "hello")
        } body: { site in
            try await body(site, await site.sessions.phone(cookie).phone(for: "test"), cookie)
        }
    }

    private func run(_ body: @escaping @Sendable (PageProbe, Phone) async throws -> Void) async throws {
        try await run { site, phone, cookie in
            try await site.page(cookie: cookie) { page in try await body(page, phone) }
        }
    }

    private func record(on phone: Phone, _ page: PageProbe) async throws -> (recording: any Recording, stream: UInt32) {
        async let recording = phone.microphone.record()
        let stream = try await page.acceptStream()
        return (try await recording, stream)
    }

    private func play(on phone: Phone, _ page: PageProbe) async throws -> (playback: any Playback, stream: UInt32) {
        async let playback = phone.speaker.play()
        let stream = try await page.acceptStream()
        return (try await playback, stream)
    }

    /// Waits for the next frame of this kind.
    @discardableResult
    private func next(_ kind: StreamFrame.Kind, of stream: UInt32, on page: PageProbe) async throws -> StreamFrame {
        while true {
            let frame = try await page.nextBinary()
            if frame.kind == kind, frame.stream == stream { return frame }
        }
    }

    private func refuse(_ word: String, on page: PageProbe) async throws {
        try await page.wait { !$0.requests.isEmpty }
        let number = try #require(await page.takeRequest("stream.open")).number
        try await page.write(text: #"{"reply":\#(number),"error":"\#(word)"}"#)
    }

    private func level(_ recording: any Recording) async -> Double? {
        for await level in recording.levels { return level }
        return nil
    }

    // MARK: The microphone

    @Test func recordingHasEverythingUntilThePageHasEnded() async throws {
        try await run { page, phone in
            let (recording, stream) = try await record(on: phone, page)
            try await page.send(StreamFrame(.data, stream: stream, payload: Self.speech))
            let finished = Task { try await recording.finish() }
            try await next(.end, of: stream, on: page)
            // What the page recorded until it read the end.
            try await page.send(StreamFrame(.data, stream: stream, sequence: 1, payload: Data([1, 2, 3, 4])))
            try await page.send(StreamFrame(.end, stream: stream, sequence: 2))
            #expect(try await finished.value == Self.speech + Data([1, 2, 3, 4]))
        }
    }

    @Test func pageLearnsTheMaximumLength() async throws {
        try await run { page, phone in
            let recording = Task { try await phone.microphone.record() }
            try await page.wait { !$0.requests.isEmpty }
            let expected: JSONValue = .object([
                "id": .integer(1), "purpose": .string("microphone"), "delivery": .string("reliable"), "window": .integer(131_072),
                "value": .object(["samples": .integer(7_200_000)]),
            ])
            #expect(await page.requests.first?.value == expected)
            recording.cancel()
            await #expect(throws: CancellationError.self) { try await recording.value }
        }
    }

    @Test func levelIsTheRootMeanSquare() async throws {
        try await run { page, phone in
            let (recording, stream) = try await record(on: phone, page)
            try await page.send(StreamFrame(.data, stream: stream, payload: Self.speech))
            #expect(await level(recording) == 0.5)
        }
    }

    @Test func recordingThatThePageEndsHasWhatThereIs() async throws {
        try await run { page, phone in
            let (recording, stream) = try await record(on: phone, page)
            try await page.send(StreamFrame(.data, stream: stream, payload: Self.speech))
            try await page.send(StreamFrame(.end, stream: stream, sequence: 1))
            for await _ in recording.levels {}
            #expect(try await recording.finish() == Self.speech)
        }
    }

    @Test(arguments: [
        ("denied", PhoneError.denied), ("unsupported", .unsupported), ("failed", .failed("the browser could not do it")),
        ("gesture", .failed("the browser records only after a tap on the page")),
    ])
    func refusedMicrophoneIsAnError(_ word: String, _ error: PhoneError) async throws {
        try await run { page, phone in
            let recording = Task { try await phone.microphone.record() }
            try await refuse(word, on: page)
            await #expect(throws: error) { try await recording.value }
        }
    }

    @Test(arguments: [Data([1]), samples(501), Data(repeating: 0, count: 999)])
    func unreadableSamplesEndTheRecording(_ bytes: Data) async throws {
        try await run { site, _, cookie in
            try await site.page(cookie: cookie) { page in
                let microphone = PageMicrophone(phone: await site.sessions.phone(cookie), app: "test", maximumSampleCount: 500)
                async let opened = microphone.record()
                let stream = try await page.acceptStream()
                let recording = try await opened
                try await page.send(StreamFrame(.data, stream: stream, payload: bytes))
                try await next(.cancel, of: stream, on: page)
                for await _ in recording.levels {}
                await #expect(throws: PhoneError.failed("the browser's samples cannot be read")) { try await recording.finish() }
            }
        }
    }

    @Test func recordingMayBeAsLongAsTheMaximum() async throws {
        try await run { site, _, cookie in
            try await site.page(cookie: cookie) { page in
                let microphone = PageMicrophone(phone: await site.sessions.phone(cookie), app: "test", maximumSampleCount: 500)
                async let opened = microphone.record()
                let stream = try await page.acceptStream()
                try await page.send(StreamFrame(.data, stream: stream, payload: Self.samples(500)))
                try await page.send(StreamFrame(.end, stream: stream, sequence: 1))
                let recording = try await opened
                #expect(try await recording.finish() == Self.samples(500))
            }
        }
    }

    @Test func pageThatIgnoresTheWindowLosesItsRecording() async throws {
        try await run { page, phone in
            let (recording, stream) = try await record(on: phone, page)
            try await page.send(StreamFrame(.data, stream: stream, sequence: 7, payload: Self.speech))
            try await next(.cancel, of: stream, on: page)
            await #expect(throws: PhoneError.failed("the browser could not do it")) { try await recording.finish() }
        }
    }

    @Test func recordingContinuesOnTheNextConnection() async throws {
        try await run { site, phone, cookie in
            let (session, recording, stream) = try await site.page(cookie: cookie) { page in
                let (recording, stream) = try await record(on: phone, page)
                try await page.send(StreamFrame(.data, stream: stream, payload: Self.speech))
                _ = await level(recording)
                return (await page.session, recording, stream)
            }
            try await eventually { await site.sessions.attachedCount == 0 }
            let finished = Task { try await recording.finish() }
            try await site.page(cookie: cookie, session: session) { page in
                let resumed = try await next(.resume, of: stream, on: page)
                #expect(resumed.sequence == 1)
                try await page.send(StreamFrame(.resume, stream: stream))
                try await page.send(StreamFrame(.data, stream: stream, sequence: 1, payload: Self.speech))
                try await next(.end, of: stream, on: page)
                try await page.send(StreamFrame(.end, stream: stream, sequence: 2))
                #expect(try await finished.value == Self.speech + Self.speech)
            }
        }
    }

    @Test(arguments: [true, false])
    func reloadLeavesWhatWasRecorded(_ hasSamples: Bool) async throws {
        try await run { site, phone, cookie in
            let (session, recording) = try await site.page(cookie: cookie) { page in
                let (recording, stream) = try await record(on: phone, page)
                if hasSamples {
                    try await page.send(StreamFrame(.data, stream: stream, payload: Self.speech))
                    _ = await level(recording)
                }
                return (await page.session, recording)
            }
            try await site.page(cookie: cookie, session: session, document: "reloaded") { _ in
                for await _ in recording.levels {}
                guard hasSamples else {
                    await #expect(throws: PhoneError.absent) { try await recording.finish() }
                    return
                }
                let samples = try await recording.finish()
                #expect(samples == Self.speech)
            }
        }
    }

    @Test func cancelledRecordingTurnsTheMicrophoneOff() async throws {
        try await run { page, phone in
            let (recording, stream) = try await record(on: phone, page)
            recording.cancel()
            try await next(.cancel, of: stream, on: page)
            for await _ in recording.levels {}
            await #expect(throws: CancellationError.self) { try await recording.finish() }
        }
    }

    @Test func releasedRecordingTurnsTheMicrophoneOff() async throws {
        try await run { page, phone in
            let stream = try await record(on: phone, page).stream
            try await next(.cancel, of: stream, on: page)
        }
    }

    @Test func cancelAfterFinishLosesNothing() async throws {
        try await run { page, phone in
            let (recording, stream) = try await record(on: phone, page)
            try await page.send(StreamFrame(.data, stream: stream, payload: Self.speech))
            let finished = Task { try await recording.finish() }
            try await next(.end, of: stream, on: page)
            recording.cancel()
            try await page.send(StreamFrame(.end, stream: stream, sequence: 1))
            #expect(try await finished.value == Self.speech)
        }
    }

    @Test func secondRecordingEndsTheFirst() async throws {
        try await run { page, phone in
            let (first, stream) = try await record(on: phone, page)
            let (second, _) = try await record(on: phone, page)
            try await next(.end, of: stream, on: page)
            try await page.send(StreamFrame(.data, stream: stream, payload: Self.speech))
            try await page.send(StreamFrame(.end, stream: stream, sequence: 1))
            #expect(try await first.finish() == Self.speech)
            second.cancel()
        }
    }

    @Test func pageIsAskedForAMicrophone() async throws {
        try await run { page, phone in
            let isAvailable = Task { await phone.microphone.isAvailable() }
            try await page.wait { !$0.requests.isEmpty }
            let number = try #require(await page.takeRequest("microphone.available")).number
            try await page.write(text: #"{"reply":\#(number),"v":true}"#)
            #expect(await isAvailable.value)
        }
        try await run { _, phone, _ in
            #expect(await !phone.microphone.isAvailable())
            await #expect(throws: PhoneError.absent) { try await phone.microphone.record() }
            await #expect(throws: PhoneError.absent) { try await phone.speaker.play() }
        }
    }

    // MARK: The loudspeaker

    @Test func playbackIsFinishedWhenThePageHasPlayedIt() async throws {
        try await run { page, phone in
            let (playback, stream) = try await play(on: phone, page)
            try await playback.append(Self.speech)
            #expect(try await next(.data, of: stream, on: page).payload == Self.speech)
            let finished = Task { try await playback.finish() }
            #expect(try await next(.end, of: stream, on: page).sequence == 1)
            try await page.send(StreamFrame(.acknowledge, stream: stream, sequence: 2))
            try await page.send(StreamFrame(.end, stream: stream))
            try await finished.value
        }
    }

    @Test func moreThanFiveSecondsWaitForThePage() async throws {
        try await run { page, phone in
            let (playback, stream) = try await play(on: phone, page)
            let appended = Locked(0)
            let playing = Task {
                for _ in 0..<12 {
                    try await playback.append(Self.speech)
                    appended.withLock { $0 += 1 }
                }
            }
            // 24,000 bytes and 256 for each chunk, in a window of 262,144.
            try await eventually { appended.withLock { $0 } == 10 }
            for number in 0..<10 { #expect(try await next(.data, of: stream, on: page).sequence == number) }
            try await page.send(StreamFrame(.acknowledge, stream: stream, sequence: 2))
            try await playing.value
        }
    }

    @Test(arguments: [StreamFrame.Kind.cancel, .data])
    func playbackThatThePageStopsThrows(_ kind: StreamFrame.Kind) async throws {
        try await run { page, phone in
            let (playback, stream) = try await play(on: phone, page)
            try await playback.append(Self.speech)
            let finished = Task { try await playback.finish() }
            try await next(.end, of: stream, on: page)
            // A page that plays sends nothing.
            try await page.send(StreamFrame(kind, stream: stream, payload: kind == .data ? Data([0]) : Data()))
            try await page.send(StreamFrame(.acknowledge, stream: stream, sequence: 2))
            await #expect(throws: PhoneError.failed("the playback was stopped")) { try await finished.value }
            await #expect(throws: PhoneError.self) { try await playback.append(Self.speech) }
        }
    }

    @Test func stopCancelsTheStream() async throws {
        try await run { page, phone in
            let (playback, stream) = try await play(on: phone, page)
            try await playback.append(Self.speech)
            playback.stop()
            try await next(.cancel, of: stream, on: page)
            await #expect(throws: PhoneError.failed("the playback was stopped")) { try await playback.append(Self.speech) }
        }
    }

    @Test func releasedPlaybackStops() async throws {
        try await run { page, phone in
            let stream = try await play(on: phone, page).stream
            try await next(.cancel, of: stream, on: page)
        }
    }

    @Test func playbackStopsForAnotherOneAndForARecording() async throws {
        try await run { page, phone in
            let (first, stream) = try await play(on: phone, page)
            let (second, secondStream) = try await play(on: phone, page)
            try await next(.cancel, of: stream, on: page)
            await #expect(throws: PhoneError.self) { try await first.append(Self.speech) }
            try await second.append(Self.speech)
            let (recording, _) = try await record(on: phone, page)
            try await next(.cancel, of: secondStream, on: page)
            await #expect(throws: PhoneError.self) { try await second.append(Self.speech) }
            recording.cancel()
        }
    }

    @Test(arguments: [
        ("gesture", PhoneError.failed("the browser plays sound only after a tap on the page")), ("unsupported", .unsupported),
        ("failed", .failed("the browser could not do it")),
    ])
    func refusedPlaybackIsAnError(_ word: String, _ error: PhoneError) async throws {
        try await run { page, phone in
            let playback = Task { try await phone.speaker.play() }
            try await refuse(word, on: page)
            await #expect(throws: error) { try await playback.value }
        }
    }

    @Test func halfASampleIsRefused() async throws {
        try await run { page, phone in
            let (playback, stream) = try await play(on: phone, page)
            await #expect(throws: PhoneError.failed("half a sample cannot be played")) {
                try await playback.append(Data([1, 2, 3]))
            }
            try await playback.append(Data([1, 2]))
            #expect(try await next(.data, of: stream, on: page).payload == Data([1, 2]))
        }
    }

    @Test func forgottenPhoneEndsItsSpeech() async throws {
        try await run { site, phone, cookie in
            try await site.page(cookie: cookie) { page in
                let (recording, _) = try await record(on: phone, page)
                let (playback, _) = try await play(on: phone, page)
                await site.sessions.forget(secret: cookie)
                await #expect(throws: PhoneError.absent) { try await recording.finish() }
                await #expect(throws: PhoneError.absent) { try await playback.append(Self.speech) }
            }
        }
    }
}
