import Foundation
import Subprocess
import SystemTypes
import TestKit
import Testing
import WireKit

@testable import SimBridgeHost

/// The real ModemManager on a private bus, with modems whose AT commands a script answers (`Tests/SimBridge/ModemManager/at_modem.py`).
struct ModemLab: Sendable {
    static let program = "/usr/sbin/ModemManager"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private let bus: PrivateBus
    var folder: TemporaryFolder { bus.folder }
    var tool: MMCLI { bus.tool }

    /// Runs `body` with ModemManager, and no modem yet.
    static func run<Value: Sendable>(_ body: @escaping @Sendable (ModemLab) async throws -> Value) async throws -> Value {
        let script = PrivateBus.script("at_modem.py")
        return try await PrivateBus.run([
            [program, "--test-session", "--test-enable", "--test-no-udev"], ["/usr/bin/python3", script],
        ]) { bus in
            let lab = ModemLab(bus: bus)
            try await eventually { (try? await lab.state()) != nil }
            try await eventually { (try? await bus.tool.run(["--list-modems"]).code) == 0 }
            return try await body(lab)
        }
    }

    /// What the modems have done.
    struct State: Decodable, Sendable {
        struct Sent: Decodable, Hashable, Sendable {
            var number: String
            var text: String
            /// The number of the part and of all parts.
            var part: [Int]?
            /// A delivery report is asked for.
            var report: Bool
            var reference: Int
        }
        var sent: [Sent]
        /// The number of texts in the memory.
        var held: Int
        var dialled: [String]
        var codes: [String]
    }

    func state() async throws -> [State] { try await WireJSON.decode(from: Data(order("tell").utf8)) }

    /// Calls a method `do_…` of the script.
    @discardableResult
    func order(_ name: String, _ values: [String: (any Sendable)?] = [:]) async throws -> String {
        try await bus.order(name, values, of: "test.ATModems", at: "/test/ATModems")
    }

    func receive(_ text: String?, from number: String = "+491711", _ more: [String: (any Sendable)?] = [:]) async throws {
        var values = more
        values["number"] = number
        if let text { values["text"] = text }
        try await order("receive", values)
    }

    /// A driver with a short poll interval.
    func driver(change: (inout ModemManagerDriver.Pace) -> Void = { _ in }) -> ModemManagerDriver {
        var pace = ModemManagerDriver.Pace()
        pace.look = .milliseconds(50)
        change(&pace)
        return ModemManagerDriver(tool: tool, pace: pace)
    }
}
