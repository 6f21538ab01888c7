import AudioKit
import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Recordings as clients should not send them.
@Suite(.seeded) struct RecordingTests {
    let backend: TestBackend
    let id: Session.ID

    init() async throws {
        backend = try await TestBackend()
        id = try await backend.opened()
    }

    private func send(_ body: Data, type: String = "multipart/form-data; boundary=----test") async throws -> (Int, String) {
        let reply = try await backend.parts.call(
            .post, TalkCoEndpoints.chat.path(id.parameters), headers: [.contentType: type], body: body)
        return (reply.status, reply.detail ?? reply.issues.map(\.msg).joined())
    }

    @Test func formWithoutAudioIsInvalid() async throws {
        for form in [TestForm(nil), TestForm(nil, turn: "t")] {
            let reply = try await backend.speak(form, in: id)
            expect(reply, 422)
            #expect(reply.issues == [.init(loc: [.name("body"), .name("audio")], msg: "Field required", type: "missing")])
        }
        var other = TestForm(sampleCount: 10)
        other.parts[0].header = #"Content-Disposition: form-data; name="file"; filename="audio.wav""#
        expect(try await backend.speak(other, in: id), 422)
        #expect(try await send(Data(#"{"audio":1}"#.utf8), type: "application/json").0 == 422)
        #expect(try await send(Data()).0 == 400)
    }

    @Test func emptyFileIsRefused() async throws {
        expect(try await backend.speak(TestForm(Data()), in: id), 400, "Empty audio file")
        expect(try await backend.speak(TestForm(sampleCount: 0), in: id), 400, "Empty audio file")
    }

    @Test func otherFilesAreRefusedInWords() async throws {
        let good = WAVFile(sampleRate: 24_000, samples: ScriptedEngine.sound(100)).data
        let bad: [(Data, String)] = [
            (Data("hello".utf8), "WAVE"), (Data(repeating: 0, count: 200), "WAVE"), (good.prefix(20), "'fmt '"),
            (good.prefix(100), "'data'"),
            (WAVFile(sampleRate: 8_000, samples: Data(count: 16_000 * 360)).data, "longer than"),
            (good.replacing(Data([1, 0, 1, 0]), with: Data([2, 0, 1, 0])), "encoding 2"),
        ]
        for (file, words) in bad {
            let reply = try await backend.speak(TestForm(file), in: id)
            expect(reply, 400)
            #expect(reply.detail?.contains(words) == true, "\(reply.text)")
        }
        #expect(backend.engine.inputs.isEmpty)
    }

