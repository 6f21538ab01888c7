import HTTPTypes
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Contract: "Devices", "Pairing".
@Suite struct PairingTests {
    let relay: TestRelay
    let owner: TestRelay.Person
    let host: Device.ID
    let client: Device.ID

    init() async throws {
        relay = try await TestRelay()
        owner = try await relay.person()
        host = try await relay.device(.host, of: owner)
        client = try await relay.device(.client, of: owner)
    }

    private func code(_ host: Device.ID? = nil) async throws -> String {
        try await relay.call(SimBridgeEndpoints.pair, by: owner, query: "?host_device_id=\(host ?? self.host)").value(
            PairingCode.self
        ).code
    }

    private func confirm(_ code: String, _ client: Device.ID? = nil, by person: TestRelay.Person? = nil) async throws
        -> TestRelay.Reply
    {
        try await relay.call(
            SimBridgeEndpoints.confirmPairing, PairConfirmation(code: code, clientDeviceId: client ?? self.client),
            by: person ?? owner)
    }

    @Test func devicesAreListedInOrder() async throws {
        let stranger = try await relay.person()
        _ = try await relay.device(.host, of: stranger)
        let list = try await relay.devices(of: owner)
        #expect(list.map(\.id) == [host, client])
        #expect(list.map(\.type) == [.host, .client])
        #expect(list.allSatisfy { !$0.isOnline && $0.lastSeen == nil })
    }

    @Test func aCodePairsOnce() async throws {
        let reply = try await relay.call(SimBridgeEndpoints.pair, by: owner, query: "?host_device_id=\(host)").value(
            PairingCode.self)
        #expect(PairingCode.isWellFormed(reply.code) && reply.expiresInSeconds == 600)
        let paired = try await confirm(reply.code).value(Paired.self)
        #expect(paired.status == .paired && paired.hostDeviceId == host)
        expect(try await confirm(reply.code), 400, "Invalid or expired pairing code")

        let second = try await code()
        let again = try await confirm(second)
        #expect(again.text == #"{"pairing_id":\#(paired.pairingId),"status":"already_paired"}"#)
        expect(try await confirm(second), 400)
    }

    @Test func pairingCodesAreForOwnHosts() async throws {
        let stranger = try await relay.person()
        for (person, device) in [(owner, client), (owner, Device.ID(999)), (stranger, host)] {
            let reply = try await relay.call(SimBridgeEndpoints.pair, by: person, query: "?host_device_id=\(device)")
            expect(reply, 404, "Host device not found")
        }
    }

    @Test func aClientIsOnesOwn() async throws {
        let stranger = try await relay.person()
        let code = try await code()
        expect(try await confirm(code, host), 404, "Client device not found")
        expect(try await confirm(code, 999), 404, "Client device not found")
        expect(try await confirm(code, client, by: stranger), 404, "Client device not found")
        expect(try await confirm(code), 200)
    }

    @Test func aForeignCodeIsRefusedAndNotUsedUp() async throws {
        let stranger = try await relay.person()
        let theirs = try await relay.device(.client, of: stranger)
        let code = try await code()
        expect(try await confirm(code, theirs, by: stranger), 403, "Pairing code does not belong to your account")
        expect(try await confirm(code), 200)
    }

    @Test(arguments: [(599, 200), (600, 400), (601, 400)]) func aCodeEndsAfterTenMinutes(_ seconds: Int, _ status: Int) async throws
    {
        let code = try await code()
        relay.advance(.seconds(seconds))
        expect(try await confirm(code), status, status == 400 ? "Invalid or expired pairing code" : nil)
    }

    @Test func aCodeEndsWithTheNext() async throws {
        let codes = Locked(["000001", "000002"])
        let relay = try await TestRelay(drawCode: { codes.withLock { $0.removeFirst() } })
        let owner = try await relay.person()
        let host = try await relay.device(.host, of: owner)
        let client = try await relay.device(.client, of: owner)
        for _ in 1...2 { expect(try await relay.call(SimBridgeEndpoints.pair, by: owner, query: "?host_device_id=\(host)"), 200) }
        func confirm(_ code: String) async throws -> TestRelay.Reply {
            try await relay.call(
                SimBridgeEndpoints.confirmPairing, PairConfirmation(code: code, clientDeviceId: client), by: owner)
        }
        expect(try await confirm("000001"), 400, "Invalid or expired pairing code")
        expect(try await confirm("000002"), 200)
    }

    // MARK: The reasons of a refusal

    private func reason(_ code: String, _ client: Device.ID? = nil, by person: TestRelay.Person? = nil) async throws
        -> PairingRefusal.Reason?
    {
        let reply = try await confirm(code, client, by: person)
        // The words of the contract, whatever the reason.
        expect(reply, 400, "Invalid or expired pairing code")
        return try reply.value(PairingRefusal.self).reason
    }

