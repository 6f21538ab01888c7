package import Foundation
import NetworkingKit
package import SimBridgeWire
import WireKit

/// SIM cards in modems that ModemManager drives: USB sticks, built-in modems, PinePhones.
///
/// Polls `mmcli`: for each modem once for texts and once for calls, and once for each new text and each current call.
package actor ModemManagerDriver: TelephonyDriver {
    package struct Pace: Sendable {
        /// The interval of polls for texts and calls.
        package var look: Duration = .seconds(2)
        /// The number of polls after which modems are listed again, and everything in them is read again.
        package var inspection = 15
        /// The maximum number of texts that are read in one poll.
        package var texts = 20
        /// The timeout for a text, and for the start of a call.
        package var sending: Duration = .seconds(120)

        package init() {}
    }

    /// A present modem with its card.
    struct Modem: Sendable {
        var path: String
        var slot: Int
        var card: SIMCard
        /// The id of the card, or of the modem if the card has none: part of the ids of texts.
        var source: String
        /// The reason why the modem cannot be used now.
        var trouble: String?
        var hasVoice = true
    }

    let tool: MMCLI
    let pace: Pace
    let clock: any Clock<Duration>
    private let slots: ModemSlots
    var modems: [Modem] = []
    /// The texts that were read and are still in a modem, by path.
    var known: [String: KnownText] = [:]
    var held: [String: Set<IncomingText.ID>] = [:]
    /// The calls as they were last reported, by path.
    var calls: [String: TelephonyCall] = [:]
    private var trouble: String?
    private var handle: (@Sendable (TelephonyEvent) async throws -> Void)?

    /// - Parameter slotFile: The file that stores which modem is SIM 1 and which SIM 2.
    package init(
        tool: MMCLI = MMCLI(), slotFile: URL? = nil, pace: Pace = Pace(), clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.tool, self.pace, self.clock) = (tool, pace, clock)
        slots = ModemSlots(file: slotFile)
    }

    package func run(_ handle: @escaping @Sendable (TelephonyEvent) async throws -> Void) async throws {
        self.handle = handle
        var look = 0
        while true {
            if look % max(pace.inspection, 1) == 0 || modems.isEmpty || trouble != nil {
                try await inspect()
                known = [:]
            }
            for modem in modems where modem.trouble == nil {
                do {
                    try await pollTexts(modem)
                    try await pollCalls(modem)
                } catch is TelephonyError {
                    // The modem is gone or was never ready: the next listing decides.
                    try await inspect()
                    break
                }
            }
            look += 1
            try await clock.sleep(for: pace.look)
        }
    }

    func report(_ event: TelephonyEvent) async throws { try await handle?(event) }

    // MARK: Modems and their cards

    package func sims() async throws -> [SIMCard] {
        try await findModems()
        let usable = modems.filter { $0.trouble == nil }
        if usable.isEmpty { throw TelephonyError.unavailable(unavailability) }
        return usable.map(\.card)
    }

    private var unavailability: String {
        modems.compactMap(\.trouble).first ?? "There is no modem; see: mmcli --list-modems"
    }

    /// Lists the modems again, and reports a change of their availability.
    private func inspect() async throws {
        var now: String?
        do {
            try await findModems()
            if !modems.contains(where: { $0.trouble == nil }) { now = unavailability }
        } catch let error as TelephonyError {
            modems = []
            now = "\(error)"
        }
        guard now != trouble else { return }
        trouble = now
        try await report(now.map { .unavailable($0) } ?? .available)
    }

    private func findModems() async throws {
        let paths = try await tool.json(MMReplies.Modems.self, ["--list-modems"]).paths
        var found: [(path: String, modem: MMReplies.Modem.Content)] = []
        // There may be more modems than slots, without a card.
        for path in paths.sorted(by: Self.byNumber).prefix(8) {
            // A modem that disappears meanwhile is left out.
            guard let reply = try? await tool.json(MMReplies.Modem.self, ["--modem", path]) else { continue }
            found.append((path, reply.modem))
        }
        try Task.checkCancellation()
        let identities = found.map { MMReplies.value($0.modem.generic.equipment) ?? $0.modem.generic.device }
        let places = slots.places(of: identities)
        var list: [Modem] = []
        for (index, (path, modem)) in found.enumerated() {
            guard let slot = places[identities[index]] else { continue }
            let generic = modem.generic
            var card: MMReplies.SIM.Properties?
            if MMReplies.value(generic.sim) != nil {
                card = try? await tool.json(MMReplies.SIM.self, ["--sim", generic.sim]).sim.properties
            }
            let carrier = MMReplies.value(modem.network?.operatorName) ?? MMReplies.value(card?.operatorName)
            list.append(
                Modem(
                    path: path, slot: slot,
                    card: SIMCard(slot: slot, carrier: carrier ?? "Unknown carrier", number: generic.numbers?.first),
                    source: MMReplies.value(card?.iccid) ?? identities[index], trouble: Self.trouble(of: generic, path: path)))
        }
        modems = list.sorted { $0.slot < $1.slot }
    }

    private static func trouble(of modem: MMReplies.Modem.Generic, path: String) -> String? {
        let number = path.split(separator: "/").last ?? ""
        if let lock = MMReplies.value(modem.lock), ["sim-pin", "sim-puk"].contains(lock) || modem.state == "locked" {
            return lock == "sim-puk"
                ? "The SIM in modem \(number) is locked; it needs its PUK: mmcli -i any --puk=… --pin=…"
                : "The SIM in modem \(number) is locked; it needs its PIN: mmcli -i any --pin=…"
        }
        if MMReplies.value(modem.sim) == nil { return "There is no SIM in modem \(number)" }
        switch modem.state {
        case "failed", "unknown": return "Modem \(number) has failed; see: mmcli -m \(number)"
        case "disabled", "initializing", "disabling", "enabling":
            return "Modem \(number) is not enabled; try: mmcli -m \(number) --enable"
        default: return nil
        }
    }

    /// The usable modem of a slot.
    ///
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func modem(_ slot: Int) async throws -> Modem {
        if !modems.contains(where: { $0.slot == slot && $0.trouble == nil }) { try await findModems() }
        guard let modem = modems.first(where: { $0.slot == slot }) else { throw TelephonyError.noSuchSIM(slot) }
        if let trouble = modem.trouble { throw TelephonyError.unavailable(trouble) }
        return modem
    }

    func disableVoice(_ path: String) {
        for index in modems.indices where modems[index].path == path { modems[index].hasVoice = false }
    }

    /// Compares paths by the number at their end.
    static func byNumber(_ a: String, _ b: String) -> Bool {
        func number(_ path: String) -> Int { path.split(separator: "/").last.flatMap { Int($0) } ?? .max }
        return (number(a), a) < (number(b), b)
    }
}
