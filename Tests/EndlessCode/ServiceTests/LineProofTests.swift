import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import StorageKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// The bar of the contract for the socket: every event once and in order on every phone, and every prompt once, however often the line drops.
@Suite struct LineProofTests {
    /// 100 phones of one session behind a proxy that cuts their connections at random bytes.
    @Test func hundredPhonesGetEveryEventOnceAndInOrderThroughCuts() async throws {
        let test = try await TestServer()
        let (id, agent) = try await test.session()
        let cuts = Effort.count(150, soak: 1000)
        let phones = (1...Limits.socketCount).map { FollowingPhone("\($0)", of: id, on: test) }
        try await test.run { server async throws in
            try await LineProxy.run(to: server.port) { proxy in
                proxy.faults.cutAfter = 2000...40_000
                proxy.faults.chunkSize = 1...8000
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for phone in phones { group.addTask { try await phone.follow(port: proxy.port) } }
                    // Some of the phones prompt the agent, and repeat a prompt until they see it.
                    for phone in phones.prefix(5) { phone.prompts = (1...10).map { _ in UUID() } }
                    var number = 0
                    while proxy.counts.cuts < cuts || phones.contains(where: { !$0.prompts.isEmpty }) {
                        for _ in 1...20 {
                            number += 1
                            let text = "line \(number) \(String(repeating: "x", count: number % 50 * 10))"
                            agent.send(.text(AgentText(id: "\(number)", text: text)))
                        }
                        // No phone stays far behind: each comes back until it has what was written.
                        let written = number
                        try await eventually {
                            phones.allSatisfy { $0.failure != nil || $0.received.count > written - 40 }
                        }
                        if phones.contains(where: { $0.failure != nil }) { break }
                    }
                    proxy.faults = .init()
                    try await test.taken(id)
                    agent.finishTurn()
                    try await eventually { try await test.sessions.session(id).activity == .idle }
                    let last = try await test.sessions.session(id).lastSeq
                    for phone in phones { phone.finish(at: last) }
                    // A last event that is live for all of them.
                    agent.send(.unknown("{}"))
                    try await group.waitForAll()
                }
                #expect(proxy.counts.cuts >= cuts)
            }
        }
        let log = try await test.store.read {
            try $0.events(of: id.log, after: 0, count: .max).map { String(decoding: $0.payload, as: UTF8.self) }
        }
        for phone in phones {
            #expect(phone.failure == nil)
            #expect(phone.received == Array(log.prefix(phone.received.count)), "phone \(phone.name)")
            #expect(phone.received.count >= log.count - 1)
        }
        // Each prompt once, in the log's order.
        let prompts = try await test.log(id).map(\.kind).filter { $0.hasPrefix("chat user") }
        #expect(prompts.count == 50 && Set(prompts).count == 50)
        #expect(agent.commands.map { "chat user \($0.text)" } == prompts)
    }

    /// A phone that leaves and comes back between any two frames, in process.
    @Test func everyCursorIsAPlaceToComeBackTo() async throws {
        let test = try await TestServer()
        let (id, agent) = try await test.session()
        for number in 1...20 { agent.send(.text(AgentText(id: "\(number)", text: "\(number)"))) }
        try await eventually { try await test.sessions.session(id).messageCount == 20 }
        let last = try await test.sessions.session(id).lastSeq
        try await test.run { server async throws in
            for cursor in 0...last {
                try await test.phone(server, query: "?after=\(id):\(cursor)") { phone async throws in
                    #expect(try await phone.sync().sessions.first?.lastSeq == last)
                    for seq in cursor..<last { try #require(try await phone.next().position?.seq == seq + 1) }
                }
            }
        }
    }
}

/// A phone that reads one session, and comes back with its cursor whenever its connection is cut.
private final class FollowingPhone: Sendable {
    private struct State {
        var received: [String] = []
        var last: Int64?
        var prompts: [UUID] = []
        var failure: String?
    }

    let name: String
    private let session: Session.ID
    private let test: TestServer
    private let state = Locked(State())

    init(_ name: String, of session: Session.ID, on test: TestServer) {
        (self.name, self.session, self.test) = (name, session, test)
    }

    /// The frames of the session in the order in which they came.
    var received: [String] { state.withLock { $0.received } }
    var failure: String? { state.withLock { $0.failure } }
    /// Prompts that the phone has not seen in the session yet.
    var prompts: [UUID] {
        get { state.withLock { $0.prompts } }
        set { state.withLock { $0.prompts = newValue } }
    }

    func finish(at last: Int64) { state.withLock { $0.last = last } }

    private var isDone: Bool {
        state.withLock { state in
            if state.failure != nil { return true }
            guard let last = state.last else { return false }
            return Int64(state.received.count) >= last
        }
    }

    func follow(port: Int) async throws {
        while !isDone {
            try Task.checkCancellation()
            // A cut connection, or one more than 100 while the server has not noticed a cut.
            try? await connect(port: port)
        }
    }

    private func connect(port: Int) async throws {
        let path = "/ws?connectionId=\(name)&after=\(session):\(received.count)"
        try await WebSocketProbe.open(port: port, path, headers: ["Authorization": "Bearer \(test.token)"]) { probe in
            let sync = try await probe.receive()
            guard sync.opcode == 1 else { return }
            if !sync.text.hasPrefix(#"{"connectionId":"#) { self.fail("no sync: \(sync.text.prefix(100))") }
            for prompt in self.prompts {
                let message = UserMessage(
                    sessionId: self.session, content: prompt.uuidString, timestamp: self.test.now,
                    messageId: UserMessage.ID(prompt.uuidString))
                try await probe.send(.text(ClientFrame.userMessage(message).text))
            }
            while !self.isDone {
                let frame = try await probe.receive()
                if frame.opcode == 8 { return }
                if frame.opcode == 1 { self.take(frame.text) }
            }
        }
    }

    private func take(_ text: String) {
        // The answer to a repeated prompt is no event.
        if text.contains(#""type":"user_message_accepted""#) { return }
        guard let seq = Self.seq(of: text) else { return fail("no number: \(text.prefix(200))") }
        state.withLock { state in
            guard seq == Int64(state.received.count) + 1 else {
                state.failure = state.failure ?? "\(seq) after \(state.received.count)"
                return
            }
            state.received.append(text)
            state.prompts.removeAll { text.contains($0.uuidString) }
        }
    }

    private func fail(_ reason: String) { state.withLock { $0.failure = $0.failure ?? reason } }

    /// Faster than decoding the frame.
    private static func seq(of text: String) -> Int64? {
        guard let name = text.range(of: #""seq":"#, options: .backwards) else { return nil }
        return Int64(text[name.upperBound...].prefix { $0.isNumber })
    }
}
