import Foundation
import SimBridgeWire
import Testing
import WireKit

/// The exact JSON of every wire type of the REST interface. A change here is visible to peers.
@Suite struct GoldenJSONTests {
    private static let time = RelayTime("2026-11-20T23:25:51.861")!
    private static let request = RequestID("6f1c1d0a-0000-4000-8000-000000000001")

    /// Checks that `value` encodes to exactly `json` and decodes from it.
    private func expect<Value: Codable & Equatable>(_ value: Value, is json: String, line: Int = #line) throws {
        let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        #expect(String(decoding: try WireJSON.encode(value), as: UTF8.self) == json, sourceLocation: location)
        #expect(try WireJSON.decode(Value.self, from: Data(json.utf8)) == value, sourceLocation: location)
    }

    @Test func accounts() throws {
        try expect(Credentials(username: "ada", password: "p"), is: #"{"password":"p","username":"ada"}"#)
        try expect(Registered(id: 3, username: "ada"), is: #"{"id":3,"username":"ada"}"#)
        try expect(GoogleSignIn(idToken: "x.y.z"), is: #"{"id_token":"x.y.z"}"#)
        try expect(LoggedIn(token: "x.y.z", userId: 3), is: #"{"token":"x.y.z","user_id":3}"#)
        try expect(PasswordChange(password: "p", newPassword: "q"), is: #"{"new_password":"q","password":"p"}"#)
    }

    @Test func devices() throws {
        try expect(DeviceRegistration(name: "Pixel", type: .host), is: #"{"name":"Pixel","type":"host"}"#)
        try expect(
            RegisteredDevice(id: 7, name: "Pixel", type: .client), is: #"{"id":7,"is_online":false,"name":"Pixel","type":"client"}"#
        )
        try expect(
            Device(id: 7, name: "Pixel", type: .host, isOnline: true, lastSeen: nil),
            is: #"{"id":7,"is_online":true,"last_seen":null,"name":"Pixel","type":"host"}"#)
        try expect(
            Device(id: 7, name: "Pixel", type: .host, isOnline: true, lastSeen: Self.time),
            is: #"{"id":7,"is_online":true,"last_seen":"2026-11-20T23:25:51.861","name":"Pixel","type":"host"}"#)
    }

    @Test func removedDevice() throws {
        try expect(RemovedDevice(), is: #"{"status":"removed"}"#)
        #expect(SimBridgeEndpoints.removeDevice.path(["id": "7"]) == "/devices/7")
    }

    @Test func deviceDecodesWithoutLastSeen() throws {
        let device = try WireJSON.decode(Device.self, from: Data(#"{"id":7,"name":"a","type":"host","is_online":false}"#.utf8))
        #expect(device == Device(id: 7, name: "a", type: .host, isOnline: false, lastSeen: nil))
    }

    @Test func push() throws {
        try expect(
            PushSettings(address: .apns(token: "ab"), content: PushContent.nothing, language: "en"),
            is: #"{"address":{"apns":{"token":"ab"}},"content":"none","language":"en"}"#)
        try expect(
            PushSettings(address: .ntfy(topic: "t"), content: PushContent.sender, language: "ko"),
            is: #"{"address":{"ntfy":{"topic":"t"}},"content":"sender","language":"ko"}"#)
        try expect(
            PushSettings(
                address: .webPush(PushSubscription(endpoint: "https://a/b", keys: .init(p256dh: "p", auth: "s"))),
                content: PushContent.full, language: "en"),
            is: #"{"address":{"webPush":{"endpoint":"https://a/b","keys":{"auth":"s","p256dh":"p"}}},"#
                + #""content":"full","language":"en"}"#)
        try expect(PushReply(isOn: true), is: #"{"status":"on"}"#)
        try expect(PushReply(isOn: false), is: #"{"status":"off"}"#)
        try expect(RelayPushOffer(PushOffer(webPushKey: nil)), is: #"{"ntfy":null,"web_push_key":null}"#)
        try expect(
            RelayPushOffer(PushOffer(webPushKey: "k", ntfy: .init(server: "https://n", topic: "t"))),
            is: #"{"ntfy":{"server":"https://n","topic":"t"},"web_push_key":"k"}"#)
        #expect(SimBridgeEndpoints.setPush.path(["id": "7"]) == "/devices/7/push")
    }

    @Test func noticeIDs() {
        #expect(NoticeID.sender(of: NoticeID.text(from: "+1 555")) == "+1555")
        #expect(NoticeID.text(from: "0044 20 7946 0000") == NoticeID.text(from: "+44 (0)20 7946 0000"))
        #expect(NoticeID.sender(of: NoticeID.text(from: "My Bank")) == "My Bank")
        #expect(NoticeID.sender(of: NoticeID.text) == nil && NoticeID.sender(of: NoticeID.call) == nil)
        #expect(NoticeID.text(from: String(repeating: "1", count: 200)).count == 55)
    }

    @Test func pairing() throws {
        try expect(PairingCode(code: "012345", expiresInSeconds: 600), is: #"{"code":"012345","expires_in_seconds":600}"#)
        try expect(PairConfirmation(code: "012345", clientDeviceId: 8), is: #"{"client_device_id":8,"code":"012345"}"#)
        try expect(
            Paired(status: .paired, pairingId: 1, hostDeviceId: 7), is: #"{"host_device_id":7,"pairing_id":1,"status":"paired"}"#)
        try expect(
            Paired(status: .alreadyPaired, pairingId: 1, hostDeviceId: nil), is: #"{"pairing_id":1,"status":"already_paired"}"#)
        try expect(
            Pairing(id: 1, hostDeviceId: 7, clientDeviceId: 8), is: #"{"client_device_id":8,"host_device_id":7,"id":1}"#)
        try expect(PairingRefusal(.expired), is: #"{"detail":"Invalid or expired pairing code","reason":"expired"}"#)
        let older = try WireJSON.decode(PairingRefusal.self, from: Data(#"{"detail":"Invalid or expired pairing code"}"#.utf8))
        #expect(older.reason == nil)
        #expect(PairingCode.isWellFormed("012345"))
        for text in ["12345", "1234567", "12345a", "１２３４５６", "12 345", ""] { #expect(!PairingCode.isWellFormed(text), "\(text)") }
    }

    @Test func commands() throws {
        try expect(
            TextCommand(toDeviceId: 7, sim: 1, to: "+821012345678", body: "Grüße/😀\n"),
            is: #"{"body":"Grüße/😀\n","sim":1,"to":"+821012345678","to_device_id":7}"#)
        try expect(
            TextCommand(toDeviceId: 7, sim: 1, to: "1", body: "b", reqId: Self.request),
            is: #"{"body":"b","req_id":"6f1c1d0a-0000-4000-8000-000000000001","sim":1,"to":"1","to_device_id":7}"#)
        try expect(CallCommand(toDeviceId: 7, sim: 2, to: "1"), is: #"{"sim":2,"to":"1","to_device_id":7}"#)
        try expect(
            CallCommand(toDeviceId: 7, sim: 2, to: "1", deadline: Self.time),
            is: #"{"deadline":"2026-11-20T23:25:51.861","sim":2,"to":"1","to_device_id":7}"#)
        try expect(
            CommandReceipt(status: .queued, reqId: Self.request),
            is: #"{"req_id":"6f1c1d0a-0000-4000-8000-000000000001","status":"queued"}"#)
    }

    @Test func history() throws {
        let item = HistoryItem(
            id: 9, fromDeviceId: 8, toDeviceId: 7, msgType: .command,
            payload: .object(["type": .string("command"), "cmd": .string("GET_SIMS")]), createdAt: Self.time, state: .sent,
            stateTimes: StateTimes(accepted: Self.time, sent: Self.time))
        try expect(
            HistoryPage(items: [item], total: 1, offset: 0, limit: 50),
            is:
                #"{"items":[{"created_at":"2026-11-20T23:25:51.861","from_device_id":8,"id":9,"msg_type":"command","payload":{"cmd":"GET_SIMS","type":"command"},"state":"sent","state_times":{"accepted":"2026-11-20T23:25:51.861","sent":"2026-11-20T23:25:51.861"},"to_device_id":7}],"limit":50,"offset":0,"total":1}"#
        )
        #expect(item.message.content == .command(.getSIMs))
    }

    /// The form of relays without version 2.
    @Test func historyItemDecodesWithoutStates() throws {
        let json =
            #"{"id":9,"from_device_id":8,"to_device_id":7,"msg_type":"event","payload":{"type":"event","event":"INCOMING_SMS","sim":1,"from":"+1","body":"hi"},"created_at":"2026-11-20T23:25:51.861733"}"#
        let item = try WireJSON.decode(HistoryItem.self, from: Data(json.utf8))
        #expect(item.createdAt == Self.time)
        #expect(item.state == nil && item.stateTimes == nil)
        #expect(item.message.content == .event(.incomingText(sim: 1, from: "+1", body: "hi")))
    }

    @Test func failures() throws {
        try expect(DetailReply("Invalid credentials"), is: #"{"detail":"Invalid credentials"}"#)
        let issues = [
            DetailReply.Issue(loc: [.name("body"), .name("sim")], msg: "a", type: "missing"),
            DetailReply.Issue(loc: [.name("body"), .index(1)], msg: "b", type: "json_invalid"),
        ]
        try expect(
            DetailReply(issues),
            is:
                #"{"detail":[{"loc":["body","sim"],"msg":"a","type":"missing"},{"loc":["body",1],"msg":"b","type":"json_invalid"}]}"#
        )
        #expect(DetailReply(issues).sentence == "a; b")
        #expect(issues.map(\.field) == ["sim", nil])
    }

    @Test(arguments: [
        "2026-11-20T23:25:51.861", "2026-11-20T23:25:51.861733", "2026-11-20T23:25:51.861733123", "2026-11-20T23:25:51.861Z",
        "2026-11-21T00:25:51.861+01:00", "2026-11-20T23:25:51.861000+00:00",
    ]) func timesDecodeInEveryForm(_ text: String) throws {
        #expect(RelayTime(text) == Self.time)
    }

    @Test func timesHaveNoOffset() {
        #expect(RelayTime("2026-11-20T23:25:51")?.description == "2026-11-20T23:25:51.000")
        #expect(RelayTime("yesterday") == nil)
    }

    @Test func requestIDs() {
        #expect(RequestID.random().isWellFormed)
        #expect(RequestID.random() != RequestID.random())
        #expect(!RequestID("1").isWellFormed)
    }
}
