import Foundation
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Identifiers that a Realtime server chooses, also more than once.
@Suite struct RealtimeLedgerTests {
    /// An event with an identifier of its kind.
    private func event(_ type: String, _ id: String? = nil, _ more: String = "") throws -> RealtimeEvent {
        let name = type.hasPrefix("response") ? "response_id" : "item_id"
        let members = id.map { #","\#(name)":"\#($0)""# } ?? ""
        let json = try WireJSON.decode(JSONValue.self, from: Data(#"{"type":"\#(type)"\#(members)\#(more)}"#.utf8))
        return RealtimeEvent(json)
    }
    private func committed(_ id: String?) throws -> RealtimeEvent { try event("input_audio_buffer.committed", id) }
    private func heard(_ id: String?) throws -> RealtimeEvent {
        try event("conversation.item.input_audio_transcription.completed", id, #","transcript":"words""#)
    }
    private func failed(_ id: String?) throws -> RealtimeEvent {
        try event("conversation.item.input_audio_transcription.failed", id)
    }

    /// A ledger whose turn has sent its recording.
    private func recording(in ledger: inout RealtimeLedger) {
        ledger.beginTurn()
        ledger.willCommit()
    }

    // MARK: Recordings

    @Test(arguments: [true, false]) func itemOfAnEarlierTurnIsUsedAgain(isNamed: Bool) throws {
        var ledger = RealtimeLedger()
        for _ in 0..<3 {
            recording(in: &ledger)
            if isNamed { #expect(ledger.route(try committed("item")) == .ignore) }
            #expect(ledger.route(try heard("item")) == .deliver)
        }
    }

    @Test func usedItemIsHeardThoughItIsNamedLate() throws {
        var ledger = RealtimeLedger()
        recording(in: &ledger)
        _ = ledger.route(try committed("item"))
        _ = ledger.route(try heard("item"))
        recording(in: &ledger)
        #expect(ledger.route(try heard("item")) == .ignore)
        #expect(ledger.route(try committed("item")) == .release(try heard("item")))
    }

    @Test func repeatedTranscriptStaysInItsTurn() throws {
        var ledger = RealtimeLedger()
        recording(in: &ledger)
        _ = ledger.route(try committed("a"))
        #expect(ledger.route(try heard("a")) == .deliver)
        recording(in: &ledger)
        #expect(ledger.route(try heard("a")) == .ignore)
        _ = ledger.route(try committed("b"))
        #expect(ledger.route(try heard("a")) == .ignore)
        #expect(ledger.route(try heard("b")) == .deliver)
    }

    @Test func lateTranscriptStaysInItsTurn() throws {
        var ledger = RealtimeLedger()
        recording(in: &ledger)
        _ = ledger.route(try committed("a"))
        recording(in: &ledger)
        #expect(ledger.route(try heard("a")) == .ignore)
        _ = ledger.route(try committed("b"))
        #expect(ledger.route(try heard("b")) == .deliver)
    }

    @Test(arguments: ["b", nil]) func repeatedCommitTakesNothingAway(_ id: String?) throws {
        var ledger = RealtimeLedger()
        recording(in: &ledger)
        _ = ledger.route(try committed("a"))
        _ = ledger.route(try heard("a"))
        recording(in: &ledger)
        _ = ledger.route(try committed("a"))
        _ = ledger.route(try committed(id))
        #expect(ledger.route(try heard(id)) == .deliver)
    }

    @Test func transcriptOfAnUnknownItemIsNotLost() throws {
        var ledger = RealtimeLedger()
        recording(in: &ledger)
        _ = ledger.route(try committed("a"))
        #expect(ledger.route(try heard("other name")) == .deliver)
        // The earlier recording has no transcript yet: an unknown one is its own.
        recording(in: &ledger)
        _ = ledger.route(try committed("b"))
        _ = ledger.route(try committed("b"))
        #expect(ledger.route(try heard("late")) == .ignore)
        #expect(ledger.route(try heard("b")) == .deliver)
    }

    @Test func eventsBeforeTheRecordingAreOfEarlierTurns() throws {
        var ledger = RealtimeLedger()
        recording(in: &ledger)
        ledger.beginTurn()
        for event in [try heard("a"), try heard(nil), try failed("b"), try committed("c")] {
            #expect(ledger.route(event) == .ignore)
        }
        ledger.forget()
        ledger.willCommit()
        #expect(ledger.route(try heard("a")) == .ignore)
        _ = ledger.route(try committed("e"))
        #expect(ledger.route(try heard("e")) == .deliver)
    }

    @Test func itemsOfALongTalkAreBounded() throws {
        var ledger = RealtimeLedger()
        for number in 0..<1_000 {
            recording(in: &ledger)
            #expect(ledger.route(try heard("item \(number)")) == .deliver)
        }
        #expect(Mirror(reflecting: ledger).children.allSatisfy { Mirror(reflecting: $0.value).children.count <= 64 })
    }

    // MARK: Responses

    @Test(arguments: [true, false]) func responseOfAnEarlierTurnIsUsedAgain(isAnnounced: Bool) throws {
        var ledger = RealtimeLedger()
        for _ in 0..<3 {
            ledger.beginTurn()
            ledger.willCreateResponse()
            if isAnnounced { #expect(ledger.route(try event("response.created", "r")) == .deliver) }
            #expect(ledger.route(try event("response.text.delta", "r")) == .deliver)
            #expect(ledger.route(try event("response.done", "r")) == .deliver)
            // Sent twice.
            ledger.beginTurn()
            ledger.willCreateResponse()
            #expect(ledger.route(try event("response.done", "r")) == .ignore)
            ledger.forget()
        }
    }

    @Test func responsesWithoutIdentifiersAreToldApartByTheirBeginning() throws {
        var ledger = RealtimeLedger()
        for _ in 0..<2 {
            ledger.beginTurn()
            ledger.willCreateResponse()
            #expect(ledger.route(try event("response.created")) == .deliver)
            #expect(ledger.route(try event("response.done")) == .deliver)
        }
        ledger.beginTurn()
        ledger.willCreateResponse()
        #expect(ledger.route(try event("response.text.delta")) == .ignore)
        #expect(ledger.route(try event("response.created")) == .deliver)
        #expect(ledger.route(try event("response.text.delta")) == .deliver)
    }

    // MARK: One turn

    private func call(_ id: String, _ arguments: String = "{}", in response: String = "r") throws -> RealtimeEvent {
        let item = #""item":{"type":"function_call","call_id":"\#(id)","name":"search_news","arguments":"\#(arguments)"}"#
        return try event("response.output_item.done", response, ",\(item)")
    }

    private func count(_ actions: [RealtimeTurn.Action]) -> Int { actions.count { if case .call = $0 { true } else { false } } }

    @Test func callIdentifierIsUsedAgainInTheNextResponse() throws {
        var turn = RealtimeTurn(isSpoken: false)
        for round in 0..<3 {
            #expect(count(turn.receive(try call("call_0", "\(round)"))) == 1)
            // Sent twice.
            #expect(count(turn.receive(try call("call_0", "\(round)"))) == 0)
            #expect(turn.receive(try event("response.done", "r")) == [.respond])
        }
        _ = turn.receive(try event("response.text.delta", "r", #","delta":"Well.""#))
        #expect(turn.receive(try event("response.done", "r")) == [.send(.response("Well.")), .end(nil)])
    }

    @Test func callsWithOneIdentifierAreAllCalled() throws {
        var turn = RealtimeTurn(isSpoken: false)
        #expect(count(turn.receive(try call("c", "1"))) == 1)
        #expect(count(turn.receive(try call("c", "2"))) == 1)
        let item = #"{"type":"function_call","call_id":"c","name":"search_news","arguments":"1"}"#
        let done = try event("response.done", "r", #","response":{"id":"r","output":[\#(item)]}"#)
        #expect(turn.receive(done) == [.respond])
    }

    @Test func lateEndOfACallingResponseDoesNotEndTheTurn() throws {
        var turn = RealtimeTurn(isSpoken: false)
        _ = turn.receive(try call("c", in: "first"))
        #expect(turn.giveUpResponse() == [.respond])
        _ = turn.receive(try event("response.created", "second"))
        #expect(turn.receive(try event("response.done", "first")) == [])
        _ = turn.receive(try event("response.text.delta", "second", #","delta":"Well.""#))
        #expect(turn.receive(try event("response.done", "second")) == [.send(.response("Well.")), .end(nil)])
    }

    @Test(arguments: ["failed", "completed"]) func wordsMayComeAfterAFailedOrEmptyTranscript(_ name: String) throws {
        var turn = RealtimeTurn(isSpoken: true)
        let type = "conversation.item.input_audio_transcription.\(name)"
        #expect(turn.receive(try event(type, "i", #","transcript":" ""#)) == [])
        #expect(turn.receive(try heard("i")) == [.send(.transcript("words"))])
        #expect(turn.receive(try heard("i")) == [])
        #expect(turn.receive(try event("response.done", "r")) == [.end(nil)])
    }

    @Test func silenceIsToldWithTheAnswer() throws {
        var turn = RealtimeTurn(isSpoken: true)
        _ = turn.receive(try failed("i"))
        _ = turn.receive(try event("response.text.delta", "r", #","delta":"Pardon?""#))
        #expect(
            turn.receive(try event("response.done", "r"))
                == [.send(.transcript("")), .send(.response("Pardon?")), .end(nil)])
    }
}
