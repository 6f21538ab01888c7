import Foundation
import LineBenchmarks

/// What a server's process grows by for each socket that is open and silent.
enum Sockets {
    /// As many as one user may have open.
    private static let perUser = 8
    private static let counts = [1000, 5000]

    static func measure(_ table: Table, _ folder: URL) async throws {
        raiseLimit()
        let echo = try await bytesEach(try Programs.echo()) { client, _ in try await client.openEcho() }
        let users = Users()
        let live = try await bytesEach(try Programs.pager(folder.appending(path: "sockets"))) { client, number in
            try await client.openLive(users.user(number / perUser, client))
        }
        for (index, count) in counts.enumerated() {
            table.row("an idle echo socket, one of \(count.shown)", echo[index].asKiB, "1")
            table.row(
                "an idle live socket, one of \(count.shown)", live[index].asKiB, (Double(live[index]) / Double(echo[index])).shown,
                "10 KiB")
        }
    }

    /// Registered when their first socket is opened.
    private actor Users {
        private var registering: [Int: Task<LineClient.User, any Error>] = [:]

        func user(_ number: Int, _ client: LineClient) async throws -> LineClient.User {
            let task = registering[number] ?? Task { try await client.register("user-\(number)") }
            registering[number] = task
            return try await task.value
        }
    }

    private static func bytesEach(
        _ server: ServerProcess, _ open: @escaping @Sendable (LineClient, _ number: Int) async throws -> TextSocket
    ) async throws -> [Int] {
        let client = LineClient(server.address)
        // What the first ones make the process grow by, it would have anyway.
        var sockets = try await (0..<perUser * 4).concurrentMap { try await open(client, $0) }
        let (first, before) = (sockets.count, try await settled(server))
        var each: [Int] = []
        for count in counts {
            sockets += try await (sockets.count..<first + count).concurrentMap { try await open(client, $0) }
            each.append((try await settled(server) - before) / count)
        }
        // Open until here.
        withExtendedLifetime(sockets) {}
        return each
    }

    private static func settled(_ server: ServerProcess) async throws -> Int {
        try await Task.sleep(for: .seconds(2))
        return server.residentBytes
    }

    /// Each socket is a file, at both ends; the servers inherit it.
    private static func raiseLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 20_000)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

extension Range<Int> {
    /// A few at a time.
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