    @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000]) func otherRatesAreConverted(_ rate: Int) async throws
    {
        expect(try await backend.speak(TestForm(sampleCount: rate / 10, sampleRate: rate), in: id), 200)
        guard case .speech(let samples) = backend.engine.inputs.first else { return #expect(Bool(false)) }
        #expect(abs(samples.count / 2 - 2_400) <= 2)
    }

    @Test func channelsAreMixedAndAnUnfinishedHeaderIsRead() async throws {
        let stereo = WAVFile(sampleRate: 24_000, channelCount: 2, samples: ScriptedEngine.sound(2_400))
        expect(try await backend.speak(TestForm(stereo.data), in: id), 200)
        var killed = WAVFile(sampleRate: 24_000, samples: ScriptedEngine.sound(1_200)).data
        killed.replaceSubrange(4..<8, with: [36, 0, 0, 0])
        killed.replaceSubrange(40..<44, with: [0, 0, 0, 0])
        expect(try await backend.speak(TestForm(killed), in: id), 200)
        let sizes = backend.engine.inputs.map { if case .speech(let samples) = $0 { samples.count } else { 0 } }
        #expect(sizes == [2_400, 2_400])
    }

    @Test func brokenFormsAreRefused() async throws {
        let whole = TestForm(sampleCount: 100).body
        for count in [0, 5, 40, 120, whole.count - 10] { #expect(try await send(whole.prefix(count)).0 == 400) }
        for type in [
            "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\(String(repeating: "x", count: 71))",
            "multipart/form-data; boundary=other",
        ] { #expect(try await send(whole, type: type).0 == 400, "\(type)") }
        #expect(try await send(whole, type: "multipart/mixed; boundary=----test").0 == 422)
    }

    @Test func aMinuteFitsAndSeventeenMegabytesDoNot() async throws {
        expect(try await backend.speak(TestForm(sampleCount: 60 * 24_000), in: id), 200)
        expect(try await backend.speak(TestForm(sampleCount: 17 * 524_288), in: id), 413)
    }

    // MARK: The memory of all recordings

    /// An upload that a test sends piece by piece.
    private struct Sender: Sendable {
        private let body: AsyncStream<ByteBuffer>
        private let pieces: AsyncStream<ByteBuffer>.Continuation
        private let received = Locked(0)
        var receivedCount: Int { received.withLock { $0 } }

        init() { (body, pieces) = AsyncStream.makeStream() }

        func send(_ count: Int) { pieces.yield(ByteBuffer(repeating: 0, count: count)) }
        func finish() { pieces.finish() }

        /// Uploads to the budget until the body ends.
        func upload(to budget: UploadBudget, from network: CallerNetwork, announcing size: Int? = nil) async throws {
            let headers: HTTPFields = size.map { [.contentLength: "\($0)"] } ?? [:]
            let request = Request(
                head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/", headerFields: headers),
                body: RequestBody(asyncSequence: body))
            try await budget.receiving(request, from: network) { request in
                for try await chunk in request.body { received.withLock { $0 += chunk.readableBytes } }
            }
        }
    }

    @Test func onlyBytesThatHaveArrivedCount() async throws {
        let budget = UploadBudget(limit: 100, share: 60, clock: ContinuousClock())
        let (one, two) = (CallerNetwork("203.0.113.1"), CallerNetwork("203.0.113.2"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            let silent = (0..<16).map { _ in Sender() }
            for sender in silent {
                group.addTask { try await sender.upload(to: budget, from: one, announcing: TalkCoEndpoints.maximumRecordingSize) }
            }
            silent[0].send(60)
            try await eventually { silent[0].receivedCount == 60 }
            // The network has its share, and another one still has room.
            let refused = Sender()
            refused.send(1)
            let error = await #expect(throws: TalkError.self) { try await refused.upload(to: budget, from: one) }
            #expect(error?.kind == .tooMany && error?.retryAfter != nil)
            let other = Sender()
            other.send(40)
            other.finish()
            try await other.upload(to: budget, from: two)
            // All that is left is free again.
            let full = Sender()
            full.send(41)
            let last = await #expect(throws: TalkError.self) { try await full.upload(to: budget, from: two) }
            #expect(last?.kind == .unavailable)
            for sender in silent { sender.finish() }
            try await group.waitForAll()
        }
        let whole = Sender()
        whole.send(60)
        whole.finish()
        try await whole.upload(to: budget, from: one)
    }

    @Test func uploadThatStopsArrivingEnds() async throws {
        let clock = TestClock()
        let budget = UploadBudget(limit: 100, share: 100, clock: clock)
        let sender = Sender()
        let upload = Task { try await sender.upload(to: budget, from: .machine) }
        sender.send(100)
        try await eventually { sender.receivedCount == 100 && clock.hasSleeper(for: UploadBudget.idleTimeout) }
        try await clock.advance(by: UploadBudget.idleTimeout)
        let error = await #expect(throws: TalkError.self) { try await upload.value }
        #expect(error?.kind == .requestTimeout)
        let next = Sender()
        next.send(100)
        next.finish()
        try await next.upload(to: budget, from: .machine)
    }

    @Test(arguments: ["", String(repeating: "x", count: 65), "a\u{0}"]) func oddTurnIDsAreInvalid(_ turn: String) async throws {
        let spoken = try await backend.speak(TestForm(sampleCount: 10, turn: turn), in: id)
        expect(spoken, 422)
        #expect(spoken.issues.map(\.field) == ["turn_id"])
        let typed = try await backend.say("a", in: id, turn: turn)
        expect(typed, 422)
        #expect(typed.issues.map(\.field) == ["turn_id"])
    }

    @Test func mutatedFormsNeverFail() async throws {
        let backend = backend
        let id = id
        try await fuzz(
            [TestForm(sampleCount: 20, turn: "t").body, TestForm(sampleCount: 3).body], count: Effort.count(400, soak: 20_000)
        ) { input in
            let reply = try await backend.parts.call(
                .post, TalkCoEndpoints.chat.path(id.parameters), headers: [.contentType: "multipart/form-data; boundary=----test"],
                body: input)
            if reply.status == 200 {
                try #require(try reply.events.last == .done)
            } else {
                try #require([400, 422].contains(reply.status), "\(reply.status) \(reply.text)")
                try #require(reply.detail != nil || !reply.issues.isEmpty)
            }
        }
    }
}
