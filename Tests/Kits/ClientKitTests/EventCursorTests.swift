import Testing

@testable import ClientKit

@Suite struct EventCursorTests {
    private func cursor(_ value: Int64?, _ numbering: EventCursor.Numbering = .contiguous) -> EventCursor {
        EventCursor(value, numbering: numbering)
    }

    @Test func aNewClientBeginsAtTheNewestEvent() throws {
        var cursor = cursor(nil)
        #expect(try cursor.advance(over: .newest(7)))
        #expect(cursor.value == 7)
        _ = try cursor.advance(over: .newest(9))
        #expect(cursor.value == 7, "the events in between are replayed")
    }

    @Test func anEventIsAppliedOnce() throws {
        for numbering in [EventCursor.Numbering.contiguous, .increasing] {
            var cursor = cursor(7, numbering)
            #expect(try cursor.advance(over: .event(8)))
            #expect(try !cursor.advance(over: .event(8)))
            #expect(try !cursor.advance(over: .event(3)))
            #expect(cursor.value == 8)
        }
    }

    @Test func aMissingSequenceNumberIsAGap() throws {
        var cursor = cursor(7)
        #expect(throws: EventCursor.Gap()) { try cursor.advance(over: .event(9)) }
        #expect(cursor.value == 7)
        var increasing = self.cursor(7, .increasing)
        #expect(try increasing.advance(over: .event(9)))
        #expect(increasing.value == 9)
    }

    @Test func aResetMovesTheCursorInEitherDirection() throws {
        var cursor = cursor(7)
        #expect(try cursor.advance(over: .reset(100)))
        #expect(try cursor.advance(over: .reset(2)))
        #expect(try cursor.advance(over: .event(3)))
        #expect(cursor.value == 3)
    }

    @Test func messagesWithoutANumberMoveNoCursor() throws {
        var cursor = cursor(7)
        #expect(try cursor.advance(over: .none))
        #expect(cursor.value == 7)
    }
}
