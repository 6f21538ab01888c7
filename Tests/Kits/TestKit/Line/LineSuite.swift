import Testing
import WireKit

/// The client of a system on one phone, as the suite uses it. The suite sends texts from it to another phone.
package protocol LineEnd: Sendable {
    /// Sends a text. When it returns, the client has accepted the text and must deliver it.
    func send(_ text: String) async throws
    /// The texts that the app has received, in order of arrival.
    func arrived() async -> [String]
    /// The number of texts that the app shows as not yet sent.
    func waiting() async -> Int
    /// True when the app shows that it is connected.
    func isConnected() async -> Bool
    /// Moves the app to the background or the foreground.
    func setAwake(_ isAwake: Bool) async
}

/// The delivery guarantee of every system's line: each accepted text is delivered once and in order, however often the line drops.
///
/// Two phones, each behind its own proxy, send texts to each other while the suite injects connection loss, sleep and restarts.
package struct LineSuite: Sendable {
    private struct Phone: Sendable {
        let end: any LineEnd
        let proxy: LineProxy
        /// The prefix of the texts that it sends.
        let name: String
    }

    /// The time for all disconnects, or for all texts.
    private static let limit = max(ampleTime, .seconds(600))

    private let phones: [Phone]
    private let seed: UInt64

    /// - Parameters:
    ///   - ends: The two clients, each connected through the proxy with the same index.
    package init(_ ends: [any LineEnd], through proxies: [LineProxy], seed: UInt64 = Seed.current) {
        phones = zip(ends, proxies).enumerated().map { Phone(end: $1.0, proxy: $1.1, name: $0 == 0 ? "a" : "b") }
        self.seed = seed
    }

    private var cuts: Int { phones.reduce(0) { $0 + $1.proxy.counts.cuts } }

    // MARK: Guarantees

    /// Both phones send `texts` texts while connections are cut at random bytes, delayed and stalled, and the apps sleep and wake, until
    /// `cuts` connections have been cut.
    package func survivesDisconnects(_ cuts: Int, texts: Int) async throws {
        var faults = LineProxy.Faults()
        faults.cutAfter = 1...30_000
        faults.chunkSize = 1...2_000
        faults.stall = .init(probability: 0.01, duration: .milliseconds(1) ... .milliseconds(50))
        for phone in phones { phone.proxy.faults = faults }
        try await simulateUse { group in
            for phone in phones { group.addTask { try await write(texts, from: phone) { self.cuts * texts >= $0 * cuts } } }
            group.addTask { try await eventually(within: Self.limit) { self.cuts >= cuts } }
        }
        for phone in phones { phone.proxy.faults = .init() }
        try await expectDelivery(texts)
        // Reconnecting once more must not deliver anything twice.
        for phone in phones {
            await phone.proxy.cutAll()
            await phone.end.setAwake(false)
            await phone.end.setAwake(true)
        }
        try await expectDelivery(texts)
    }

    /// Both phones send `texts` texts while the service is killed and restarted.
    ///
    /// - Parameter restart: Kills the service, starts it again and returns its port.
    package func survivesKills(_ kills: Int, texts: Int, restart: @escaping @Sendable () async throws -> Int) async throws {
        let killed = Counter()
        try await simulateUse { group in
            for phone in phones { group.addTask { try await write(texts, from: phone) { killed.count * texts >= $0 * kills } } }
            group.addTask {
                var numbers = SeededGenerator(seed: seed, number: 2000)
                for _ in 0..<kills {
                    try await Task.sleep(for: numbers.duration(in: .milliseconds(50) ... .milliseconds(400)))
                    let port = try await restart()
                    for phone in phones { phone.proxy.target = port }
                    killed.increase()
                }
            }
        }
        try await expectDelivery(texts)
    }

    /// The app reports a lost connection, shows and keeps its unsent texts, and sends them and reports the connection once it is
    /// restored.
    package func reportsConnectionState() async throws {
        let (sender, recipient) = (phones[0], phones[1])
        try await sender.proxy.refuse()
        await sender.proxy.cutAll()
        try await eventually { await !sender.end.isConnected() }
        for number in 0..<3 { try await sender.end.send("a\(number)") }
        try await eventually { await sender.end.waiting() == 3 }
        #expect(await recipient.end.arrived() == [])
        try await sender.proxy.accept()
        await sender.end.setAwake(false)
        await sender.end.setAwake(true)
        try await eventually { await sender.end.isConnected() }
        try await eventually { await sender.end.waiting() == 0 }
        try await eventually { await recipient.end.arrived().count == 3 }
        #expect(await recipient.end.arrived() == ["a0", "a1", "a2"])
    }

    /// A phone that stops reading delays no other phone, causes no significant memory growth in the service, and receives everything once
    /// it reads again.
    ///
    /// - Parameters:
    ///   - memory: Returns the service's memory in bytes.
    ///   - limit: The maximum growth in bytes.
    package func toleratesStalledReader(
        texts: Int, limit: Int, memory: @escaping @Sendable () async throws -> Int
    ) async throws {
        let (sender, reader) = (phones[0], phones[1])
        reader.proxy.faults.stalled = [.down]
        let before = try await memory()
        try await write(texts, from: sender) { _ in true }
        try await eventually { await sender.end.waiting() == 0 }
        let growth = try await memory() - before
        #expect(growth < limit, "grown by \(growth) bytes")
        reader.proxy.faults.stalled = []
        await reader.end.setAwake(false)
        await reader.end.setAwake(true)
        try await eventually { await reader.end.arrived().count >= texts }
        expect(await reader.end.arrived(), (0..<texts).map { "a\($0)" })
    }

    // MARK: Simulated phones

    /// - Parameter isTime: Returns true when the text with this number may be sent.
    private func write(_ texts: Int, from phone: Phone, maySend: @escaping @Sendable (Int) -> Bool) async throws {
        for number in 0..<texts {
            try await eventually(within: Self.limit) {
                guard maySend(number) else { return false }
                return await phone.end.waiting() < 100
            }
            try await phone.end.send("\(phone.name)\(number)")
        }
    }

    /// Runs the tasks of `addTasks` to their end while the apps sleep and wake.
    private func simulateUse(_ addTasks: (inout ThrowingTaskGroup<Void, any Error>) -> Void) async throws {
        let hasEnded = Counter()
        try await withThrowingTaskGroup(of: Void.self) { outer in
            for phone in phones { outer.addTask { try await sleepAndWake(phone) { hasEnded.count > 0 } } }
            defer { hasEnded.increase() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                addTasks(&group)
                try await group.waitForAll()
            }
        }
    }

    /// Moves an app to the background and back repeatedly. Sometimes the network stalls meanwhile.
    private func sleepAndWake(_ phone: Phone, until hasEnded: @escaping @Sendable () -> Bool) async throws {
        var numbers = SeededGenerator(seed: seed, number: phone.name == "a" ? 3000 : 3001)
        while !hasEnded() {
            if numbers.occurs(0.2) {
                await phone.end.setAwake(false)
                phone.proxy.faults.stalled = [.up, .down]
                try await Task.sleep(for: numbers.duration(in: .zero ... .milliseconds(20)))
                if numbers.occurs(0.5) { await phone.proxy.cutAll() }
                phone.proxy.faults.stalled = []
            }
            await phone.end.setAwake(false)
            await phone.end.setAwake(true)
            try await Task.sleep(for: numbers.duration(in: .milliseconds(1) ... .milliseconds(30)))
        }
    }

    private func expect(_ arrived: [String], _ sent: [String]) {
        guard arrived != sent else { return }
        let missing = Set(sent).subtracting(arrived).sorted()
        let duplicates = Dictionary(grouping: arrived) { $0 }.filter { $1.count > 1 }.keys.sorted()
        let index = zip(arrived, sent).enumerated().first { $1.0 != $1.1 }?.offset ?? min(arrived.count, sent.count)
        Issue.record(
            "missing: \(missing); duplicates: \(duplicates); received from index \(index) on: \(arrived.dropFirst(index).prefix(10))"
        )
    }

    /// Waits until every text has arrived and checks for duplicates and wrong order.
    private func expectDelivery(_ texts: Int) async throws {
        for (from, to) in [(phones[0], phones[1]), (phones[1], phones[0])] {
            do {
                try await eventually { await to.end.arrived().count >= texts }
            } catch is TimedOut {
                Issue.record("of \(texts) texts \(await to.end.arrived().count) arrived, \(await from.end.waiting()) are waiting")
            }
            expect(await to.end.arrived(), (0..<texts).map { "\(from.name)\($0)" })
            try await eventually { await from.end.waiting() == 0 }
            try await eventually { await from.end.isConnected() }
        }
    }
}

private final class Counter: Sendable {
    private let value = Locked(0)
    var count: Int { value.withLock { $0 } }
    func increase() { value.withLock { $0 += 1 } }
}
