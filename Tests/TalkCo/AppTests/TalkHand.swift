import PhoneTestKit
import PlatformKit
import SwiftUI
import TalkCoApp
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing

/// A phone with TalkCo's screens, operated by a test.
final class TalkHand {
    let box: TalkBox
    let device: TestPhone
    let talk: TalkCo
    let screen: ViewDriver
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - device: A phone used before, to restart its app.
    ///   - changeServer: Lets the user choose another server.
    init(
        _ box: TalkBox, device: TestPhone = TestPhone(), languages: [String] = ["en"],
        changeServer: (@MainActor @Sendable () -> Void)? = nil
    ) {
        self.box = box
        self.device = device
        let scene = SceneModel()
        scene.languages = languages
        scene.locale = Locale(identifier: languages[0])
        var phone = device.phone(clock: ContinuousClock())
        phone.changeServer = changeServer
        talk = TalkCo(phone: phone, service: box.service, backoff: TalkBox.hurriedBackoff, random: { 0.5 })
        screen = ViewDriver(TalkCoRoot(talk, on: phone), scene: scene)
    }

    var conversation: ConversationViewModel? { talk.conversation }

    /// A phone on the page of a conversation, after the greeting.
    static func talking(
        _ box: TalkBox, device: TestPhone = TestPhone(), languages: [String] = ["en"], about topic: String = "daily_life"
    ) async throws -> TalkHand {
        let hand = TalkHand(box, device: device, languages: languages)
        try await hand.choose(topic)
        return hand
    }

    /// A phone with a microphone.
    static func device(_ recordings: [Data] = [Samples.tone()]) -> TestPhone {
        let device = TestPhone()
        device.speech.recordings = recordings
        return device
    }

    func choose(_ topic: String) async throws {
        try await screen.wait { self.talk.engine != nil && self.screen.has("topic-\(topic)") }
        try screen.tap("topic-\(topic)")
        try await screen.wait { self.conversation?.phase == .open && self.conversation?.isWaiting == false }
    }

    /// Holds the talk button for a second.
    func hold() async throws {
        try await screen.wait { self.conversation?.canRecord == true }
        device.inputTime = start
        try screen.press("talk", down: true)
        try await screen.wait { self.conversation?.recordingState == .recording || self.conversation?.problem != nil }
        device.inputTime = start + .seconds(1)
        // A problem may have put the text field in the place of the button.
        if screen.has("talk") { try screen.press("talk", down: false) }
        device.inputTime = nil
    }

    /// Types a turn and waits for its answer.
    func write(_ text: String) async throws { try await converse(text, writing: ("Write", "Send")) }

    /// - Parameter buttons: The names of the buttons that open the text field and send.
    func converse(_ text: String, writing buttons: (open: String, send: String)) async throws {
        if !screen.has("draft") { try screen.tap(buttons.open) }
        try screen.type(text, into: "draft")
        try screen.tap(buttons.send)
        try await screen.wait(for: ScriptedTutor.answer(to: text))
        try await screen.wait { self.conversation?.isWaiting == false }
    }

    func isEnabled(_ name: String) throws -> Bool { try screen.find(name, .button).attributes[.disabled] != .on }
}
