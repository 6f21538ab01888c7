import Crypto
import Foundation
import PushTestKit
import StorageKit
import TestKit
import Testing
import WireKit

/// Messages reach phones once, in one form and in order, while the service is killed and the push service fails.
@Suite(.seeded) struct PushKillTests {
    private static let count = Effort.count(240, soak: 10_000)
    private static let kills = Effort.count(4, soak: 20)
    private static let senders = 5
    private static let recipients = Effort.count(9, soak: 15)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func killsAndFailuresLoseRepeatAndReorderNoNotification() async throws {
        let certificate = try await TestCertificate.make()
        let checks = StandInAPNS()
        let apns = UnreliableAPNS(checks: checks, random: SeededGenerator(seed: Seed.current, number: 1))
        try checks.key.pemRepresentation.write(toFile: folder.file("key.p8"), atomically: true, encoding: .utf8)
        try await SecureServer.run(certificate, answer: { try await apns.answer($0) }) { [folder] port in
            let service = try await ServiceProcess(
                ["pager2077", "--data", folder.file("data")],
                environment: [
                    "APNS_KEY_PATH": folder.file("key.p8"), "APNS_KEY_ID": StandInAPNS.keyID, "APNS_TEAM_ID": StandInAPNS.teamID,
                    "APNS_BUNDLE_ID": StandInAPNS.bundleID, "APNS_URL": "https://localhost:\(port)",
                    "APNS_CA_PATH": certificate.path,
                ])
            let crowd = try await PagerCrowd(service, apns, senders: Self.senders, recipients: Self.recipients)
            var random = SeededGenerator(seed: Seed.current, number: 2)
            // The sum of answered messages and accepted notifications: some kills happen while messages arrive, others while they leave.
            let moments = (0..<Self.kills).map { _ in Int.random(in: 0..<Self.count * 9 / 5, using: &random) }.sorted()
            try await within(ampleTime) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for sender in 0..<Self.senders {
                        group.addTask { try await crowd.send(Self.count / Self.senders, by: sender) }
                    }
                    group.addTask { try await crowd.renewStartTokens(until: Self.count) }
                    group.addTask {
                        for moment in moments {
                            while crowd.answered + apns.acceptanceCount < moment { try await Task.sleep(for: .milliseconds(1)) }
                            try await service.restart()
                        }
                    }
                    // The first failure cancels the others.
                    for try await _ in group {}
                    try await crowd.finish()
                }
            }
            #expect(try await service.end() == 0)
            try await check(crowd, apns)
        }
    }

    private func check(_ crowd: PagerCrowd, _ apns: UnreliableAPNS) async throws {
        #expect(apns.refusals.isEmpty, "\(apns.refusals.prefix(3))")
        for fault in UnreliableAPNS.Fault.allCases { #expect(apns.faults[fault, default: 0] > 0, "\(fault)") }
        let messages = crowd.messages
        #expect(messages.count == Self.count)
        #expect(Set(messages.map(\.id)).count == Self.count)

        let accepted = try apns.acceptances.compactMap { try Arrival($0) }
        let arrivals = Dictionary(grouping: accepted, by: \.text)
        // Nothing that the service has refused, and nothing that nobody has sent.
        #expect(Set(arrivals.keys).isSubset(of: messages.map(\.text)))

        var missing: [PagerCrowd.Message] = []
        for message in messages {
            guard let all = arrivals[message.text], let first = all.first else {
                missing.append(message)
                continue
            }
            // One notification for the system of the phone, which replaces it when it arrives again, and in one form.
            #expect(Set(all.map(\.id)).count == 1, "\(message.text)")
            #expect(Set(all.map(\.collapseID)).count == 1, "\(message.text)")
            #expect(Set(all.map(\.isActivity)).count == 1, "\(message.text)")
            let phone = crowd.phones[message.recipient]
            let tokens = first.isActivity ? phone.startTokens : phone.deviceTokens
            #expect(all.allSatisfy { tokens.contains($0.token) }, "\(message.text)")
            #expect(first.isActivity || first.messageID == message.id, "\(message.text)")
        }
        // Left out are only those that a start token may have accepted before it died. The sender learns it.
        let deadLetters = try await deadLetters()
        let unexplained = missing.filter { deadLetters[$0.id] != "unknown result" }
        #expect(unexplained.isEmpty, "\(unexplained.map { ($0, deadLetters[$0.id] ?? "none") })")
        #expect(missing.count <= Self.kills * Self.recipients)

        var seen: Set<String> = []
        let firsts = accepted.map(\.text).filter { seen.insert($0).inserted }
        for sender in 0..<Self.senders {
            for recipient in 0..<Self.recipients {
                let lane = PagerCrowd.lane(from: sender, to: recipient)
                let order = firsts.filter { $0.hasPrefix(lane) }.compactMap { Int($0.dropFirst(lane.count)) }
                #expect(order == order.sorted(), "\(lane)")
            }
        }
        let forms = arrivals.values.reduce(into: [true: 0, false: 0]) { $0[$1[0].isActivity, default: 0] += 1 }
        #expect(forms.values.allSatisfy { $0 > 0 })
        if Effort.isSoak {
            print(
                """
                \(messages.count) messages, \(Self.kills) kills, \(apns.requestCount) requests, \(forms[true] ?? 0) by activity, \
                \(forms[false] ?? 0) by alert, \(accepted.count - arrivals.count) accepted again, \(missing.count) with unknown result, \
                \(deadLetters.count) dead letters, \(crowd.repeats) resent, faults: \(apns.faults)
                """)
        }
    }

    /// The reasons of failed notifications, by message.
    private func deadLetters() async throws -> [String: String] {
        struct Letter: RowDecodable {
            var reason: String
            var content: Data

            init(row: Row) throws {
                reason = try row.get("reason")
                content = try row.get("content")
            }
        }
        let database = try Database(existing: folder.file("data/pager.db"))
        let letters: [Letter] = try await database.read { try $0.all("SELECT * FROM pushes WHERE state = 'failed'") }
        return letters.reduce(into: [:]) { found, letter in
            let text = String(decoding: letter.content, as: UTF8.self)
            if let match = text.firstMatch(of: /"messageId":"([0-9a-f]+)"/) { found[String(match.1)] = letter.reason }
        }
    }
}

/// A message as a push service has accepted it.
private struct Arrival {
    var id: String
    var collapseID: String
    var isActivity: Bool
    var token: String
    var text: String
    /// Nil for an activity, which has none.
    var messageID: String?

    private struct Payload: Decodable {
        struct System: Decodable {
            struct Alert: Decodable { var body: String }
            struct State: Decodable { var message: String }
            enum CodingKeys: String, CodingKey {
                case alert
                case state = "content-state"
            }
            var alert: Alert?
            var state: State?
        }
        var aps: System
        var type: String?
        var messageId: String?
    }

    /// - Returns: Nil for another notification than one of a message.
    init?(_ acceptance: UnreliableAPNS.Acceptance) throws {
        let payload = try JSONDecoder().decode(Payload.self, from: acceptance.body)
        isActivity = acceptance.type == "liveactivity"
        guard isActivity || payload.type == "MESSAGE" else { return nil }
        (id, collapseID, token) = (acceptance.id, acceptance.collapseID, acceptance.token)
        text = (isActivity ? payload.aps.state?.message : payload.aps.alert?.body) ?? ""
        messageID = payload.messageId
    }
}
