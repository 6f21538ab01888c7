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
        let text = #"{"type":"event","seq":9,"from_device_id":8,"event":"X"}"#
        #expect(try Envelope(text).hasRelayKeys)
        let forwarded = ForwardedText.make(text, from: 3, seq: 4, hasRelayKeys: true)
        #expect(forwarded == #"{"from_device_id":3,"seq":4,"type":"event","event":"X"}"#)
    }

    @Test func anInvalidTypeIsShownAsWritten() throws {
        #expect(try Envelope(#"{"type":[1, 2]}"#).shownType == "[1, 2]")
        #expect(try Envelope(#"{"typ":"event"}"#).shownType == "null")
    }
}
