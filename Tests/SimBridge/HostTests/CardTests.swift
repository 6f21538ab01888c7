import Foundation
import SimBridgeWire
import Testing
import WireKit

@testable import SimBridgeHost

/// The country of a SIM card, as ModemManager's `mmcli -i` tells it.
@Suite struct CardTests {
    @Test(arguments: [
        (#""imsi":"450081234567890","operator-code":"45008""#, "450"), (#""imsi":"262011234567890","operator-code":"--""#, "262"),
        (#""operator-code":"310410""#, "310"), (#""imsi":"001010123456789","operator-code":"00101""#, nil), (#""imsi":"--""#, nil),
        (#""imsi":"4""#, nil), ("", nil),
    ])
    func countryIsThatOfTheIssuer(_ fields: String, _ mcc: String?) throws {
        let json = #"{"sim":{"properties":{"# + fields + "}}}"
        #expect(try WireJSON.decode(MMReplies.SIM.self, from: Data(json.utf8)).sim.properties.mcc == mcc)
    }
}