    @Test func expiredWrongAndUsedCodesHaveTheirOwnReasons() async throws {
        let used = try await code()
        expect(try await confirm(used), 200)
        #expect(try await reason(used) == .used)
        let replaced = try await code()
        let late = try await code()
        #expect(try await reason(replaced) == .expired)
        relay.advance(.seconds(600))
        #expect(try await reason(late) == .expired)
        let otherClient = try await relay.device(.client, of: owner)
        let next = try await code()
        #expect(try await reason(late, otherClient) == .expired)
        #expect(try await reason(used, otherClient) == .used)
        let wrong = Set(["000000", "000001", "000002", "000003", "000004"]).subtracting([used, replaced, late, next]).first
        #expect(try await reason(try #require(wrong), otherClient) == .wrong)
        expect(try await confirm(next, otherClient), 200)
    }

    /// One who guesses learns nothing about the hosts of others, beyond what the contract tells of live codes.
    @Test func reasonsAreForTheOwnerOfTheCode() async throws {
        let stranger = try await relay.person()
        let theirs = try await relay.device(.client, of: stranger)
        let used = try await code()
        expect(try await confirm(used), 200)
        let replaced = try await code()
        let late = try await code()
        relay.advance(.seconds(600))
        for code in [used, replaced, late, "999999"] { #expect(try await reason(code, theirs, by: stranger) == .wrong) }
    }

    @Test func endedCodesAreBoundedAndGoWithTheirHost() async throws {
        var codes: [String] = []
        for _ in 0...Pairings.maximumEndedCodes + 1 {
            codes.append(try await code())
            relay.advance(.milliseconds(1))
        }
        #expect(try await reason(codes[0]) == .wrong)
        #expect(try await reason(codes[1]) == .expired)
        let count = try await relay.relay.store.read { try $0.one("SELECT COUNT(*) FROM ended_pairing_codes", as: Int.self) }
        #expect(count == Pairings.maximumEndedCodes)
        let removal = try await relay.call(.delete, "/devices/\(host)", token: owner.token)
        #expect(removal.status == 200)
        #expect(try await reason(codes[1]) == .wrong)
    }

    @Test func aNumericCodeIs422() async throws {
        let reply = try await relay.call(
            .post, "/pair/confirm", token: owner.token, body: #"{"code":123456,"client_device_id":\#(client)}"#)
        expect(reply, 422)
        #expect(reply.issues.map(\.field) == ["code"])
    }

    @Test func ofManyConfirmationsOneCounts() async throws {
        let code = try await code()
        var clients: [Device.ID] = []
        for _ in 0..<8 { clients.append(try await relay.device(.client, of: owner)) }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for client in clients { group.addTask { try await confirm(code, client).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 400, count: 7))
    }

    @Test func aLiveCodeIsNotHandedOutTwice() async throws {
        let drawn = Locked(["000001", "000001", "000001", "000002"])
        let relay = try await TestRelay(drawCode: { drawn.withLock { $0.removeFirst() } })
        let owner = try await relay.person()
        var codes: [String] = []
        for _ in 0..<2 {
            let host = try await relay.device(.host, of: owner)
            codes.append(
                try await relay.call(SimBridgeEndpoints.pair, by: owner, query: "?host_device_id=\(host)").value(PairingCode.self)
                    .code)
        }
        #expect(codes == ["000001", "000002"])
    }

    /// The one who draws is the only one who writes: drawing for ever would stop everything.
    @Test(.timeLimit(.minutes(1))) func withoutAFreeCodeItGivesUp() async throws {
        let relay = try await TestRelay(drawCode: { "000001" })
        let owner = try await relay.person()
        func ask() async throws -> TestRelay.Reply {
            let host = try await relay.device(.host, of: owner)
            return try await relay.call(SimBridgeEndpoints.pair, by: owner, query: "?host_device_id=\(host)")
        }
        expect(try await ask(), 200)
        let refused = try await ask()
        expect(refused, 503)
        #expect(refused.headers[.retryAfter] != nil)
    }

    @Test func hostsAndClientsMayHaveMany() async throws {
        let otherHost = try await relay.device(.host, of: owner)
        let otherClient = try await relay.device(.client, of: owner)
        var ids: Set<Pairing.ID> = []
        for host in [host, otherHost] {
            for client in [client, otherClient] { ids.insert(try await relay.pair(host, client, by: owner).pairingId) }
        }
        #expect(ids.count == 4)
    }

    @Test func codesAreDrawnFromAllSixDigits() {
        let codes = (0..<1000).map { _ in Pairings.randomCode() }
        #expect(codes.allSatisfy(PairingCode.isWellFormed))
        #expect(Set(codes).count > 900)
        #expect(codes.contains { $0.hasPrefix("0") })
    }
}
