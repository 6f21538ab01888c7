import Foundation

/// `switchboard serve …` as a process that can be killed and started again, on another port each time.
package actor ServiceProcess {
    private let arguments: [String]
    private let environment: [String: String]
    private var program: Program
    package private(set) var port: Int

    /// - Parameter arguments: After `serve`, without the port.
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

    /// - Returns: Its new port.
    @discardableResult
    package func killAndStartAgain() async throws -> Int {
        program.send(SIGKILL)
        guard try await program.end().wasSignalled else { throw TimedOut() }
        (program, port) = try await Self.start(arguments, environment)
        return port
    }

    /// Its resident memory in bytes (`/proc/<pid>/statm`, second number, in pages).
    package func memory() throws -> Int {
        let numbers = try String(contentsOfFile: "/proc/\(program.identifier)/statm", encoding: .utf8).split(separator: " ")
        return numbers.count > 1 ? (Int(numbers[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// Ends it in order.
    ///
    /// - Returns: Its exit code.
    @discardableResult
    package func end() async throws -> Int32 {
        program.send(SIGTERM)
        return try await program.end().status
    }
}
