import Foundation
import LineBenchmarks

/// The growth of a server's memory for each idle socket.
enum Sockets {
    /// Maximum open sockets of a user.
    private static let perUser = 8
    /// Maximum devices of an account.
    private static let perAccount = 1000
    private static let counts = [1000, 5000]

    static func measure(_ table: Table, _ folder: URL) async throws {
        raiseLimit()
        let echoServer = try Programs.echo()
        let echoes = LineClient(echoServer.address)
        let echo = try await bytesEach(echoServer) { _ in try await echoes.openEcho() }
        let pager = try Programs.pager(folder.appending(path: "sockets"))
        let pages = LineClient(pager.address)
        let users = Kept { try await pages.register("user-\($0)") }
        let live = try await bytesEach(pager) { try await pages.openLive(users[$0 / perUser]) }
        let relay = try Programs.relay(folder.appending(path: "lines"))
        let accounts = Kept { try await RelayClient(relay.address, account: $0) }
        let line = try await bytesEach(relay) { try await accounts[$0 / perAccount].openIdle() }
        for (index, count) in counts.enumerated() {
            table.row("an idle echo socket, one of \(count.shown)", echo[index].asKiB, "1")
            table.row(
                "an idle live socket, one of \(count.shown)", live[index].asKiB, (Double(live[index]) / Double(echo[index])).shown,
                "10 KiB")
            table.row(
                "an idle line of a relay, one of \(count.shown)", line[index].asKiB,
                (Double(line[index]) / Double(echo[index])).shown,
                "7 KiB")
        }
    }

    /// Users and accounts for the sockets, made on demand.
    private actor Kept<Value: Sendable> {
        private let make: @Sendable (Int) async throws -> Value
        private var making: [Int: Task<Value, any Error>] = [:]

        init(_ make: @escaping @Sendable (Int) async throws -> Value) { self.make = make }

        subscript(number: Int) -> Value {
            get async throws {
                let task = making[number] ?? Task { try await make(number) }
                making[number] = task
                return try await task.value
            }
        }
    }

    private static func bytesEach(
        _ server: ServerProcess, _ open: @escaping @Sendable (_ number: Int) async throws -> TextSocket
    ) async throws -> [Int] {
        // The first sockets grow the process by memory that does not belong to sockets.
        var sockets = try await (0..<perUser * 4).concurrentMap { try await open($0) }
        let (first, before) = (sockets.count, try await settled(server))
        var each: [Int] = []
        for count in counts {
            sockets += try await (sockets.count..<first + count).concurrentMap { try await open($0) }
            each.append((try await settled(server) - before) / count)
        }
        // Keeps the sockets open until here.
        withExtendedLifetime(sockets) {}
        return each
    }

    private static func settled(_ server: ServerProcess) async throws -> Int {
        try await Task.sleep(for: .seconds(2))
        return server.residentBytes
    }

    /// Raises the limit of open files, which the servers inherit: each socket is a file at both ends.
    private static func raiseLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 20_000)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

extension Range<Int> {
    /// Maps with at most 16 concurrent tasks.
    fileprivate func concurrentMap<Value: Sendable>(_ body: @escaping @Sendable (Int) async throws -> Value) async throws -> [Value]
    {
        try await withThrowingTaskGroup(of: Value.self) { group in
            var values: [Value] = []
            for number in self {
                if number - lowerBound >= 16, let value = try await group.next() { values.append(value) }
                group.addTask { try await body(number) }
            }
            for try await value in group { values.append(value) }
            return values
        }
    }
}
