import Foundation
import SimBridgeHost
import TestKit
import WireKit

/// The real `mmcli` and a simulated ModemManager (`Tests/SimBridge/ModemManager`) on a private bus.
struct ModemManagerOfTests: Sendable {
    private let bus: PrivateBus
    var folder: TemporaryFolder { bus.folder }
    /// The `mmcli` tool on the bus of this ModemManager.
    var tool: MMCLI { bus.tool }

    /// Runs `body` with a simulated ModemManager.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (ModemManagerOfTests) async throws -> Value
    ) async throws -> Value {
        try await PrivateBus.run([["/usr/bin/python3", PrivateBus.script("modem_manager.py")]]) { bus in
            let modems = ModemManagerOfTests(bus: bus)
            try await eventually { (try? await modems.state()) != nil }
            return try await body(modems)
        }
    }

    /// The state of the simulated modem.
    struct State: Decodable, Sendable {
        struct Sent: Decodable, Hashable, Sendable { var number: String, text: String }
        var sent: [Sent]
        var texts: [[String]]
        var calls: [[Int]]
        /// The number of times that a modem was enabled.
        var enabled: Int
    }

    func state() async throws -> State { try await WireJSON.decode(from: Data(order("tell").utf8)) }

    /// Calls a method `do_…` of the script.
    @discardableResult
    func order(_ name: String, _ values: [String: (any Sendable)?] = [:]) async throws -> String {
        try await bus.order(name, values, of: "org.freedesktop.ModemManager1", at: "/org/freedesktop/ModemManager1")
    }

    func addModem(_ operatorName: String = "Ada Mobile", number: String? = "+4915100000001", iccid: String = "8901") async throws {
        try await order("add_modem", ["operator": operatorName, "number": number, "iccid": iccid])
    }

    func receive(_ text: String, from number: String, modem: Int64 = 0, more: [String: (any Sendable)?] = [:]) async throws {
        try await order("receive", ["modem": modem, "number": number, "text": text].merging(more) { $1 })
    }

    /// A driver with a short poll interval.
    func driver(
        slotFile: URL? = nil, clock: WallClock? = nil,
        change: (inout ModemManagerDriver.Pace) -> Void = { _ in }
    ) -> ModemManagerDriver {
        var pace = ModemManagerDriver.Pace()
        pace.look = .milliseconds(20)
        change(&pace)
        guard let clock else { return ModemManagerDriver(tool: tool, slotFile: slotFile, pace: pace) }
        return ModemManagerDriver(tool: tool, slotFile: slotFile, pace: pace, now: clock.now)
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
    var accepted: [AcceptedText] { all.compactMap { if case .accepted(let text) = $0 { text } else { nil } } }
    var deliveries: [DeliveryReport] { all.compactMap { if case .delivery(let report) = $0 { report } else { nil } } }
    var warnings: [String] { all.compactMap { if case .warning(let why) = $0 { why } else { nil } } }
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

/// The time of day of a driver, which a test sets.
final class WallClock: Sendable {
    private let offset = Locked<TimeInterval>(0)
    var now: @Sendable () -> Date { { [self] in Date(timeIntervalSince1970: 1_795_000_000 + offset.withLock { $0 }) } }
    func advance(_ seconds: TimeInterval) { offset.withLock { $0 += seconds } }
    /// The time stamp of a text that was sent so many seconds ago.
    func stamp(_ ago: TimeInterval) -> String { Timestamp(now().addingTimeInterval(-ago)).description }
}
