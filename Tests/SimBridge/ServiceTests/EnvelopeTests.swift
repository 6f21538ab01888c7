import SimBridgeWire
import Testing
import WireKit

@testable import SimBridgeService

@Suite struct EnvelopeTests {
    /// As for who reads the message in the end: the deadline of one command must not go with the doing of another.
    @Test func theFirstOfDuplicateKeysCounts() throws {
        let envelope = try Envelope(#"{"type":"command","cmd":"HANG_UP","req_id":"a","cmd":"SEND_SMS","req_id":"b"}"#)
        #expect(envelope.command == "HANG_UP" && envelope.request == RequestID("a"))
    }

    @Test func keysOfTheRelayAreOverwritten() throws {
        for key in ForwardedText.relayKeys {
            #expect(try Envelope(#"{"type":"event","\#(key)":9,"event":"X"}"#).hasRelayKeys)
            #expect(ForwardedText.mayHaveRelayKeys(#"{"type":"event","\#(key)":9,"event":"X"}"#))
        }
        let text = #"{"type":"event","seq":9,"history_id":7,"from_device_id":8,"event":"X"}"#
        let message = StoredMessage(id: 5, seq: 4, from: 3, payload: text, state: .sent, deadline: nil)
        #expect(
            ForwardedText.make(message, isNumbered: true, hasRelayKeys: true)
                == #"{"from_device_id":3,"seq":4,"history_id":5,"type":"event","event":"X"}"#)
        // As version 1 of the line has always relayed it.
        #expect(
            ForwardedText.make(message, isNumbered: false, hasRelayKeys: true)
                == #"{"from_device_id":3,"type":"event","seq":9,"history_id":7,"event":"X"}"#)
    }

    @Test func anInvalidTypeIsShownAsWritten() throws {
        #expect(try Envelope(#"{"type":[1, 2]}"#).shownType == "[1, 2]")
        #expect(try Envelope(#"{"typ":"event"}"#).shownType == "null")
    }
}
