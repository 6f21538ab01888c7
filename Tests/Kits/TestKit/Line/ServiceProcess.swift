import Foundation

/// A `switchboard serve …` process that can be killed and restarted, on another port each time.
package actor ServiceProcess {
    private let arguments: [String]
    private let environment: [String: String]
    private var program: Program
    package private(set) var port: Int

    /// - Parameter arguments: The arguments after `serve`, without the port.
    package init(_ arguments: [String], environment: [String: String] = [:]) async throws {
        self.arguments = arguments
        self.environment = environment
        (program, port) = try await Self.start(arguments, environment)
    }

    private static func start(_ arguments: [String], _ environment: [String: String]) async throws -> (Program, Int) {
        let program = try await Program("switchboard", ["serve"] + arguments + ["--port", "0"], environment: environment)
        guard let line = try await program.line(), let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw TimedOut()
        }
        return (program, port)
    }

    /// Kills the process with SIGKILL and starts it again.
    ///
    /// - Returns: The new port.
    @discardableResult
    package func restart() async throws -> Int {
        program.send(SIGKILL)
        guard try await program.end().wasSignalled else { throw TimedOut() }
        (program, port) = try await Self.start(arguments, environment)
        return port
    }

    /// The resident memory in bytes (`/proc/<pid>/statm`, second field, in pages).
    package func memory() throws -> Int {
        let numbers = try String(contentsOfFile: "/proc/\(program.identifier)/statm", encoding: .utf8).split(separator: " ")
        return numbers.count > 1 ? (Int(numbers[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// Terminates the process with SIGTERM.
    ///
    /// - Returns: The exit code.
    @discardableResult
    package func end() async throws -> Int32 {
        program.send(SIGTERM)
        return try await program.end().status
    }
}
