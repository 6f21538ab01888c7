import Foundation
import SimBridgeWire
import Testing
import WireKit

/// The exact JSON of the line's messages, and the tolerance in decoding.
@Suite struct LineTests {
    private static let request = RequestID("r")
    private static let time = RelayTime("2026-11-20T23:25:51.861")!

    private func expect(_ message: DeviceMessage, is json: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(message.text == json, sourceLocation: sourceLocation)
    }

    private func expect(_ message: RelayMessage, is json: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(message.text == json, sourceLocation: sourceLocation)
        #expect(RelayMessage(text: json) == message, sourceLocation: sourceLocation)
    }

    @Test func fromADevice() {
        expect(.ping, is: #"{"type":"ping"}"#)
        expect(.pong, is: #"{"type":"pong"}"#)
        expect(.ack(seq: 5), is: #"{"seq":5,"type":"ack"}"#)
        expect(.presence(foreground: true), is: #"{"foreground":true,"type":"presence"}"#)
        expect(
            DeviceMessage(.command(.sendText(sim: 1, to: "+1", body: "hi")), to: 7, reqId: Self.request),
            is: #"{"body":"hi","cmd":"SEND_SMS","req_id":"r","sim":1,"to":"+1","to_device_id":7,"type":"command"}"#)
        expect(
            DeviceMessage(.command(.makeCall(sim: 2, to: "+1")), reqId: Self.request),
            is: #"{"cmd":"MAKE_CALL","req_id":"r","sim":2,"to":"+1","type":"command"}"#)
        expect(
            DeviceMessage(.event(.error("b")), messageId: "m"), is: #"{"body":"b","event":"ERROR","msg_id":"m","type":"event"}"#)
        expect(DeviceMessage(.command(.hangUp)), is: #"{"cmd":"HANG_UP","type":"command"}"#)
        expect(
            DeviceMessage(.command(.makeCall(sim: 2, to: "+1", deadline: Self.time)), reqId: Self.request),
            is: #"{"cmd":"MAKE_CALL","deadline":"2026-11-20T23:25:51.861","req_id":"r","sim":2,"to":"+1","type":"command"}"#)
        expect(
            DeviceMessage(.command(.hangUp(call: Self.request, deadline: Self.time))),
            is: #"{"call_req_id":"r","cmd":"HANG_UP","deadline":"2026-11-20T23:25:51.861","type":"command"}"#)
        expect(DeviceMessage(.command(.getSIMs)), is: #"{"cmd":"GET_SIMS","type":"command"}"#)
        expect(
            DeviceMessage(.event(.textSent(.ok, reason: nil)), reqId: Self.request),
            is: #"{"event":"SMS_SENT","req_id":"r","status":"ok","type":"event"}"#)
        expect(
            DeviceMessage(.webrtc(.ice(candidate: "c", sdpMid: "0", sdpMLineIndex: 0)), to: 8),
            is: #"{"action":"ice","candidate":"c","sdpMLineIndex":0,"sdpMid":"0","to_device_id":8,"type":"webrtc"}"#)
    }

    @Test func fromTheRelay() {
        expect(RelayMessage(.connected(7)), is: #"{"device_id":7,"type":"connected"}"#)
        expect(RelayMessage(.ping), is: #"{"type":"ping"}"#)
        expect(
            RelayMessage(.connected(7), time: Self.time),
            is: #"{"device_id":7,"time":"2026-11-20T23:25:51.861","type":"connected"}"#)
        expect(RelayMessage(.ping, time: Self.time), is: #"{"time":"2026-11-20T23:25:51.861","type":"ping"}"#)
        expect(
            RelayMessage(.command(.makeCall(sim: 1, to: "1", deadline: Self.time)), seq: 5, reqId: Self.request),
            is: #"{"cmd":"MAKE_CALL","deadline":"2026-11-20T23:25:51.861","req_id":"r","seq":5,"sim":1,"to":"1","type":"command"}"#)
        expect(
            RelayMessage(.failure(.deadlinePassed(7)), reqId: Self.request),
            is: #"{"error":"Call deadline has passed","req_id":"r","target_device_id":7}"#)
        #expect(LineFailure.deadlinePassed(7).code == .deadlinePassed)
        expect(RelayMessage(.pong), is: #"{"type":"pong"}"#)
        expect(RelayMessage(.reset(seq: 9)), is: #"{"seq":9,"type":"reset"}"#)
        expect(RelayMessage(.stored(messageId: "m")), is: #"{"msg_id":"m","type":"stored"}"#)
        expect(
            RelayMessage(.failure(LineFailure("no paired client", messageId: "m"))),
            is: #"{"error":"no paired client","msg_id":"m"}"#)
        expect(RelayMessage(.failure(.noPairedHost)), is: #"{"error":"no paired host"}"#)
        expect(
            RelayMessage(.failure(.targetOffline(3)), reqId: Self.request),
            is: #"{"error":"target_offline","req_id":"r","target_device_id":3}"#)
        expect(RelayMessage(.failure(.notPaired(3))), is: #"{"error":"not_paired","req_id":null,"target_device_id":3}"#)
        expect(
            RelayMessage(.event(.deviceOffline(7))), is: #"{"device_id":7,"event":"DEVICE_OFFLINE","type":"event"}"#)
        expect(
            RelayMessage(.command(.getSIMs), seq: 5, historyId: 12, from: 8, reqId: Self.request),
            is: #"{"cmd":"GET_SIMS","from_device_id":8,"history_id":12,"req_id":"r","seq":5,"type":"command"}"#)
    }

    @Test func events() {
        let from = Device.ID(7)
        expect(
            RelayMessage(.event(.textSent(.error, reason: "no signal")), from: from, reqId: Self.request),
            is: #"{"body":"no signal","event":"SMS_SENT","from_device_id":7,"req_id":"r","status":"error","type":"event"}"#)
        expect(
            RelayMessage(.event(.incomingText(sim: 1, from: "+1", body: "hi")), from: from),
            is: #"{"body":"hi","event":"INCOMING_SMS","from":"+1","from_device_id":7,"sim":1,"type":"event"}"#)
        expect(
            RelayMessage(.event(.incomingCall(sim: 1, from: "+1")), from: from),
            is: #"{"event":"INCOMING_CALL","from":"+1","from_device_id":7,"sim":1,"type":"event"}"#)
        expect(
            RelayMessage(.event(.callState(.active, sim: 1, from: "+1", reason: nil)), from: from, reqId: Self.request),
            is: #"{"event":"CALL_STATE","from":"+1","from_device_id":7,"req_id":"r","sim":1,"state":"active","type":"event"}"#)
        expect(
            RelayMessage(
                .event(
                    .simInfo([
                        SIMCard(slot: 1, carrier: "KT", number: "+82"), SIMCard(slot: 2, carrier: "SKT", number: nil, mcc: "450"),
                    ]))),
            is:
                #"{"event":"SIM_INFO","sims":[{"carrier":"KT","number":"+82","slot":1},{"carrier":"SKT","mcc":"450","number":null,"slot":2}],"type":"event"}"#
        )
        expect(RelayMessage(.event(.error("no SIM"))), is: #"{"body":"no SIM","event":"ERROR","type":"event"}"#)
    }

    @Test func signals() {
        expect(RelayMessage(.webrtc(.offer(sdp: "v=0"))), is: #"{"action":"offer","sdp":"v=0","type":"webrtc"}"#)
        expect(RelayMessage(.webrtc(.answer(sdp: "v=0"))), is: #"{"action":"answer","sdp":"v=0","type":"webrtc"}"#)
        expect(RelayMessage(.webrtc(.error("busy"))), is: #"{"action":"error","body":"busy","type":"webrtc"}"#)
        expect(RelayMessage(.webrtc(.unknown(action: "x"))), is: #"{"action":"x","type":"webrtc"}"#)
    }

    // MARK: Messages of other implementations

    private func content(_ json: String) -> RelayMessage.Content? { RelayMessage(text: json)?.content }

    @Test func errorTakesPrecedenceOverType() {
        #expect(
            content(#"{"error":"target_offline","target_device_id":3,"type":"event","event":"ERROR"}"#)
                == .failure(.targetOffline(3)))
        #expect(content(#"{"error":null,"type":"ping"}"#) == .ping)
        #expect(LineFailure("invalid message type: x").code == .invalidType)
        #expect(LineFailure("something new").code == .other)
    }

    @Test(arguments: ["INCOMING_SMS", "SMS_SENT", "INCOMING_CALL", "CALL_STATE", "SIM_INFO", "ERROR"])
    func eventNameIsAcceptedInType(_ name: String) {
        let bare = content(#"{"type":"\#(name)","sim":1,"from":"+1","body":"b","status":"ok","state":"ended","sims":[]}"#)
        #expect(
            bare
                == content(
                    #"{"type":"event","event":"\#(name)","sim":1,"from":"+1","body":"b","status":"ok","state":"ended","sims":[]}"#))
        guard case .event(let event) = bare else {
            Issue.record("\(String(describing: bare))")
            return
        }
        #expect(event.name == name)
    }

    @Test func simCardsAreAcceptedInPayload() {
        let card = SIMCard(slot: 1, carrier: "KT", number: nil)
        #expect(content(#"{"type":"event","event":"SIM_INFO","payload":[{"slot":1,"carrier":"KT"}]}"#) == .event(.simInfo([card])))
        #expect(content(#"{"type":"SIM_INFO","payload":{"slot":1}}"#) == .event(.simInfo([])))
        #expect(
            content(#"{"type":"event","event":"SIM_INFO","sims":[{"carrier":"KT"},4]}"#) == .event(.simInfo([card])))
    }

    @Test func fieldsMayBeMissingOrMistyped() {
        #expect(content(#"{"type":"event"}"#) == .event(.unknown(name: "", .object(["type": .string("event")]))))
        #expect(
            content(#"{"type":"event","event":"INCOMING_SMS","sim":"1","from":7}"#)
                == .event(.incomingText(sim: nil, from: nil, body: nil)))
        #expect(content(#"{"type":"event","event":"SMS_SENT"}"#) == .event(.textSent(.unknown, reason: nil)))
        #expect(
            content(#"{"type":"event","event":"CALL_STATE","state":"odd"}"#)
                == .event(.callState(.error, sim: nil, from: nil, reason: nil)))
        #expect(content(#"{"type":"command","cmd":"REBOOT"}"#) == .command(Command(Command.Name(rawValue: "REBOOT"))))
        #expect(content(#"{"type":"command"}"#) == .command(Command(Command.Name(rawValue: ""))))
        #expect(content(#"{"type":"connected"}"#) == .connected(nil))
        #expect(RelayMessage(text: #"{"type":"ping","seq":"x","from_device_id":null,"req_id":4}"#) == RelayMessage(.ping))
    }

    @Test func unknownMessagesKeepTheirFields() throws {
        let event = try #require(RelayMessage(text: #"{"type":"event","event":"BATTERY","level":0.5,"from_device_id":7}"#))
        guard case .event(.unknown("BATTERY", .object(let object))) = event.content else {
            Issue.record("\(event)")
            return
        }
        #expect(object["level"] == .number(0.5))
        #expect(event.fromDeviceId == 7)
        #expect(event.text == #"{"event":"BATTERY","from_device_id":7,"level":0.5,"type":"event"}"#)
        guard case .unknown = content(#"{"type":"new"}"#), case .unknown = content(#"{"type":4}"#) else {
            Issue.record("of an unknown type")
            return
        }
    }

    @Test(arguments: ["", "x", "[]", "4", #""ping""#, #"{"type":"ping""#, #"{"type":"ping",}"#])
    func nonObjectsAreNotMessages(_ text: String) {
        #expect(RelayMessage(text: text) == nil)
    }
}
