import Foundation
import SimBridgeHost
import Subprocess
import SystemTypes
import TestKit
import WireKit

/// A D-Bus of its own, with the programs of a test on it.
struct PrivateBus: Sendable {
    let address: String
    let folder: TemporaryFolder

    /// The `mmcli` tool on this bus.
    var tool: MMCLI { MMCLI(environment: ["DBUS_SYSTEM_BUS_ADDRESS": address]) }

    /// A script of `Tests/SimBridge/ModemManager`.
    static func script(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "ModemManager/\(name)")
            .path
    }

    /// Runs `body` beside programs, which end with it.
    static func run<Value: Sendable>(
        _ programs: [[String]], _ body: @escaping @Sendable (PrivateBus) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let bus = PrivateBus(address: "unix:path=\(folder.file("bus"))", folder: folder)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await bus.start(["/usr/bin/dbus-daemon", "--session", "--nofork", "--address=\(bus.address)"])
                return nil
            }
            try await eventually { FileManager.default.fileExists(atPath: folder.file("bus")) }
            for program in programs {
                group.addTask {
                    try await bus.start(program)
                    return nil
                }
            }
            group.addTask { try await body(bus) }
            while let ended = try await group.next() { if let ended { return ended } }
            throw NeverCame()
        }
    }

    private func start(_ command: [String]) async throws {
        _ = try await Subprocess.run(
            .path(FilePath(command[0])), arguments: Arguments(Array(command.dropFirst())),
            environment: .inherit.updating(["DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address]),
            output: .discarded, error: .discarded)
    }

    /// Calls the method `Do` of a script.
    ///
    /// - Parameter name: The rest of the name of the script's method `do_…`.
    func order(_ name: String, _ values: [String: (any Sendable)?], of service: String, at path: String) async throws -> String {
        var order = values.mapValues { $0 ?? NSNull() }
        order["do"] = name
        let text = String(decoding: try JSONSerialization.data(withJSONObject: order), as: UTF8.self)
        let ending = try await Subprocess.run(
            .name("busctl"), arguments: ["--system", "--json=short", "call", service, path, "test.Control", "Do", "s", text],
            environment: .inherit.updating(["DBUS_SYSTEM_BUS_ADDRESS": address]), output: .string(limit: 1_048_576),
            error: .string(limit: 65_536))
        struct Reply: Decodable { var data: [String] }
        guard case .exited(0) = ending.terminationStatus else { throw Failed(why: ending.standardError) }
        let reply: Reply = try WireJSON.decode(from: Data(ending.standardOutput.utf8))
        return reply.data.first ?? ""
    }

    struct Failed: Error { var why: String }
}
