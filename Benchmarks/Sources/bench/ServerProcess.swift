import EndlessCodeBenchmarks
import Foundation

/// A server started by this process, with its CPU time and memory from the kernel.
final class ServerProcess: Sendable {
    /// The error of a process that ended or printed something unexpected.
    struct Unexpected: Error {
        var output: String
    }

    let address: URL
    private let process: Process

    /// Starts the server. Returns once it listens.
    init(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        let output = Pipe()
        process = try Self.start(program, arguments, environment: environment, output: output)
        let line = String(decoding: output.fileHandleForReading.availableData.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        // A numeric address, because a name would be resolved for each connection.
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }), let address = URL(string: "http://127.0.0.1:\(port)")
        else { throw Unexpected(output: line) }
        self.address = address
    }

    deinit { stop() }

    /// Stops the server, and waits for its end.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Runs a program to its end.
    ///
    /// - Returns: Its standard output.
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

    /// The CPU time of all threads of the process, including ended ones.
    var cpuTime: Duration {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process.processIdentifier, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Resident memory in bytes, without the kernel's memory for its sockets.
    var residentBytes: Int {
        let pages = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8))?.split(
            separator: " ")[1]
        return (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// The measured programs, built beside this one.
enum Programs {
    private static let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    static let switchboard = own.deletingLastPathComponent().appending(path: "switchboard")

    static func pager(_ folder: URL) throws -> ServerProcess { try serve("pager2077", folder) }
    static func relay(_ folder: URL) throws -> ServerProcess { try serve("simbridge", folder) }

    /// Starts EndlessCode's host with one project, whose agents are this program.
    ///
    /// - Returns: The host, and the token of its phones.
    static func agentHost(_ folder: URL) throws -> (host: ServerProcess, token: String) {
        let (project, data) = (folder.appending(path: "project"), folder.appending(path: "data"))
        try FileManager.default.createDirectory(at: project, withIntermediateDirectories: true)
        let host = try ServerProcess(
            switchboard,
            [
                "endlesscode", "host", "--project", project.path, "--data", data.path, "--port", "0", "--driver", "claude",
                "--program", own.path,
            ], environment: [StampingAgent.variable: "1", "CLAUDE_CONFIG_DIR": folder.path])
        let token = try ServerProcess.run(switchboard, ["endlesscode", "token", "--data", data.path])
        return (host, token.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Starts TalkCo's service.
    ///
    /// - Parameter settings: Environment variables, named without the prefix `TALKCO_`.
    static func talk(_ folder: URL, _ settings: [String: String]) throws -> ServerProcess {
        let environment = Dictionary(uniqueKeysWithValues: settings.map { ("TALKCO_\($0)", $1) })
        return try ServerProcess(
            switchboard, ["serve", "talkco", "--port", "0", "--data", folder.path], environment: environment)
    }

    private static func serve(_ system: String, _ folder: URL) throws -> ServerProcess {
        try ServerProcess(
            switchboard, ["serve", system, "--port", "0", "--data", folder.path],
            environment: ["\(system.uppercased())_REGISTRATIONS_PER_MINUTE": "1000000"])
    }

    /// Starts this program as an echo server.
    static func echo() throws -> ServerProcess { try ServerProcess(own, ["echo"]) }

    /// Starts this program as a server of a transcript for browsers.
    static func transcript(rows: Int) throws -> ServerProcess { try ServerProcess(own, ["transcript", "\(rows)"]) }
}
