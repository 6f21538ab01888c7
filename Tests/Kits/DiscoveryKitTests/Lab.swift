import Foundation
import TestKit
import Testing

/// Two machines on a network of their own, each with its message bus and, once started, its avahi-daemon. See `Tests/Kits/DiscoveryLab/lab`.
final class Lab: Sendable {
    enum Machine: String { case one, two }

    private let folder: TemporaryFolder
    private let program: Program

    init() async throws {
        folder = try TemporaryFolder()
        let script = URL(filePath: #filePath).appending(path: "../../DiscoveryLab/lab").standardized
        program = try await Program(executable: script.path, [folder.path], hasInput: true)
        try await expect("ready")
    }

    func start(_ machine: Machine) async throws { try await tell("start \(machine)", expecting: "started \(machine)") }
    /// Ends the daemon politely.
    func stop(_ machine: Machine) async throws { try await tell("stop \(machine)", expecting: "stopped \(machine)") }
    func kill(_ machine: Machine) async throws { try await tell("kill \(machine)", expecting: "killed \(machine)") }

    /// Runs `discovery-probe` on the bus of a machine.
    func probe(on machine: Machine, _ arguments: String...) async throws -> Probe {
        try await Probe(bus: folder.file("\(machine)/bus"), arguments)
    }

    /// Ends the machines with all that runs on them.
    func close() async throws {
        program.closeInput()
        _ = try await program.end()
    }

    private func tell(_ command: String, expecting answer: String) async throws {
        try program.write(command + "\n")
        try await expect(answer)
    }

    private func expect(_ answer: String) async throws {
        let line = try await program.line()
        guard line != answer else { return }
        program.closeInput()
        let end = try await program.end()
        Issue.record("The lab, which needs root, said \(line ?? "nothing") instead of \(answer). \(end.output)\(end.errors)")
        throw CancellationError()
    }
}

/// `discovery-probe` as a process.
final class Probe: Sendable {
    /// One line of its output.
    struct Event: Decodable, Equatable {
        var event: String
        var name: String?
        var host: String?
        var port: Int?
        var attributes: [String: String]?
        var addresses: [String]?
        var error: String?
    }

    private let program: Program

    init(bus: String, _ arguments: [String]) async throws {
        program = try await Program(
            "discovery-probe", arguments, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus)"], hasInput: true)
    }

    func next() async throws -> Event {
        guard let line = try await program.line() else {
            let end = try await program.end()
            Issue.record("The probe ended with \(end.status)\(end.wasSignalled ? ", a signal" : ""). \(end.errors)")
            throw CancellationError()
        }
        return try JSONDecoder().decode(Event.self, from: Data(line.utf8))
    }

    /// The next event of a kind. Those before it are passed over.
    func next(_ kind: String, where isWanted: (Event) -> Bool = { _ in true }) async throws -> Event {
        while true {
            let event = try await next()
            if event.event == kind, isWanted(event) { return event }
        }
    }

    /// Ends the program as a user does, and checks that it was quiet on standard error.
    func end() async throws {
        program.closeInput()
        let end = try await program.end()
        #expect(end.status == 0)
        #expect(!end.wasSignalled)
        #expect(end.errors == "")
    }
}
