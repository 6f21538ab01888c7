import Testing

@testable import EndlessCodeApp

/// The bound of the rows of a transcript.
@Suite struct TranscriptWindowTests {
    @Test func oldRowsLeaveAsAConversationGrows() {
        var window = TranscriptWindow()
        var most = 0
        for count in 1...5000 {
            window.update(entryCount: count, isAtEnd: true)
            most = max(most, count - window.hiddenCount)
            // The newest ones always have rows.
            #expect(count - window.hiddenCount >= min(count, TranscriptWindow.keptCount))
        }
        #expect(most == TranscriptWindow.maximumCount)
    }

    @Test func longConversationBeginsWithItsEnd() {
        var window = TranscriptWindow()
        window.update(entryCount: 5000, isAtEnd: true)
        #expect(window.hiddenCount == 5000 - TranscriptWindow.keptCount)
    }

    @Test func rowsOfAReaderStay() {
        var window = TranscriptWindow()
        window.update(entryCount: 900, isAtEnd: true)
        window.update(entryCount: 3000, isAtEnd: false)
        #expect(window.hiddenCount == 0)
        window.update(entryCount: 3001, isAtEnd: true)
        #expect(window.hiddenCount == 3001 - TranscriptWindow.keptCount)
    }

    @Test func earlierEntriesComeBackInSteps() {
        var window = TranscriptWindow()
        window.update(entryCount: 1200, isAtEnd: true)
        window.showEarlier()
        #expect(window.hiddenCount == 200)
        window.showEarlier()
        #expect(window.hiddenCount == 0)
    }

    /// Another conversation, or one that was cut.
    @Test func shorterConversationIsShownWhole() {
        var window = TranscriptWindow()
        window.update(entryCount: 5000, isAtEnd: true)
        window.update(entryCount: 10, isAtEnd: true)
        #expect(window.hiddenCount == 0)
    }
}
