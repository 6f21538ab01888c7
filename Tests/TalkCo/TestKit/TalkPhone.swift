package import Foundation
package import PhoneTestKit
import PlatformKit
package import TalkCoClient
package import TalkCoWire
package import TestKit
package import Testing

/// A user with a phone. The app runs, and is in front, for the lifetime of the value.
@MainActor
package final class TalkPhone {
    package let phone: TestPhone
    package let app: TalkCo
    private let running: Task<Void, Never>

    package init(_ phone: TestPhone, _ app: TalkCo) {
        self.phone = phone
        self.app = app
        running = Task { await app.run() }
        app.setInFront(true, screen: self)
    }

    deinit { running.cancel() }

    /// Closes the app.
    package func quit() async {
        app.setInFront(false, screen: self)
        running.cancel()
        await running.value
    }

    package func setInFront(_ isInFront: Bool) { app.setInFront(isInFront, screen: self) }

    package func until(
        sourceLocation: SourceLocation = #_sourceLocation, _ isTrue: @escaping @MainActor (TalkCo) -> Bool
    ) async throws {
        let app = app
        do {
            try await eventually { await MainActor.run { isTrue(app) } }
        } catch let error as TimedOut {
            let talk = app.conversation.map { "\($0.phase), \($0.messages), problem \(String(describing: $0.problem))" } ?? "none"
            Issue.record(
                "still waiting: conversation \(talk), session \(String(describing: app.openSession))",
                sourceLocation: sourceLocation)
            throw error
        }
    }

    /// Advances the clock step by step until the condition holds.
    package func until(
        advancing clock: TestClock, by step: Duration, _ isTrue: @escaping @MainActor (TalkCo) -> Bool
    ) async throws {
        let app = app
        try await clock.advance(by: step, pause: .milliseconds(50)) { await isTrue(app) }
    }

    // MARK: Steps

    /// Chooses a topic and waits for the greeting.
    package func talk(about topic: Topic = Topic.all[0]) async throws -> ConversationViewModel {
        let conversation = app.conversation(on: topic)
        try await begin(conversation)
        return conversation
    }

    package func begin(_ conversation: ConversationViewModel) async throws {
        conversation.startSession()
        try await until { _ in conversation.phase == .open && !conversation.isWaiting }
    }

    /// Sends a typed turn and waits for its answer.
    package func say(_ text: String, in conversation: ConversationViewModel) async throws {
        #expect(conversation.sendText(text))
        try await until { _ in !conversation.isWaiting }
    }

    /// Records the next recording of the phone, and waits for the answer.
    package func speak(in conversation: ConversationViewModel) async throws {
        try await hold(conversation)
        conversation.stopRecording()
        try await until { _ in conversation.recordingState == .idle && !conversation.isWaiting }
    }

    /// Presses the button, and waits for the microphone.
    package func hold(_ conversation: ConversationViewModel) async throws {
        try await until { _ in conversation.canRecord }
        conversation.startRecording()
        try await until { _ in conversation.recordingState == .recording }
    }

    /// Ends a conversation and waits for its marks.
    package func review(_ conversation: ConversationViewModel) async throws -> ReviewViewModel {
        conversation.endConversation()
        try await until { _ in conversation.isOver }
        let session = try #require(conversation.reviewSession)
        let review = app.review(of: session)
        review.loadReview()
        try await until { _ in review.status == .reviewed && !review.isPolling }
        return review
    }
}

extension TalkBox {
    /// A phone that plays the beginning of a greeting. The tutor holds the rest.
    @MainActor
    package static func greeting() async throws -> (TalkBox, TalkPhone, ConversationViewModel) {
        let box = try await TalkBox()
        box.tutor.set { $0.isHeld = true }
        let hand = try await box.connected()
        let conversation = hand.app.conversation(on: Topic.all[0])
        conversation.startSession()
        try await hand.until { _ in conversation.playing != nil && hand.phone.speech.playbacks.first?.isEmpty == false }
        return (box, hand, conversation)
    }
}

extension ConversationViewModel {
    /// The messages as `user: …` and `ai: …`, for comparison.
    package var outline: [String] { messages.map { "\($0.role == .user ? "user" : "ai"): \($0.text)" } }
}

/// Samples for tests, in `SpeechFormat`.
package enum Samples {
    /// A square wave.
    ///
    /// - Parameter amplitude: Of 32,767; also the root mean square.
    package static func tone(_ duration: Duration = .seconds(1), amplitude: Int16 = 5_000) -> Data {
        var data = Data()
        let count = Int(duration / .seconds(1) * Double(SpeechFormat.sampleRate))
        for index in 0..<count {
            let sample = (index / 50).isMultiple(of: 2) ? amplitude : -amplitude
            withUnsafeBytes(of: sample.littleEndian) { data.append(contentsOf: $0) }
        }
        return data
    }
}
