import Foundation
import PhoneTestKit
import PlatformKit
import SwiftUI
import Testing

@testable import gallery

/// Gestures, time and accessibility.
@Suite struct BehaviourPagesTests {
    @Test func tapsAndLongPressesAreCounted() throws {
        let screen = try ViewDriver(page: .gestures)
        try screen.tap("Tap here")
        try screen.tap("Tap here")
        #expect(screen.value("taps") == "2")
        try screen.press("Touch and hold here", down: true)
        #expect(screen.has("Keep holding"))
        try screen.longPress("Keep holding")
        try screen.press("Keep holding", down: false)
        #expect(screen.value("longPresses") == "1")
        #expect(screen.value("taps") == "2")
    }

    @Test func aCircleStaysWhereItIsDragged() throws {
        let screen = try ViewDriver(page: .gestures)
        try screen.drag("Circle", from: CGPoint(x: 40, y: 40), by: CGSize(width: 60, height: -30))
        #expect(screen.value("place") == "At 60, -30 after 1 drags")
        try screen.drag("Circle", by: CGSize(width: 5, height: 5))
        #expect(screen.value("place") == "At 65, -25 after 2 drags")
        try screen.tap("Back to the middle")
        #expect(screen.value("place") == "At 0, 0 after 2 drags")
    }

    @Test func keysActLikeTaps() throws {
        let screen = try ViewDriver(page: .keyboard)
        for sign in "2077#" { try screen.pressKey(KeyEquivalent(sign)) }
        try screen.pressKey(.delete)
        try screen.pressKey(.return)
        #expect(screen.value("sent") == "2077")
        try screen.pressKey(.escape)
        #expect(screen.value("typed") == "")
        try screen.pressKey(.rightArrow)
        #expect(screen.value("keyPlace") == "1")
        #expect(throws: DriverError.self) { try screen.pressKey("n") }
        try screen.pressKey("m", modifiers: .command)
        #expect(try screen.find("Silent, with Command and M", .toggle).attributes[.selected] == .on)
        try screen.pressKey("s", modifiers: .shift)
        #expect(throws: DriverError.self) { try screen.pressKey("2") }
        try screen.pressKey(.escape)
        #expect(screen.value("sent") == "cancelled")
    }

    @Test func speechIsRecordedAndPlayed() async throws {
        let device = TestPhone()
        let tone = SpeechFacts.tone(frequency: 600, seconds: 0.5)
        device.speech.recordings = [tone]
        let screen = ViewDriver(GalleryScreen().environment(\.phone, device.phone()))
        try screen.tap("Speech")
        try screen.tap("Record")
        try await screen.wait("a recording") { screen.value("recording") == "recording" }
        try screen.tap("Finish")
        try await screen.wait("its end") { screen.value("recording") == "recorded" }
        #expect(screen.value("length") == "0.50 s")
        try screen.tap("Play the recording")
        try await screen.wait("the playback") { screen.value("playback") == "played" }
        #expect(device.speech.playbacks == [tone])
        device.speech.interrupt()
        device.speech.allowsMicrophone = false
        try screen.press("Hold to record", down: true)
        try await screen.wait("the refusal") { screen.value("recording") == "denied" }
    }

    @Test func factsTellTonesApart() {
        for frequency in [100.0, 440, 600, 3_000] {
            let facts = SpeechFacts(SpeechFacts.tone(frequency: frequency, seconds: 0.5))
            #expect(abs(Double(facts.pitch) - frequency) <= 5)
            #expect(abs(facts.level - 8_000 / 32_768 / 2.0.squareRoot()) < 0.001)
            #expect(facts.length == 0.5)
        }
        #expect(SpeechFacts(Data([1])).length == 0)
    }

    @Test func aListIsRefreshed() async throws {
        let screen = ViewDriver(RefreshablePage(pause: .zero))
        try screen.pull()
        try await screen.wait("a refresh") { screen.value("refreshes") == "1" }
    }

    @Test func animatedChangesArrive() throws {
        let screen = try ViewDriver(page: .animation)
        try screen.tap("Spring")
        #expect(screen.value("place") == "away")
        #expect(screen.all("Here", .text).count == 5)
        try screen.tap("Hide")
        #expect(!screen.has("Here"))
        try screen.tap("Show")
        #expect(screen.has("Here"))
    }

    @Test func aStreamGrowsDuringTyping() async throws {
        let screen = try ViewDriver(page: .streaming)
        try screen.tap("Start")
        try await screen.wait("some words") { screen.value("stream")?.hasPrefix("the quick brown fox ") == true }
        try screen.type("me too", into: "Type while it grows")
        #expect(screen.value("typed") == "Typed: me too")
        // On a busy machine the stream may have ended.
        if screen.has("Stop") { try screen.tap("Stop") }
        #expect(screen.has("Start"))
        let words = screen.value("stream")?.split(separator: " ").count ?? 0
        #expect(screen.value("updates")?.filter(\.isNumber) == "\(words)")
    }

    @Test func aStreamEndsByItself() async {
        let model = StreamModel()
        model.start()
        await model.run(pause: .zero)
        #expect(model.updates == StreamModel.maximumUpdateCount)
        #expect(!model.isRunning)
    }

    @Test func aCoveredStreamStops() async throws {
        let screen = try ViewDriver(page: .streaming)
        try screen.tap("Start")
        try await screen.wait("a word") { screen.value("stream") != "" }
        try screen.back()
        try screen.tap("Streaming")
        #expect(screen.value("updates") == "Updates: 0")
    }

    @Test func elementsHaveAccessibilityLabels() throws {
        let screen = try ViewDriver(page: .accessibility)
        #expect(try screen.find("Favorite").attributes[.accessibilityValue]?.text == "no")
        try screen.tap("Favorite")
        #expect(try screen.find("Favorite").attributes[.accessibilityValue]?.text == "yes")
        #expect(try screen.find("First level").attributes[.headingLevel] == .number(1))
        #expect(screen.all("Hidden from assistive technology", .text).isEmpty)
        #expect(screen.has("by-identifier"))
        try screen.tap("5 stars")
        #expect(screen.value("rating") == "5 of 5")
        #expect(try screen.find("5 stars").attributes[.selected] == .on)
        #expect(try screen.find("3 stars").attributes[.selected] == nil)
    }

    @Test func viewsAppearAndDisappear() async throws {
        let scene = SceneModel()
        let screen = ViewDriver(GalleryScreen(), scene: scene)
        try screen.tap("Lifetime")
        try await screen.wait(for: "task 1 started")
        #expect(screen.has("page appeared"))
        try screen.tap("Show the child")
        #expect(screen.has("child appeared"))
        try screen.tap("Show the child")
        #expect(screen.has("child disappeared"))
        try screen.tap("Restart the task")
        try await screen.wait(for: "task 2 started")
        try screen.tap("Clear")
        try screen.tap("Cover this page")
        try screen.back()
        #expect(screen.texts.filter { $0.hasPrefix("page ") } == ["page disappeared", "page appeared"])
        scene.phase = .background
        #expect(screen.has("active to background"))
        #expect(screen.value("phase") == "background")
    }
}
