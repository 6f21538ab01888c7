import SwiftUI
import Testing

@testable import TalkCoApp

/// The talk button: hold it, or tap it.
@Suite struct HoldOrTapTests {
    private let start = ContinuousClock.now
    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test func holdRecordsUntilTheRelease() {
        var gesture = HoldOrTap()
        #expect(gesture.pressed(at: at(0), isRecording: false) == .start)
        #expect(gesture.released(at: at(900)) == .stop)
        // The tap of the same press.
        #expect(gesture.tapped(at: at(905), isRecording: false) == nil)
    }

    @Test func shortPressGoesOnUntilTheNextPressEnds() {
        var gesture = HoldOrTap()
        #expect(gesture.pressed(at: at(0), isRecording: false) == .start)
        #expect(gesture.released(at: at(120)) == nil)
        #expect(gesture.tapped(at: at(125), isRecording: true) == nil)
        #expect(gesture.pressed(at: at(4_000), isRecording: true) == nil)
        #expect(gesture.released(at: at(4_100)) == .stop)
        #expect(gesture.tapped(at: at(4_105), isRecording: false) == nil)
    }

    @Test func tapWithoutAPressStartsAndStops() {
        var gesture = HoldOrTap()
        #expect(gesture.tapped(at: at(0), isRecording: false) == .start)
        #expect(gesture.tapped(at: at(200), isRecording: true) == .stop)
    }

    @Test func tapThatComesBeforeTheReleaseCountsOnce() {
        var gesture = HoldOrTap()
        #expect(gesture.pressed(at: at(0), isRecording: false) == .start)
        #expect(gesture.tapped(at: at(900), isRecording: true) == nil)
        #expect(gesture.released(at: at(901)) == .stop)
    }

    @Test func releaseOutsideTheButtonDoesNotSwallowALaterTap() {
        var gesture = HoldOrTap()
        _ = gesture.pressed(at: at(0), isRecording: false)
        #expect(gesture.released(at: at(900)) == .stop)
        #expect(gesture.tapped(at: at(5_000), isRecording: false) == .start)
    }

    @Test func releaseWithoutAPressIsIgnored() {
        var gesture = HoldOrTap()
        #expect(gesture.released(at: at(0)) == nil)
    }
}
