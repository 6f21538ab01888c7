import Testing

@testable import EndlessCodeApp

/// The input hides on the way up. Changes of the layout do not count.
@Suite struct ComposerVisibilityTests {
    private var time = ContinuousClock.now
    private var composer = ComposerVisibility()

    private mutating func scroll(to entry: Int, part: Int = 0, isEnd: Bool = false, after pause: Duration = .seconds(1)) -> Bool {
        time += pause
        composer.scrolled(to: TranscriptPlace(entry: entry, part: part), isEnd: isEnd, at: time)
        return composer.isShown
    }

    @Test mutating func directionDecides() {
        #expect(scroll(to: 10, isEnd: true))
        #expect(!scroll(to: 9))
        #expect(!scroll(to: 8))
        #expect(scroll(to: 9))
        #expect(!scroll(to: 7))
    }

    @Test mutating func rowsOfOneEntryCount() {
        #expect(scroll(to: 5, part: 3, isEnd: true))
        #expect(!scroll(to: 5, part: 2))
        #expect(scroll(to: 5, part: 3))
    }

    @Test mutating func theRowThatTheHiddenInputUncoversDoesNotCount() {
        #expect(scroll(to: 10, isEnd: true))
        #expect(!scroll(to: 9))
        #expect(!scroll(to: 10, after: .milliseconds(100)))
        #expect(!scroll(to: 9, after: .seconds(1)))
    }

    @Test mutating func theKeyboardDoesNotHideIt() {
        #expect(scroll(to: 10, isEnd: true))
        composer.layoutChanged(at: time)
        #expect(scroll(to: 6, after: .milliseconds(300)))
        #expect(scroll(to: 10, isEnd: true, after: .milliseconds(100)))
    }

    /// The conversation may have grown since its end was seen.
    @Test mutating func theWayUpFromTheEndHidesIt() {
        #expect(scroll(to: 0, isEnd: true))
        #expect(!scroll(to: 9))
    }

    @Test mutating func theEndShowsItAtOnce() {
        #expect(scroll(to: 10, isEnd: true))
        #expect(!scroll(to: 9))
        #expect(scroll(to: 11, isEnd: true, after: .milliseconds(10)))
    }
}
