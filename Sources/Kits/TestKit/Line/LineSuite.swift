import NIOConcurrencyHelpers
import Testing

/// An app on a phone, with the real client of its system. What it sends is to arrive at another one.
package protocol LineEnd: Sendable {
    /// Hands over a text. Once this returns it has been accepted: it has to arrive.
    func send(_ text: String) async throws
    /// What the app has shown of the other's texts, each as it came.
    func arrived() async -> [String]
    /// How many texts the app shows as not sent yet.
    func waiting() async -> Int
    /// Whether the app shows that it is connected.
    func isConnected() async -> Bool
    /// The phone is put away, or looked at again.
    func setAwake(_ isAwake: Bool) async
}

/// The promise of the line, the same for every system: what was accepted is delivered once, in order, however often the line drops.
///
/// Two phones, each behind a proxy of its own, send each other texts while the suite does to them what life does to phones.
package struct LineSuite: Sendable {
    private struct Phone: Sendable {
        let end: any LineEnd
        let proxy: LineProxy
        /// What its sent texts begin with.
        let name: String
    }

    private let phones: [Phone]
    private let seed: UInt64

    /// - Parameters:
    ///   - ends: Two, each connected through the proxy at the same place.
    package init(_ ends: [any LineEnd], through proxies: [LineProxy], seed: UInt64 = Seed.current) {
        phones = zip(ends, proxies).enumerated().map { Phone(end: $1.0, proxy: $1.1, name: $0 == 0 ? "a" : "b") }
        self.seed = seed
    }

    private var cuts: Int { phones.reduce(0) { $0 + $1.proxy.counts.cuts } }

    // MARK: What is asked of a line

    /// Both send `texts` while connections are cut at random bytes, delayed and held up, and the phones sleep and wake, until
    /// `cuts` connections have been cut.
    package func survivesDisconnects(_ cuts: Int, texts: Int) async throws {
        var faults = LineProxy.Faults()
        faults.cutAfter = 1...30_000
        faults.piece = 1...2_000
        faults.stall = .init(chance: 0.01, length: .milliseconds(1) ... .milliseconds(50))
        for phone in phones { phone.proxy.faults = faults }
        try await live { group in
            for phone in phones { group.addTask { try await write(texts, from: phone) { self.cuts * texts >= $0 * cuts } } }
            group.addTask { try await eventually(within: .seconds(600)) { self.cuts >= cuts } }
        }
        for phone in phones { phone.proxy.faults = .init() }
        try await everythingArrives(texts)
        // Nor is anything told again to whoever comes back once more.
        for phone in phones {
            await phone.proxy.cutAll()
            await phone.end.setAwake(false)
            await phone.end.setAwake(true)
        }
        try await everythingArrives(texts)
    }

    /// Both send `texts` while the service is killed and started again.
    ///
    /// - Parameter restart: Kills it, starts it, and returns its port.
    package func survivesKills(_ kills: Int, texts: Int, restart: @escaping @Sendable () async throws -> Int) async throws {
        let killed = Counter()
        try await live { group in
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
        try await everythingArrives(texts)
    }

    /// Without a connection the app says so, shows what waits, and keeps it; with one it leaves, and the app says that too.
    package func tellsTheTruth() async throws {
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

    /// A phone that stops reading holds up nobody, costs the service no memory to speak of, and gets everything once it reads again.
    ///
    /// - Parameters:
    ///   - memory: What the service uses now. Bytes.
    ///   - limit: How much more that may become.
    package func bearsAReaderThatStops(
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

    // MARK: What phones do

    /// - Parameter isTime: Whether the text of this number may be written now.
    private func write(_ texts: Int, from phone: Phone, isTime: @escaping @Sendable (Int) -> Bool) async throws {
        for number in 0..<texts {
            try await eventually(within: .seconds(600)) {
                guard isTime(number) else { return false }
                return await phone.end.waiting() < 100
            }
            try await phone.end.send("\(phone.name)\(number)")
        }
    }

    /// Runs what `addTasks` adds to its end, while the phones are used as phones are.
    private func live(_ addTasks: (inout ThrowingTaskGroup<Void, any Error>) -> Void) async throws {
        let isOver = Counter()
        try await withThrowingTaskGroup(of: Void.self) { outer in
            for phone in phones { outer.addTask { try await fidget(phone) { isOver.count > 0 } } }
            defer { isOver.increase() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                addTasks(&group)
                try await group.waitForAll()
            }
        }
    }

    /// Puts a phone away and takes it out again, over and over. While it sleeps nothing goes through.
    private func fidget(_ phone: Phone, until isOver: @escaping @Sendable () -> Bool) async throws {
        var numbers = SeededGenerator(seed: seed, number: phone.name == "a" ? 3000 : 3001)
        while !isOver() {
            if numbers.happens(0.2) {
                await phone.end.setAwake(false)
                phone.proxy.faults.stalled = [.up, .down]
                try await Task.sleep(for: numbers.duration(in: .zero ... .milliseconds(20)))
                if numbers.happens(0.5) { await phone.proxy.cutAll() }
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
        let doubled = Dictionary(grouping: arrived) { $0 }.filter { $1.count > 1 }.keys.sorted()
        let place = zip(arrived, sent).enumerated().first { $1.0 != $1.1 }?.offset ?? min(arrived.count, sent.count)
        Issue.record(
            "missing: \(missing); doubled: \(doubled); from \(place) on it came as \(arrived.dropFirst(place).prefix(10))")
    }

    /// Waits until nothing is missing, and looks whether anything is doubled or out of order.
    private func everythingArrives(_ texts: Int) async throws {
        for (from, to) in [(phones[0], phones[1]), (phones[1], phones[0])] {
            do {
                try await eventually { await to.end.arrived().count >= texts }
            } catch is TimedOut {
                Issue.record("of \(texts) texts \(await to.end.arrived().count) arrived, \(await from.end.waiting()) wait")
            }
            expect(await to.end.arrived(), (0..<texts).map { "\(from.name)\($0)" })
            try await eventually { await from.end.waiting() == 0 }
            try await eventually { await from.end.isConnected() }
        }
    }
}

private final class Counter: Sendable {
    private let value = NIOLockedValueBox(0)
    var count: Int { value.withLockedValue { $0 } }
    func increase() { value.withLockedValue { $0 += 1 } }
}
