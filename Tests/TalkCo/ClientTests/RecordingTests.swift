import AudioKit
import Foundation
import PhoneTestKit
import PlatformKit
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing

/// Holding the button to talk.
@MainActor
@Suite struct RecordingTests {
    private func talk(
        _ recordings: [Data], clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> (TalkBox, TalkPhone, ConversationViewModel) {
        let box = try await TalkBox()
        let device = TestPhone()
        device.speech.recordings = recordings
        let hand = try await box.connected(device, clock: clock)
        return (box, hand, try await hand.talk())
    }

    @Test func recordingShowsItsLevel() async throws {
        let (_, hand, conversation) = try await talk([Samples.tone()])
        try await hand.hold(conversation)
        try await hand.until { _ in conversation.level > 0 }
        conversation.stopRecording()
        try await hand.until { _ in conversation.recordingState == .idle }
        #expect(conversation.level == 0 && hand.phone.speech.openRecordings == 0)
    }

    @Test(arguments: [
        (Samples.tone(.seconds(1), amplitude: 300), TalkCoProblem.silent),
        (Samples.tone(.seconds(1), amplitude: 0), .silent),
        (Samples.tone(.milliseconds(299)), .tooShort),
        (Data(), .tooShort),
    ])
    func uselessRecordingIsDropped(_ samples: Data, _ problem: TalkCoProblem) async throws {
        let (box, hand, conversation) = try await talk([samples])
        try await hand.speak(in: conversation)
        #expect(conversation.problem == problem)
        #expect(conversation.messages.count == 1)
        #expect(!box.network.calls.contains { $0.hasSuffix("/chat") })
    }

    @Test(arguments: [Samples.tone(.seconds(1), amplitude: 301), Samples.tone(.milliseconds(300))])
    func quietOrShortRecordingIsSent(_ samples: Data) async throws {
        let (box, hand, conversation) = try await talk([samples])
        try await hand.speak(in: conversation)
        #expect(conversation.problem == nil)
        #expect(box.tutor.heard == ["A recording of \(samples.count) bytes."])
    }

    @Test func refusedMicrophoneIsReportedAndTypingStays() async throws {
        let (box, hand, conversation) = try await talk([Samples.tone()])
        hand.phone.speech.allowsMicrophone = false
        try await hand.until { _ in conversation.canRecord }
        conversation.startRecording()
        try await hand.until { _ in conversation.problem == .microphoneDenied }
        #expect(conversation.recordingState == .idle)
        try await hand.say("I type.", in: conversation)
        #expect(conversation.messages.count == 3)
        #expect(box.tutor.heard == ["I type."])
    }

    @Test func phoneWithoutAMicrophoneOffersTypingOnly() async throws {
        let (_, hand, conversation) = try await talk([])
        #expect(!hand.app.isMicrophoneAvailable && !conversation.canRecord && conversation.canTalk)
    }

    /// A page whose connection is lost cannot answer.
    @Test func microphoneOfAnAppThatIsAwayIsNotForgotten() async throws {
        let (_, hand, _) = try await talk([Samples.tone()])
        try await hand.until { $0.isMicrophoneAvailable }
        hand.phone.speech.recordings = []
        hand.setInFront(false)
        await hand.app.flush()
        #expect(hand.app.isMicrophoneAvailable)
        hand.setInFront(true)
        try await hand.until { !$0.isMicrophoneAvailable }
    }

    @Test func tapOnTheButtonSendsNothing() async throws {
        let (box, hand, conversation) = try await talk([Samples.tone()])
        try await hand.until { _ in conversation.canRecord }
        conversation.startRecording()
        conversation.stopRecording()
        try await hand.until { _ in conversation.problem == .tooShort }
        try await hand.until { _ in hand.phone.speech.openRecordings == 0 }
        #expect(box.tutor.heard.isEmpty)
    }

    /// Many let go with the last word.
    @Test(arguments: [(0.4, true), (0.01, false)])
    func recordingGoesOnAfterItsReleaseWhileTheLearnerSpeaks(_ level: Double, _ goesOn: Bool) async throws {
        let clock = TestClock()
        let (box, hand, conversation) = try await talk([Samples.tone()], clock: clock)
        hand.phone.speech.levels = [0.1, 0.5, level]
        try await hand.hold(conversation)
        try await hand.until { _ in abs(conversation.level - PCM16.meterLevel(rootMeanSquare: level)) < 0.001 }
        let release = clock.now
        conversation.stopRecording()
        if goesOn {
            try await hand.until(advancing: clock, by: .milliseconds(50)) { _ in hand.phone.speech.openRecordings == 0 }
            #expect(release.duration(to: clock.now) >= .milliseconds(250))
        }
        try await hand.until { _ in hand.phone.speech.openRecordings == 0 && !box.tutor.heard.isEmpty }
    }

    @Test func cancelledRecordingIsNotSent() async throws {
        let (box, hand, conversation) = try await talk([Samples.tone()])
        try await hand.hold(conversation)
        conversation.cancelRecording()
        #expect(conversation.recordingState == .idle && conversation.problem == nil)
        try await hand.until { _ in hand.phone.speech.openRecordings == 0 }
        #expect(box.tutor.heard.isEmpty)
    }

    @Test func callEndsTheRecordingAndSendsWhatThereIs() async throws {
        let (box, hand, conversation) = try await talk([Samples.tone()])
        try await hand.hold(conversation)
        hand.phone.speech.interrupt()
        try await hand.until { _ in conversation.recordingState == .idle && !conversation.isWaiting }
        #expect(box.tutor.heard == ["A recording of 48000 bytes."])
        #expect(conversation.messages.count == 3)
    }

    @Test func callDuringSilenceIsReported() async throws {
        let (_, hand, conversation) = try await talk([Samples.tone(amplitude: 0)])
        try await hand.hold(conversation)
        hand.phone.speech.interrupt()
        try await hand.until { _ in conversation.problem == .interrupted }
        #expect(conversation.messages.count == 1)
    }

    @Test func callStopsTheVoiceSilently() async throws {
        let (box, hand, conversation) = try await TalkBox.greeting()
        hand.phone.speech.interrupt()
        box.tutor.set { $0.isHeld = false }
        try await hand.until { _ in !conversation.isWaiting && conversation.playing == nil }
        #expect(conversation.problem == nil)
        #expect(conversation.messages.map(\.state) == [.complete])
    }

    @Test func recordingEndsAndIsSentAfterAMinute() async throws {
        let clock = TestClock()
        let (box, hand, conversation) = try await talk([Samples.tone()], clock: clock)
        try await hand.hold(conversation)
        try await clock.advance(by: .seconds(1), pause: .milliseconds(10)) { await conversation.recordedSeconds >= 59 }
        #expect(conversation.recordingState == .recording)
        try await hand.until(advancing: clock, by: .seconds(1)) { _ in !box.tutor.heard.isEmpty }
        #expect(conversation.recordingState == .idle)
    }
}
