import SimBridgeWire
import Testing
import WireKit

/// Further fields of events and commands.
@Suite struct EventDetailsTests {
    private static let time = RelayTime("2026-11-20T23:25:51.861")!

    @Test func detailsAreFieldsOfTheEvent() {
        let details = EventDetails(
            serviceCentreTime: Self.time, hostTime: Self.time, kind: .incomplete, delivery: .delivered, needsConfirmation: true)
        let message = DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: "b")), details: details)
        #expect(
            message.text
                == #"{"body":"b","delivery":"delivered","event":"INCOMING_SMS","from":"+1","host_time":"2026-11-20T23:25:51.861","kind":"incomplete","needs_confirmation":true,"service_centre_time":"2026-11-20T23:25:51.861","sim":1,"type":"event"}"#
        )
        #expect(RelayMessage(text: message.text)?.details == details)
        // Events without them are as before.
        #expect(
            DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: "b"))).text
                == #"{"body":"b","event":"INCOMING_SMS","from":"+1","sim":1,"type":"event"}"#)
    }

    @Test func unknownValuesAreNone() {
        let text =
            #"{"type":"event","event":"INCOMING_SMS","kind":"sonnet","delivery":7,"host_time":"soon","service_centre_time":null}"#
        #expect(RelayMessage(text: text)?.details == EventDetails())
    }

    @Test func aConfirmedCallSaysSo() throws {
        let command = Command.makeCall(sim: 1, to: "**21*1#", isConfirmed: true)
        let text = DeviceMessage(.command(command)).text
        #expect(text == #"{"cmd":"MAKE_CALL","confirmed":true,"sim":1,"to":"**21*1#","type":"command"}"#)
        #expect(RelayMessage(text: text)?.content == .command(command))
    }

    @Test(arguments: ["*100#", "*#21#", "#100#", "100#", "*135*2*1#", "*#06#", "*123*21#"])
    func codesAreNoCalls(text: String) throws {
        #expect(try #require(ServiceCode(text)).changesSettings == false, "\(text)")
    }

    @Test(arguments: ["**21*+1#", "+49170", "*31#0170123", "#", "", "112", "#31#+49170", "*100", "٣#"])
    func theseAreCalled(text: String) { #expect(ServiceCode(text) == nil, "\(text)") }

    @Test(arguments: [
        "**21*0170#", "*21*0170*10#", "#21#", "##002#", "**62*1**20#", "*33*0000#", "#43#", "**61*0170*11*20#", "*31#",
        "**03**1*2*2#",
        "**04*1*2*2#",
    ])
    func codesOfTheCardAreAskedAbout(text: String) throws {
        let code = try #require(ServiceCode(text))
        #expect(code.changesSettings)
        #expect(code.containsPIN == text.hasPrefix("**04"))
    }
}
