import Foundation
import SimBridgeWire
import TestKit
import Testing
import WireKit

/// Every wire message: any input that decodes survives re-encoding, and no input traps.
@Suite(.seeded) struct FuzzTests {
    private static let line = [
        #"{"type":"connected","device_id":7}"#, #"{"type":"ping"}"#, #"{"type":"reset","seq":9}"#,
        #"{"type":"stored","msg_id":"m"}"#,
        #"{"error":"target_offline","target_device_id":3,"req_id":"r","msg_id":"m"}"#,
        #"{"type":"command","cmd":"SEND_SMS","sim":1,"to":"+1","body":"Grüße 😀","req_id":"r","seq":4,"from_device_id":8}"#,
        #"{"type":"event","event":"SMS_SENT","status":"error","body":"no signal","req_id":"r"}"#,
        #"{"type":"event","event":"SIM_INFO","sims":[{"slot":1,"carrier":"KT","number":null},{"slot":2,"carrier":"SKT"}]}"#,
        #"{"type":"event","event":"CALL_STATE","state":"active","sim":1,"from":"+1"}"#,
        #"{"type":"INCOMING_SMS","sim":1,"from":"+1","body":"hi"}"#, #"{"type":"event","event":"BATTERY","level":0.5}"#,
        #"{"type":"webrtc","action":"ice","candidate":"c","sdpMid":"0","sdpMLineIndex":0}"#,
        #"{"type":"connected","device_id":7,"time":"2026-11-20T23:25:51.861"}"#,
        #"{"type":"command","cmd":"HANG_UP","call_req_id":"r","deadline":"2026-11-20T23:25:51.861733Z","seq":5}"#,
    ]

    /// Unknown fields are kept. The first decoding may normalize a message; the second must not change it further.
    @Test func lineMessagesAreStableAfterReencoding() async throws {
        try await fuzz(Self.line.map { Data($0.utf8) }, count: Effort.count(8000, soak: 300_000)) { input in
            guard let text = String(validating: input, as: UTF8.self), let first = RelayMessage(text: text) else { return }
            let tidy = try #require(RelayMessage(text: first.text))
            try #require(RelayMessage(text: tidy.text) == tidy)
        }
    }

    @Test func replies() async throws {
        let time = #""2026-11-20T23:25:51.861733""#
        try await expectSame(
            [Device].self, [#"[{"id":7,"is_online":true,"last_seen":\#(time),"name":"Pixel","type":"host"}]"#])
        try await expectSame(Paired.self, [#"{"status":"paired","pairing_id":1,"host_device_id":7}"#])
        try await expectSame(CommandReceipt.self, [#"{"status":"queued","req_id":"r"}"#])
        try await expectSame(LoggedIn.self, [#"{"token":"x.y.z","user_id":3}"#])
        try await expectSame(
            HistoryPage.self,
            [
                #"{"items":[{"id":9,"from_device_id":8,"to_device_id":7,"msg_type":"event","payload":{"type":"event"},"created_at":\#(time),"state":"sent","state_times":{"accepted":\#(time)}}],"total":1,"offset":0,"limit":50}"#
            ])
        try await expectSame(
            DetailReply.self, [#"{"detail":"Not Found"}"#, #"{"detail":[{"loc":["body",1,"sim"],"msg":"m","type":"missing"}]}"#])
    }
}
