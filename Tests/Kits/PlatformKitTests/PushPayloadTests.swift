import Foundation
import Testing
import WireKit

@testable import PlatformKit

@Suite struct PushPayloadTests {
    @Test func fieldsAreTheTextsBesideAps() {
        let payload = PushPayload(["aps": ["content-available": 1], "type": "FRIEND_STATUS", "count": 3, 7: "odd"])
        #expect(payload.isSilent && payload.fields == ["type": "FRIEND_STATUS"])
    }

    @Test func shownPushAndForeignOneAreNotSilent() {
        #expect(!PushPayload(["aps": ["alert": ["title": "a"]], "tag": "chat-1"]).isSilent)
        #expect(!PushPayload(["aps": "odd"]).isSilent)
        #expect(!PushPayload([:]).isSilent)
    }

    @Test func tokensAreLowerCaseDigits() { #expect(Data([0, 0x0a, 0xff]).hexadecimal == "000aff") }
}
