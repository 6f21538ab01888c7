import Foundation
import NetworkingKit
import Testing
import WireKit

@testable import TalkCoService

/// The course of a Realtime turn, and the assignment of events to turns, without a connection.
@Suite struct EngineTurnTests {
    private func event(_ json: String) throws -> RealtimeEvent {
        try #require(RealtimeEvent(.text(json)))
    }

    private func actions(_ turn: inout RealtimeTurn, _ events: String...) throws -> [RealtimeTurn.Action] {
        try events.flatMap { turn.receive(try event($0)) }
    }

    @Test func deltasWithoutAnEndMakeTheAnswer() throws {
        var turn = RealtimeTurn(isSpoken: false)
        let actions = try actions(
            &turn, #"{"type":"response.audio_transcript.delta","delta":"Hello "}"#,
            #"{"type":"response.output_audio_transcript.delta","delta":"there"}"#, #"{"type":"response.done"}"#)
        #expect(actions == [.send(.response("Hello there")), .end(nil)])
    }

    @Test func endOfTheTextReplacesMissingDeltas() throws {
        var turn = RealtimeTurn(isSpoken: false)
        let actions = try actions(
            &turn, #"{"type":"response.audio_transcript.delta","delta":"Hel"}"#,
            #"{"type":"response.audio_transcript.done","transcript":"Hello"}"#, #"{"type":"response.done","response":{}}"#)
        #expect(actions == [.send(.response("Hello")), .end(nil)])
    }

    @Test func finishedResponseHasTheTextThatNoEventHad() throws {
        var turn = RealtimeTurn(isSpoken: false)
        let output = #"[{"type":"message","content":[{"type":"audio","transcript":"Hi"}]}]"#
        let actions = try actions(&turn, #"{"type":"response.done","response":{"status":"completed","output":\#(output)}}"#)
        #expect(actions == [.send(.response("Hi")), .end(nil)])
    }

    @Test func samplesAreWholeHoweverTheyAreCut() throws {
        var turn = RealtimeTurn(isSpoken: false)
        let actions = try actions(
            &turn, #"{"type":"response.audio.delta","delta":"AQID"}"#, #"{"type":"response.audio.delta","delta":"BA=="}"#,
            #"{"type":"response.audio.delta","delta":"not base64"}"#)
        #expect(actions == [.send(.audio(Data([1, 2]))), .send(.audio(Data([3, 4])))])
    }

    @Test func cutOffAnswerIsStillAnAnswer() throws {
        var turn = RealtimeTurn(isSpoken: false)
        let actions = try actions(
            &turn, #"{"type":"response.text.delta","delta":"So"}"#, #"{"type":"response.done","response":{"status":"incomplete"}}"#)
        #expect(actions == [.send(.response("So")), .end(nil)])
    }

    @Test func nothingFollowsTheEnd() throws {
        var turn = RealtimeTurn(isSpoken: true)
        _ = try actions(&turn, #"{"type":"error","error":{"message":"no"}}"#)
        #expect(try actions(&turn, #"{"type":"response.audio.delta","delta":"AQI="}"#, #"{"type":"response.done"}"#).isEmpty)
    }

    @Test func responseWithoutEndAfterACallGoesOn() throws {
        var turn = RealtimeTurn(isSpoken: false)
        let item = #"{"type":"function_call","call_id":"c","name":"search_news","arguments":"{}"}"#
        let calls = try actions(&turn, #"{"type":"response.output_item.done","item":\#(item)}"#)
        #expect(calls.count == 1 && turn.hasOpenCalls)
        #expect(turn.giveUpResponse() == [.respond])
        // The same call in the late end of the response is not made twice.
        #expect(turn.giveUpResponse().isEmpty)
    }

    // MARK: Ledger

    @Test func responsesBelongToTheOldestRequest() throws {
        var ledger = RealtimeLedger()
        ledger.beginTurn()
        ledger.willCreateResponse()
        ledger.beginTurn()
        ledger.willCreateResponse()
        #expect(ledger.route(try event(#"{"type":"response.created","response":{"id":"a"}}"#)) == .cancel("a"))
        #expect(ledger.route(try event(#"{"type":"response.audio.delta","response_id":"a","delta":""}"#)) == .ignore)
        #expect(ledger.route(try event(#"{"type":"response.created","response":{"id":"b"}}"#)) == .deliver)
        #expect(ledger.route(try event(#"{"type":"response.audio.delta","response_id":"b","delta":""}"#)) == .deliver)
        #expect(ledger.route(try event(#"{"type":"response.done","response":{"id":"a"}}"#)) == .ignore)
        #expect(ledger.route(try event(#"{"type":"response.done","response":{"id":"b"}}"#)) == .deliver)
        #expect(ledger.isQuiet)
        #expect(ledger.route(try event(#"{"type":"response.audio.delta","response_id":"b","delta":""}"#)) == .deliver)
        ledger.beginTurn()
        #expect(ledger.route(try event(#"{"type":"response.audio.delta","response_id":"b","delta":""}"#)) == .ignore)
    }

    @Test func serversWithoutIdentifiersGetAlong() throws {
        var ledger = RealtimeLedger()
        for _ in 0..<2 {
            ledger.beginTurn()
            ledger.willCreateResponse()
            #expect(ledger.route(try event(#"{"type":"response.audio.delta","delta":""}"#)) == .deliver)
            #expect(ledger.route(try event(#"{"type":"response.done"}"#)) == .deliver)
            #expect(ledger.isQuiet)
        }
    }

    @Test func errorOfAnEarlierTurnIsIgnored() throws {
        var ledger = RealtimeLedger()
        ledger.beginTurn()
        let id = ledger.nextEventID("create")
        ledger.willCreateResponse()
        ledger.beginTurn()
        #expect(ledger.route(try event(#"{"type":"error","error":{"event_id":"\#(id)","message":"no"}}"#)) == .drained)
        let cancel = ledger.nextEventID("cancel")
        #expect(ledger.route(try event(#"{"type":"error","error":{"event_id":"\#(cancel)","message":"no"}}"#)) == .drained)
        #expect(ledger.route(try event(#"{"type":"error","error":{"event_id":null,"message":"no"}}"#)) == .deliver)
    }

    @Test func transcriptOfAnEarlierRecordingIsIgnored() throws {
        var ledger = RealtimeLedger()
        ledger.beginTurn()
        ledger.willCommit()
        _ = ledger.route(try event(#"{"type":"input_audio_buffer.committed","item_id":"one"}"#))
        ledger.beginTurn()
        ledger.willCommit()
        let transcript = #"{"type":"conversation.item.input_audio_transcription.completed","transcript":"x","item_id":"#
        #expect(ledger.route(try event(transcript + #""one"}"#)) == .ignore)
        _ = ledger.route(try event(#"{"type":"input_audio_buffer.committed","item_id":"two"}"#))
        #expect(ledger.route(try event(transcript + #""two"}"#)) == .deliver)
        #expect(ledger.route(try event(transcript + #""one"}"#)) == .ignore)
    }

    @Test(
        arguments: [
            ("{}", nil), (#"{"type":"realtime"}"#, .general), (#"{"output_modalities":["audio"]}"#, .general),
            (#"{"modalities":["audio","text"]}"#, .beta),
            (#"{"type":"conversation","modalities":["text"],"audio":{"voice":null}}"#, .beta),
        ] as [(String, RealtimeGeneration?)])
    func generationIsReadFromTheSession(json: String, expected: RealtimeGeneration?) throws {
        #expect(RealtimeGeneration(try WireJSON.decode(JSONValue.self, from: Data(json.utf8))) == expected)
    }
}
