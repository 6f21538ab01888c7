import Foundation
import TestKit
import Testing

/// A queued text survives kills of the relay and of the host: none is lost, none is sent twice.
@Suite(.seeded) struct HostKillTests {
    private static let texts = Effort.count(100, soak: 10_000)
    /// The number of kills of the relay, and of the host.
    private static let kills = Effort.count(5, soak: 20)
    /// The number of texts that a host sends at the same time: one for each SIM.
    private static let lanes = 2

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func randomKillsOfRelayAndHostLoseAndRepeatNoText() async throws {
        let relay = try await ServiceProcess(["simbridge", "--data", folder.file("relay")])
        try await LineProxy.run(to: relay.port) { [folder] proxy in
            let host = try await HostProcess(relay: proxy.port, folder: folder)
            let client = try await RelayClient.pair(port: proxy.port)
            var numbers = SeededGenerator(seed: Seed.current)
            let ids = (0..<Self.texts).map { _ in UUID.random(using: &numbers).uuidString.lowercased() }
            // The sum of answered and sent texts: some kills happen while texts are accepted, others while they are sent.
            let moments = (0..<2).map { _ in
                (0..<Self.kills).map { _ in Int.random(in: 0..<Self.texts * 9 / 5, using: &numbers) }.sorted()
            }
            let answered = Counter()
            @Sendable func reaches(_ moment: Int) async throws {
                try await eventually { await answered.value + host.sentCount() >= moment }
            }

            try await within(.seconds(Effort.isSoak ? 3600 : 300)) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for sender in 0..<4 {
                        group.addTask {
                            for index in stride(from: sender, to: ids.count, by: 4) {
                                try await client.give(ids[index], sim: index % Self.lanes + 1)
                                await answered.increase()
                            }
                        }
                    }
                    group.addTask {
                        for moment in moments[0] {
                            try await reaches(moment)
                            proxy.target = try await relay.restart()
                        }
                    }
                    group.addTask {
                        for moment in moments[1] {
                            try await reaches(moment)
                            try await host.restart()
                        }
                    }
                    // The first failure cancels the others.
                    for try await _ in group {}
                }
            }

            // Every text completes, and the host reports it. The expectations below name those that did not.
            let outcome = Latest<Outcome>()
            try? await eventually(within: .seconds(Effort.isSoak ? 3600 : 120)) {
                let now = try await client.outcome()
                await outcome.set(now)
                return ids.allSatisfy { now.reports[$0] != nil && now.states[$0].map { $0 != "accepted" && $0 != "sent" } == true }
            }
            let (states, reports) = await (outcome.value?.states ?? [:], outcome.value?.reports ?? [:])
            let sent = try host.sent().reduce(into: [:]) { $0[$1.body, default: 0] += 1 }
            #expect(Set(states.keys) == Set(ids))
            #expect(Set(sent.keys).isSubset(of: ids))
            #expect(sent.values.allSatisfy { $0 == 1 }, "sent twice: \(sent.filter { $0.value > 1 })")
            for id in ids {
                // Every report of the host about one text is the same.
                #expect(reports[id] == [states[id] == "confirmed" ? "ok" : "unknown"], "\(id)")
                #expect(states[id] == "unknown" || states[id] == "confirmed" && sent[id] == 1, "\(id)")
            }
            let unknown = states.values.count { $0 == "unknown" }
            #expect(unknown <= Self.kills * Self.lanes)
            #expect(try await host.end() == 0)
        }
        #expect(try await relay.end() == 0)
    }
}

private struct Outcome: Sendable {
    /// The state of each command, by its `req_id`.
    var states: [String: String] = [:]
    /// The reports of the host about each command.
    var reports: [String: Set<String>] = [:]
}

private actor Counter {
    private(set) var value = 0
    func increase() { value += 1 }
}

private actor Latest<Value: Sendable> {
    private(set) var value: Value?
    func set(_ value: Value) { self.value = value }
}

/// A client that sends commands by REST, and retries until they are answered.
private struct RelayClient: Sendable {
    private static let user = #"{"username":"ada","password":"correct horse"}"#

    private struct Login: Decodable { var token: String }
    private struct Device: Decodable { var id: Int }
    private struct Code: Decodable { var code: String }
    private struct Nothing: Decodable {}
    private struct Refused: Error { var text: String }
    private struct Page: Decodable {
        struct Item: Decodable {
            struct Payload: Decodable {
                var event: String?
                var status: String?
                var reqId: String?
            }
            var msgType: String
            var payload: Payload
            var state: String?
        }
        var items: [Item]
        var total: Int
    }

