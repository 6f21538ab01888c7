import Foundation
import Subprocess
package import SystemTypes
import WireKit

/// A wrapper around `mmcli`, ModemManager's command line tool.
///
/// One process for each call, with limited output and time. Source: mmcli(1), ModemManager 1.20.
package struct MMCLI: Sendable {
    /// The output of a program and its exit code.
    struct Ending: Sendable {
        /// The exit code; nil if a signal ended the program.
        var code: Int32?
        var output: String
        var errors: String

        /// The text of `error: …`, without its D-Bus name.
        var complaint: String {
            var text = errors.trimmingCharacters(in: .whitespacesAndNewlines)
            if let range = text.range(of: "error: ") { text = String(text[range.upperBound...]) }
            // error: couldn't send the SMS: 'GDBus.Error:org.freedesktop.ModemManager1.Error.Core.Failed: no credit'
            if let quote = text.range(of: ": '"), text.hasSuffix("'") { text = String(text[quote.upperBound...].dropLast()) }
            if text.hasPrefix("GDBus.Error:"), let colon = text.range(of: ": ") { text = String(text[colon.upperBound...]) }
            return text.isEmpty ? "ModemManager gave no reason" : String(text.prefix(300))
        }
    }

    private static let maximumOutputLength = 1_048_576
    private let mmcli: Executable
    /// The tool that reads exact texts and creates texts with both kinds of quotes, which `mmcli` cannot do.
    private let busctl: Executable
    private let environment: Environment

    /// - Parameters:
    ///   - mmcli: The path of the program; nil for `mmcli` from `PATH`.
    ///   - environment: Variables in addition to this program's own.
    package init(mmcli: FilePath? = nil, busctl: FilePath? = nil, environment: [String: String] = [:]) {
        self.mmcli = mmcli.map { .path($0) } ?? .name("mmcli")
        self.busctl = busctl.map { .path($0) } ?? .name("busctl")
        // mmcli reads and writes texts in the encoding of the locale.
        var changes = ["LC_ALL": "C.UTF-8"]
        changes.merge(environment) { $1 }
        self.environment = .inherit.updating(Dictionary(uniqueKeysWithValues: changes.map { (.init(rawValue: $0)!, $1) }))
    }

    /// Runs `mmcli` to its end.
    ///
    /// - Throws: ``TelephonyError/unavailable(_:)`` when it is not installed or writes too much; `CancellationError`.
    func run(_ arguments: [String]) async throws -> Ending {
        try await run(mmcli, "mmcli", arguments)
    }

    private func run(_ program: Executable, _ name: String, _ arguments: [String]) async throws -> Ending {
        do {
            let result = try await Subprocess.run(
                program, arguments: Arguments(arguments), environment: environment, input: .none,
                output: .string(limit: Self.maximumOutputLength), error: .string(limit: 65_536))
            try Task.checkCancellation()
            var code: Int32?
            if case .exited(let exit) = result.terminationStatus { code = exit }
            return Ending(code: code, output: result.standardOutput, errors: result.standardError)
        } catch let error as SubprocessError {
            try Task.checkCancellation()
            if error.code == .executableNotFound {
                throw TelephonyError.unavailable("\(name) is not installed; on Debian: apt-get install \(Self.package(of: name))")
            }
            throw TelephonyError.unavailable("\(name) cannot be used: \(error)")
        }
    }

    private static func package(of name: String) -> String { name == "mmcli" ? "modemmanager" : "systemd" }

    /// Runs `mmcli` and decodes its JSON.
    ///
    /// - Throws: ``TelephonyError/unavailable(_:)``; `CancellationError`.
    func json<Reply: Decodable>(_: Reply.Type = Reply.self, _ arguments: [String]) async throws -> Reply {
        try json(Reply.self, reading: try await run(["--output-json"] + arguments))
    }

    func json<Reply: Decodable>(_: Reply.Type, reading ending: Ending) throws(TelephonyError) -> Reply {
        guard ending.code == 0 else { throw Self.unavailable(ending) }
        do {
            return try WireJSON.decode(Reply.self, from: Data(ending.output.utf8))
        } catch {
            throw TelephonyError.unavailable("mmcli returned unexpected output; ModemManager 1.14 or later is required")
        }
    }

    /// Runs `mmcli` and returns the path in an output such as `Successfully created new SMS: /org/freedesktop/ModemManager1/SMS/1`.
    ///
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func path(_ arguments: [String]) async throws -> String {
        let ending = try await run(arguments)
        guard ending.code == 0 else { throw Self.unavailable(ending) }
        return try Self.path(in: ending.output)
    }

    private static func path(in output: String) throws(TelephonyError) -> String {
        let path = output.split { $0.isWhitespace || $0 == "\"" }.first { $0.hasPrefix("/org/freedesktop/ModemManager1/") }
        guard let path else { throw .unavailable("mmcli returned unexpected output") }
        return String(path)
    }

    /// Returns the exact body of a text; empty while it has none.
    ///
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func body(of text: String) async throws -> String {
        let name = "org.freedesktop.ModemManager1"
        let ending = try await run(
            busctl, "busctl", ["--system", "--json=short", "get-property", "--", name, text, "\(name).Sms", "Text"])
        struct Property: Decodable { var data: String }
        guard ending.code == 0, let property = try? WireJSON.decode(Property.self, from: Data(ending.output.utf8)) else {
            throw Self.unavailable(ending)
        }
        return property.data
    }

    /// Creates a text in a modem without sending it.
    ///
    /// - Parameter wantsReport: True to request a delivery report from the network.
    /// - Returns: The path of the text.
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func createText(_ body: String, to number: String, wantsReport: Bool, modem: String) async throws -> String {
        guard !body.utf8.contains(0) else { throw TelephonyError.refused("The text contains a character that cannot be sent") }
        // A value ends at the next quote of its own kind.
        guard let quote = ["\"", "'"].first(where: { !body.contains($0) }) else {
            return try await createTextByBus(body, to: number, wantsReport: wantsReport, modem: modem)
        }
        let report = wantsReport ? "delivery-report-request=yes," : ""
        return try await path(["--modem", modem, "--messaging-create-sms=number=\(number),\(report)text=\(quote)\(body)\(quote)"])
    }

    private func createTextByBus(_ body: String, to number: String, wantsReport: Bool, modem: String) async throws -> String {
        let name = "org.freedesktop.ModemManager1"
        let ending = try await run(
            busctl, "busctl",
            [
                "--system", "call", "--", name, modem, "\(name).Modem.Messaging", "Create", "a{sv}", "3", "number", "s", number,
                "delivery-report-request", "b", "\(wantsReport)", "text", "s", body,
            ])
        guard ending.code == 0 else { throw Self.unavailable(ending) }
        return try Self.path(in: ending.output)
    }

    static func unavailable(_ ending: Ending) -> TelephonyError {
        if ending.errors.contains("couldn't find the ModemManager process") {
            return .unavailable("ModemManager is not running; start it, on Debian: systemctl start ModemManager")
        }
        if ending.errors.contains("couldn't find modem") { return .unavailable("The modem is gone") }
        if ending.errors.contains("modem not enabled yet") {
            return .unavailable("The modem is not enabled; try: mmcli -m any --enable")
        }
        return .unavailable(ending.complaint)
    }
}
