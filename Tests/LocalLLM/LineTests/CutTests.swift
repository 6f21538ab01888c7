import Foundation
import LocalLLMClient
import LocalLLMService
import LocalLLMTestKit
import LocalLLMWire
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// The promise of the line: an answer arrives complete, in order and once, however often the connection drops.
///
/// The real client on the real host, over streams that are cut at random bytes in both directions. Meanwhile the host's process dies and
/// starts again on the same store, and the app is closed and opened again.
@MainActor
@Suite(.seeded) struct CutTests {
    /// An event that lets a client dial at once.
    enum Return: CaseIterable {
        /// The network changes: the Chat screen stays while the client dials.
        case network
        /// The user comes back from another app, after the Connect screen has shown `HOST_DISCONNECTED`.
        case user
    }

    @Test(arguments: Return.allCases)
    func answersAreCompleteAndInOrder(_ way: Return) async throws {
        let cuts = Effort.count(500, soak: 20_000)
        let world = try await CutWorld(way, seed: Seed.current &+ (way == .user ? 1 : 0))
        try await world.run(cuts: cuts, kills: cuts / 50, quits: cuts / 100)
        let counts = world.cutter.counts
        #expect(counts.insideAnswers >= cuts && counts.insideLines > cuts / 4)
        #expect(counts.up > cuts / 20 && counts.down > cuts / 2)
        #expect(world.killCount == cuts / 50 && world.quitCount == cuts / 100)
        // Every second death of the host was in the middle of an answer, and Retry gave it whole.
        #expect(world.failedCount >= cuts / 100 && world.completeCount > world.failedCount)
        // A request that is sent again is not generated again.
        #expect(world.engine.count <= world.completeCount + world.failedCount)
    }
}

/// An engine whose answers consist of numbered pieces, so that a missing, repeated or misplaced one shows.
private final class NumberedAnswers: Engine {
    private let begun = Locked(0)
    private let held = Locked(false)

    /// The number of answers that were begun.
    var count: Int { begun.withLock { $0 } }
    /// True: answers stop in the middle, and do not end.
    var isHeld: Bool {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    var name: String { "The engine of a test" }
    func models() async throws -> [EngineModel] { [EngineModel("llama")] }

    private static func pieces(of prompt: String) -> [String] {
        // Two bytes a character, so that some cuts are inside one.
        let filling = String(repeating: "·", count: 60)
        return (0..<300).map { "\(prompt):\($0) \(filling)\n" }
    }

    static func answer(to prompt: String) -> String { pieces(of: prompt).joined() }

    func generate(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        let prompt = request.turns.last?.content ?? ""
        begun.withLock { $0 += 1 }
        let pieces = Self.pieces(of: prompt)
        for (number, piece) in pieces.enumerated() {
            if number == pieces.count / 2, isHeld {
                for await _ in AsyncStream<Never>.makeStream().stream {}
                throw CancellationError()
            }
            // A model takes its time, so that connections are lost while it talks.
            if number % 6 == 0 { try await Task.sleep(for: .milliseconds(1)) }
            try await receive(.text(piece))
        }
        return .stop
    }
}

/// A phone, a host and the network between them.
@MainActor
private final class CutWorld {
    let cutter: StreamCutter
    let engine = NumberedAnswers()
    private(set) var killCount = 0
    private(set) var quitCount = 0
    private(set) var completeCount = 0
    /// Answers that the death of a host has cut.
    private(set) var failedCount = 0

    private let network = TestPeers()
    private let device = TestPhone()
    private let way: CutTests.Return
    private var host: RealHost?
    private let serverID: ServerID
    private var chat: ChatPhone
    private var waking: Task<Void, Never>?
    private var promptCount = 0

    init(_ way: CutTests.Return, seed: UInt64) async throws {
        cutter = StreamCutter(seed: seed)
        network.cutter = cutter
        self.way = way
        let host = try await RealHost(on: network, answering: engine)
        (self.host, serverID) = (host, host.id)
        chat = ChatPhone(network, phone: device)
        keepAwake()
    }

    deinit { waking?.cancel() }