    private let port: Int
    private var token: String?
    private var host = 0

    private init(port: Int) { self.port = port }

    /// Logs in where a host is registered, and pairs a client with it.
    static func pair(port: Int) async throws -> RelayClient {
        var client = RelayClient(port: port)
        let login: Login = try await client.call("POST", "/auth/login", user)
        client.token = login.token
        let hosts: [Device] = try await client.call("GET", "/devices")
        client.host = try #require(hosts.first).id
        let device: Device = try await client.call("POST", "/devices", #"{"name":"Phone","type":"client"}"#)
        let code: Code = try await client.call("POST", "/pair?host_device_id=\(client.host)")
        let _: Nothing = try await client.call(
            "POST", "/pair/confirm", #"{"code":"\#(code.code)","client_device_id":\#(device.id)}"#)
        return client
    }

    private func call<Value: Decodable>(_ method: String, _ path: String, _ body: String = "") async throws -> Value {
        let reply = try await HTTPProbe(port: port).send(
            method, path, headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:],
            body: method == "GET" ? nil : Data(body.utf8))
        guard reply.status == 200 else { throw Refused(text: "\(reply.status) \(reply.text)") }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: reply.body)
    }

    /// Sends a text whose body is its `req_id`.
    func give(_ id: String, sim: Int) async throws {
        let body = #"{"to_device_id":\#(host),"sim":\#(sim),"to":"+15550123","body":"\#(id)","req_id":"\#(id)"}"#
        while true {
            do {
                let _: Nothing = try await call("POST", "/sms", body)
                return
            } catch let refused as Refused {
                throw refused
            } catch {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// The whole history.
    func outcome() async throws -> Outcome {
        var outcome = Outcome()
        var (offset, total) = (0, 1)
        while offset < total {
            // Newest first: new items move the others back.
            let page: Page = try await call("GET", "/history?limit=200&offset=\(offset)")
            for item in page.items {
                guard let id = item.payload.reqId else { continue }
                if item.msgType == "command" { outcome.states[id] = outcome.states[id] ?? item.state }
                if item.payload.event == "SMS_SENT" { outcome.reports[id, default: []].insert(item.payload.status ?? "") }
            }
            (offset, total) = (offset + 200, page.total)
        }
        return outcome
    }
}

/// `switchboard simbridge host` with simulated SIM cards, as a process that can be killed and restarted.
private actor HostProcess {
    private struct Silent: Error {}
    struct Text: Decodable { var body: String }

    private let arguments: [String]
    private let record: URL
    private var program: Program
    /// The length in bytes of a line in the record. All are equal.
    private var lineLength: Int?

    init(relay: Int, folder: TemporaryFolder) async throws {
        try "correct horse\n".write(toFile: folder.file("password"), atomically: true, encoding: .utf8)
        arguments = [
            "simbridge", "host", "--data", folder.file("host"), "--relay", "http://127.0.0.1:\(relay)", "--user", "ada",
            "--password-file", folder.file("password"), "--simulated-sending-time", "5",
        ]
        record = URL(filePath: folder.file("host")).appending(path: "simulated-sent.jsonl")
        program = try await Program("switchboard", arguments + ["--register"])
        while let line = try await program.line() { if line.contains("  Connected to ") { return } }
        throw Silent()
    }

    func restart() async throws {
        program.send(SIGKILL)
        guard try await program.end().wasSignalled else { throw Silent() }
        program = try await Program("switchboard", arguments)
    }

    /// - Returns: Its exit code.
    func end() async throws -> Int32 {
        program.send(SIGTERM)
        return try await program.end().status
    }

    /// The texts that the simulated network accepted.
    nonisolated func sent() throws -> [Text] {
        try Data(contentsOf: record).split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Text.self, from: $0) }
    }

    /// The number of texts that the simulated network accepted.
    func sentCount() -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: record.path)
        guard let size = attributes?[.size] as? Int, size > 0 else { return 0 }
        if lineLength == nil { lineLength = (try? Data(contentsOf: record))?.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } }
        return size / (lineLength ?? .max)
    }
}

extension UUID {
    fileprivate static func random(using numbers: inout SeededGenerator) -> UUID {
        let halves = [numbers.next(), numbers.next()].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) }
        }
        return halves.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
