import Foundation
import SimBridgeHost
import Subprocess
import SystemPackage
import TestKit
import WireKit

/// The real `mmcli` and a simulated ModemManager (`Tests/SimBridge/ModemManager`) on a private bus.
struct ModemManagerOfTests: Sendable {
    private let address: String
    let folder: TemporaryFolder

    /// The `mmcli` tool on the bus of this ModemManager.
    var tool: MMCLI { MMCLI(environment: ["DBUS_SYSTEM_BUS_ADDRESS": address]) }

    /// Runs `body` with a simulated ModemManager.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (ModemManagerOfTests) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let address = "unix:path=\(folder.file("bus"))"
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "ModemManager/modem_manager.py").path
        let modems = ModemManagerOfTests(address: address, folder: folder)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await start("/usr/bin/dbus-daemon", ["--session", "--nofork", "--address=\(address)"], address)
                return nil
            }
            try await eventually { FileManager.default.fileExists(atPath: folder.file("bus")) }
            group.addTask {
                try await start("/usr/bin/python3", [script], address)
                return nil
            }
            try await eventually { (try? await modems.state()) != nil }
            group.addTask { try await body(modems) }
            while let ended = try await group.next() { if let ended { return ended } }
            throw NeverCame()
        }
    }

    private static func start(_ program: String, _ arguments: [String], _ address: String) async throws {
        _ = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments),
            environment: .inherit.updating(["DBUS_SYSTEM_BUS_ADDRESS": address]), output: .discarded, error: .discarded)
    }

    /// The state of the simulated modem.
    struct State: Decodable, Sendable {
        struct Sent: Decodable, Hashable, Sendable { var number: String, text: String }
        var sent: [Sent]
        var texts: [[String]]
        var calls: [[Int]]
    }

    func state() async throws -> State { try await WireJSON.decode(from: Data(order("tell").utf8)) }

    /// Calls a method `do_…` of the script.
    @discardableResult
    func order(_ name: String, _ values: [String: (any Sendable)?] = [:]) async throws -> String {
        var order = values.mapValues { $0 ?? NSNull() }
        order["do"] = name
        let text = String(decoding: try JSONSerialization.data(withJSONObject: order), as: UTF8.self)
        let ending = try await Subprocess.run(
            .name("busctl"),
            arguments: [
                "--system", "--json=short", "call", "org.freedesktop.ModemManager1", "/org/freedesktop/ModemManager1",
                "test.Control",
                "Do", "s", text,
            ],
            environment: .inherit.updating(["DBUS_SYSTEM_BUS_ADDRESS": address]), output: .string(limit: 1_048_576),
            error: .string(limit: 65_536))
        struct Reply: Decodable { var data: [String] }
        guard case .exited(0) = ending.terminationStatus else { throw Failed(why: ending.standardError) }
        let reply: Reply = try WireJSON.decode(from: Data(ending.standardOutput.utf8))
        return reply.data.first ?? ""
    }

    struct Failed: Error { var why: String }

    func addModem(_ operatorName: String = "Ada Mobile", number: String? = "+4915100000001", iccid: String = "8901") async throws {
        try await order("add_modem", ["operator": operatorName, "number": number, "iccid": iccid])
    }

    func receive(_ text: String, from number: String, modem: Int64 = 0, more: [String: (any Sendable)?] = [:]) async throws {
        try await order("receive", ["modem": modem, "number": number, "text": text].merging(more) { $1 })
    }

    /// A driver with a short poll interval.
    func driver(slotFile: URL? = nil, change: (inout ModemManagerDriver.Pace) -> Void = { _ in }) -> ModemManagerDriver {
        var pace = ModemManagerDriver.Pace()
        pace.look = .milliseconds(20)
        change(&pace)
        return ModemManagerDriver(tool: tool, slotFile: slotFile, pace: pace)
    }
}

/// Collects the events of a driver, and waits for them.
final class RecordedEvents: Sendable {
    private let events = Locked<[TelephonyEvent]>([])
    /// Called first. Its error stands for a failure to store a text.
    let onEvent: @Sendable (TelephonyEvent) async throws -> Void

    init(onEvent: @escaping @Sendable (TelephonyEvent) async throws -> Void = { _ in }) { self.onEvent = onEvent }

    var all: [TelephonyEvent] { events.withLock { $0 } }
    var texts: [IncomingText] { all.compactMap { if case .text(let text) = $0 { text } else { nil } } }
    var calls: [TelephonyCall] { all.compactMap { if case .call(let call) = $0 { call } else { nil } } }

    func until(_ isTrue: @escaping @Sendable (RecordedEvents) -> Bool) async throws {
        try await eventually { isTrue(self) }
    }

    /// Runs `driver` during `body`.
    func follow<Value: Sendable>(
        _ driver: any TelephonyDriver, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let running = Task {
            try await driver.run { event in
                try await self.onEvent(event)
                self.events.withLock { $0.append(event) }
            }
        }
        defer { running.cancel() }
        return try await body()
    }
}