    /// Chats until this many streams were cut in the middle of an answer. The host dies and the app is closed at even intervals meanwhile.
    func run(cuts: Int, kills: Int, quits: Int) async throws {
        do {
            try await work(cuts: cuts, kills: kills, quits: quits)
        } catch let error as TimedOut {
            let client = chat.client
            Issue.record(
                """
                \(client.screen), \(client.link), \(String(describing: client.problem)), exchange \(String(describing: chat.last?.state)), \
                \(cutter.counts), \(killCount) kills, \(quitCount) quits; log: \(client.log.entries.suffix(12).map(\.text))
                """)
            throw error
        }
    }

    private func work(cuts: Int, kills: Int, quits: Int) async throws {
        try await chat.connect(to: serverID)
        while cutter.counts.insideAnswers < cuts || killCount < kills || quitCount < quits {
            promptCount += 1
            try await chat.until { $0.link == .open && !$0.isGenerating }
            engine.isHeld = killCount % 2 == 1 && isDue(killCount, of: kills, cuts)
            guard chat.client.send("prompt \(promptCount)") else { continue }
            while try await !answer(cuts: cuts, kills: kills, quits: quits) {}
            chat.client.clear()
        }
    }

    /// True if the next one of `all` events, which are spread evenly over the cuts, has to happen now.
    private func isDue(_ done: Int, of all: Int, _ cuts: Int) -> Bool {
        done < all && cutter.counts.insideAnswers >= (done + 1) * cuts / (all + 1)
    }

    /// Waits for the answer of the last exchange, and repeats it when the host died.
    ///
    /// - Returns: True when the answer is complete.
    private func answer(cuts: Int, kills: Int, quits: Int) async throws -> Bool {
        var exchange = try #require(chat.last)
        let killsBefore = killCount
        while !exchange.isFinished {
            let waiting = exchange
            // Every second death is in the middle of an answer, the others at any time.
            func isDeathDue() -> Bool {
                guard killCount % 2 == 0 || engine.isHeld && !waiting.answer.isEmpty else { return false }
                return isDue(killCount, of: kills, cuts)
            }
            func isQuitDue() -> Bool { isDue(quitCount, of: quits, cuts) }
            try await chat.until { _ in waiting.isFinished || isDeathDue() || isQuitDue() }
            if isDeathDue() { try await kill() }
            if isQuitDue() {
                try await quit()
                exchange = try #require(chat.exchanges.first { $0.id == exchange.id })
            }
        }
        let expected = NumberedAnswers.answer(to: exchange.prompt)
        if exchange.state == .finished(.stop) {
            completeCount += 1
            expect(exchange.answer, expected)
            return true
        }
        // Nothing but a death of the host may fail an answer. Its text stays.
        try #require(exchange.problem?.code == .generationFailed && killCount > killsBefore, "\(exchange.state)")
        failedCount += 1
        #expect(expected.hasPrefix(exchange.answer))
        while chat.last === exchange {
            try await chat.until { $0.link == .open }
            chat.client.retry(exchange)
        }
        return false
    }

    private func expect(_ answer: String, _ expected: String) {
        guard answer != expected else { return }
        let (lines, wanted) = (answer.split(separator: "\n"), expected.split(separator: "\n"))
        let index = zip(lines, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.count, wanted.count)
        Issue.record("\(lines.count) of \(wanted.count) pieces; from \(index) on: \(lines.dropFirst(index).prefix(3))")
    }

    private func kill() async throws {
        killCount += 1
        let folder = try #require(await host?.kill())
        // The lock of the store goes with the host.
        host = nil
        engine.isHeld = false
        network.cut()
        host = try await RealHost(on: network, folder: folder, answering: engine)
    }

    private func quit() async throws {
        quitCount += 1
        waking?.cancel()
        await chat.quit()
        chat = ChatPhone(network, phone: device)
        keepAwake()
        try await chat.connect(to: serverID)
    }

    /// Ends each wait of the line at once.
    private func keepAwake() {
        let (chat, way) = (chat, way)
        waking = Task { [weak chat] in
            while !Task.isCancelled, let chat {
                try? await chat.until { if case .waiting = $0.link { true } else { false } }
                switch way {
                case .network: chat.phone.setOnline(true)
                case .user:
                    chat.client.setInFront(false, screen: chat.phone)
                    chat.client.setInFront(true, screen: chat.phone)
                }
            }
        }
    }
}
