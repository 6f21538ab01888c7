import Foundation

/// A server that this process has started, and what the kernel knows of it.
final class ServerProcess: Sendable {
    /// It ended, or said something else than was to be expected.
    struct Unexpected: Error {
        var said: String
    }

    let address: URL
    private let process: Process

    /// Returns once it listens.
    init(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        let output = Pipe()
        process = try Self.start(program, arguments, environment: environment, output: output)
        let line = String(decoding: output.fileHandleForReading.availableData.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        // By number, as the name would be looked up again for each connection.
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }), let address = URL(string: "http://127.0.0.1:\(port)")
        else { throw Unexpected(said: line) }
        self.address = address
    }

    deinit { stop() }

    /// Asks it to end, and waits.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Runs a program from its start to its end.
    ///
    /// - Returns: What it has said.
    @discardableResult
    static func run(_ program: URL, _ arguments: [String]) throws -> String {
        let output = Pipe()
        let process = try start(program, arguments, environment: [:], output: output)
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }

    private static func start(
        _ program: URL, _ arguments: [String], environment: [String: String], output: Any
    ) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// What it has used of all cores, of all its threads, also of those that have ended.
    var cpuTime: Duration {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process.processIdentifier, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// What it holds of the machine's memory. What the kernel holds for its sockets is not in it.
    var residentBytes: Int {
        let pages = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8))?.split(
            separator: " ")[1]
        return (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// The programs that are measured; built beside this one.
enum Programs {
    private static let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    static let switchboard = own.deletingLastPathComponent().appending(path: "switchboard")

    static func pager(_ folder: URL) throws -> ServerProcess { try serve("pager2077", folder) }
    static func relay(_ folder: URL) throws -> ServerProcess { try serve("simbridge", folder) }

    private static func serve(_ system: String, _ folder: URL) throws -> ServerProcess {
        try ServerProcess(
            switchboard, ["serve", system, "--port", "0", "--data", folder.path],
            environment: ["\(system.uppercased())_REGISTRATIONS_PER_MINUTE": "1000000"])
    }

    /// This program, as a process that only echoes.
    static func echo() throws -> ServerProcess { try ServerProcess(own, ["echo"]) }

    /// This program, as a process that shows a transcript to browsers.
    static func transcript(rows: Int) throws -> ServerProcess { try ServerProcess(own, ["transcript", "\(rows)"]) }
}
