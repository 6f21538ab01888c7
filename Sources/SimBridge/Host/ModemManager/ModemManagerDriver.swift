package import Foundation
import NetworkingKit
package import SimBridgeWire
import WireKit

/// A driver of SIM cards in modems of ModemManager: USB sticks, built-in modems, PinePhones.
///
/// Polls `mmcli`: for each modem once for texts and once for calls, and once for each new text and each current call. Separate
/// tasks poll texts and calls, and a failing modem does not delay another modem.
package actor ModemManagerDriver: TelephonyDriver {
    package struct Pace: Sendable {
        /// The interval of polls for texts and calls.
        package var look: Duration = .seconds(2)
        /// Count of polls after which modems are listed again, and everything in them is read again.
        package var inspection = 15
        /// Maximum texts that are read in one poll.
        package var texts = 20
        /// The timeout for a text of one part, for the start of a call, and for enabling a modem.
        package var sending: Duration = .seconds(120)
        /// The additional timeout for each further part of a text.
        package var part: Duration = .seconds(60)
        /// The timeout of the network's answer to a service code.
        package var code: Duration = .seconds(90)
        /// The time after which a text that lacks parts counts as incomplete.
        package var missingParts: Duration = .seconds(3600)
        /// As ``missingParts``, for a text whose time stamp is a day old: parts delivered now follow each other within minutes.
        package var oldMissingParts: Duration = .seconds(300)
        /// As ``oldMissingParts``, for a text that was already in the modem at the modem's first poll.
        package var storedMissingParts: Duration = .seconds(20)
        /// The time after which a whole text without a character counts as empty: its characters may follow its state.
        package var emptyText: Duration = .seconds(10)
        /// The interval between attempts to repair a modem.
        package var repair: Duration = .seconds(60)
        /// The time for which the state of a text with an unknown outcome is read.
        package var unknownOutcome: Duration = .seconds(3600)
        /// Count of texts in a modem from which its memory may be full. Small cards have room for ten.
        package var heldTexts = 8

        package init() {}
    }

    /// A present modem with its card.
    struct Modem: Sendable {
        var path: String
        var slot: Int
        var card: SIMCard
        /// The id of the card, or of the modem if the card has none: part of the ids of texts.
        var source: String
        var identity: String
        /// Why the modem cannot be used now; nil if it can.
        var trouble: String?
        /// The step that may make the modem usable; nil if there is none.
        var repair: Repair?
        var hasTexts = true
        var hasVoice = true
    }

    enum Repair: String, Sendable { case enable, reset }

    let tool: MMCLI
    let pace: Pace
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    private let slots: ModemSlots
    var modems: [Modem] = []
    /// The texts that were read and are still in a modem, by path.
    var known: [String: KnownText] = [:]
    var held: [String: Set<IncomingText.ID>] = [:]
    /// The texts that their modem has refused to delete, by source.
    var undeletable: [String: Set<IncomingText.ID>] = [:]
    /// The first poll at which a text lacked parts, by content.
    var incomplete: [String: (since: Date, wasStored: Bool)] = [:]
    /// The paths of the texts that were in a modem at its first poll and are still there, by the modem's path.
    var stored: [String: Set<String>] = [:]
    /// Count of reads of texts, by which texts are ordered for their next read.
    var readCount = 0
    /// The texts that this run has created and not yet deleted from their modem, by path.
    var outgoing: [String: OutgoingText] = [:]
    /// The modems whose memory was reported as nearly full.
    var fullModems: Set<String> = []
    /// The calls as they were last reported, by path.
    var calls: [String: TelephonyCall] = [:]
    /// The incoming calls that were seen once without a number.
    var unnamedCalls: Set<String> = []
    /// The last messages that the network has sent by itself, by modem.
    var notices: [String: MMReplies.ServiceCodeState] = [:]
    /// The paths of the modems that wait for the answer to a service code, by the code's reference.
    var codes: [Int64: String] = [:]
    private var sources: [String: String] = [:]
    private var repairs: [String: Date] = [:]
    private var cards: [SIMCard] = []
    private var trouble: String?
    private var needsInspection = false
    private var handle: (@Sendable (TelephonyEvent) async throws -> Void)?

    /// - Parameter slotFile: The file with the assignment of modems to SIM 1 and SIM 2; nil to store none.
    package init(
        tool: MMCLI = MMCLI(), slotFile: URL? = nil, pace: Pace = Pace(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.tool, self.pace, self.clock, self.now) = (tool, pace, clock, now)
        slots = ModemSlots(file: slotFile)
    }

    package func run(_ handle: @escaping @Sendable (TelephonyEvent) async throws -> Void) async throws {
        self.handle = handle
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.followTexts() }
            group.addTask { try await self.followCalls() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func followTexts() async throws {
        for look in 0... {
            if look % max(pace.inspection, 1) == 0 || modems.isEmpty || trouble != nil || needsInspection {
                needsInspection = false
                try await inspect()
                known = [:]
                for modem in usableModems { try await attempt { try await pollNotices(modem) } }
            }
            for modem in usableModems { try await attempt { try await pollTexts(modem) } }
            try await clock.sleep(for: pace.look)
        }
    }

    private func followCalls() async throws {
        while true {
            for modem in usableModems { try await attempt { try await pollCalls(modem) } }
            try await clock.sleep(for: pace.look)
        }
    }

    var usableModems: [Modem] { modems.filter { $0.trouble == nil } }

    /// Polls one modem. After a failure, the modems are listed again, because the modem may have disappeared. An event that the
    /// host cannot store is reported again at the next poll.
    private func attempt(_ poll: () async throws -> Void) async throws {
        do {
            try await poll()
        } catch is TelephonyError {
            needsInspection = true
        } catch is NotStored {}
    }

    /// The error of an event that the host cannot store.
    private struct NotStored: Error {}

    /// - Throws: ``NotStored``; `CancellationError`.
    func report(_ event: TelephonyEvent) async throws {
        do {
            try await handle?(event)
        } catch is TelephonyError {
            throw NotStored()
        }
    }

    // MARK: Modems and their cards

    package func sims() async throws -> [SIMCard] {
        try await findModems()
        if usableModems.isEmpty { throw TelephonyError.unavailable(unavailability) }
        return usableModems.map(\.card)
    }

    private var unavailability: String {
        modems.compactMap(\.trouble).first ?? "There is no modem; see: mmcli --list-modems"
    }

    /// Lists the modems again, repairs modems if possible, and reports changes of the modems and their cards.
    private func inspect() async throws {
        var now: String?
        do {
            try await findModems()
            if try await repairModems() { try await findModems() }
            if usableModems.isEmpty { now = unavailability }
        } catch let error as TelephonyError {
            modems = []
            now = "\(error)"
        }
        stored = stored.filter { path, _ in modems.contains { $0.path == path } }
        let cards = usableModems.map(\.card)
        // Cards that disappear are reported as trouble, or when they return.
        if !cards.isEmpty, cards != self.cards {
            let isFirst = self.cards.isEmpty
            self.cards = cards
            if !isFirst { try await attempt { try await report(.cards(cards)) } }
        }
        guard now != trouble else { return }
        trouble = now
        try await attempt { try await report(now.map { .unavailable($0) } ?? .available) }
    }

    /// Enables disabled modems and resets failed modems. ModemManager does not enable a modem that was plugged in again.
    ///
    /// - Returns: True if a modem has changed.
    private func repairModems() async throws -> Bool {
        var didRepair = false
        for modem in modems {
            guard let repair = modem.repair else {
                repairs[modem.path] = nil
                continue
            }
            let pause = repair == .reset ? pace.repair * 10 : pace.repair
            if let last = repairs[modem.path], now().timeIntervalSince(last) < pause / .seconds(1) { continue }
            repairs[modem.path] = now()
            // A modem that does not answer is tried again later.
            guard let ending = try? await start(["--modem", modem.path, "--\(repair.rawValue)"], within: pace.sending) else {
                continue
            }
            if ending.code == 0 {
                didRepair = true
            } else if let index = modems.firstIndex(where: { $0.path == modem.path }), let trouble = modem.trouble {
                modems[index].trouble = "\(trouble) (\(ending.complaint))"
            }
        }
        try Task.checkCancellation()
        return didRepair
    }

    private func findModems() async throws {
        let paths = try await tool.json(MMReplies.Modems.self, ["--list-modems"]).paths
        var found: [FoundModem] = []
        for path in paths.sorted(by: Self.byNumber) {
            // A modem that disappears meanwhile is left out.
            guard let reply = try? await tool.json(MMReplies.Modem.self, ["--modem", path]).modem else { continue }
            var identity = MMReplies.value(reply.generic.equipment) ?? reply.generic.device
            // Cheap modems may have the same equipment number.
            if found.contains(where: { $0.identity == identity }) { identity += " \(reply.generic.device)" }
            found.append(FoundModem(path: path, identity: identity, content: reply))
        }
        try Task.checkCancellation()
        // A modem without a card takes a slot only if there is one left.
        let hasCard = found.filter { MMReplies.value($0.content.generic.sim) != nil }.map(\.identity)
        let places = slots.places(of: found.map(\.identity), preferring: hasCard)
        var list: [Modem] = []
        for one in found {
            if let slot = places[one.identity] { list.append(await modem(one, slot: slot)) }
        }
        sources = sources.filter { key, _ in list.contains { key.hasPrefix($0.path + " ") } }
        modems = list.sorted { $0.slot < $1.slot }
    }

    private struct FoundModem {
        var path: String
        var identity: String
        var content: MMReplies.Modem.Content
    }

    private func modem(_ found: FoundModem, slot: Int) async -> Modem {
        let generic = found.content.generic
        let before = modems.first { $0.path == found.path }
        var card: MMReplies.SIM.Properties?
        if MMReplies.value(generic.sim) != nil {
            card = try? await tool.json(MMReplies.SIM.self, ["--sim", generic.sim]).sim.properties
        }
        let carrier = MMReplies.value(found.content.network?.operatorName) ?? MMReplies.value(card?.operatorName)
        // One card keeps one source, also if its id is read later than its first text.
        let key = "\(found.path) \(generic.sim)"
        let source = sources[key] ?? MMReplies.value(card?.iccid) ?? found.identity
        sources[key] = source
        let (trouble, repair) = Self.trouble(of: generic, path: found.path)
        return Modem(
            path: found.path, slot: slot,
            card: SIMCard(
                slot: slot, carrier: carrier ?? before?.card.carrier ?? "Unknown carrier",
                number: generic.numbers?.first ?? (before?.source == source ? before?.card.number : nil),
                mcc: card?.mcc ?? (before?.source == source ? before?.card.mcc : nil)),
            source: source, identity: found.identity, trouble: trouble, repair: repair)
    }

    private static func trouble(of modem: MMReplies.Modem.Generic, path: String) -> (String?, Repair?) {
        let number = path.split(separator: "/").last ?? ""
        if let lock = MMReplies.value(modem.lock), ["sim-pin", "sim-puk"].contains(lock) || modem.state == "locked" {
            let key = lock == "sim-puk" ? "PUK: mmcli -i any --puk=… --pin=…" : "PIN: mmcli -i any --pin=…"
            return ("The SIM in modem \(number) is locked; it needs its \(key)", nil)
        }
        if MMReplies.value(modem.sim) == nil { return ("There is no SIM in modem \(number)", nil) }
        switch modem.state {
        case "failed", "unknown":
            return ("Modem \(number) has failed; see: mmcli -m \(number)", modem.state == "failed" ? .reset : nil)
        case "disabled": return ("Modem \(number) is not enabled; try: mmcli -m \(number) --enable", .enable)
        case "initializing", "disabling", "enabling": return ("Modem \(number) is not enabled yet", nil)
        default: return (nil, nil)
        }
    }

    /// Returns the usable modem of a slot.
    ///
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func modem(_ slot: Int) async throws -> Modem {
        if !usableModems.contains(where: { $0.slot == slot }) { try await findModems() }
        guard let modem = modems.first(where: { $0.slot == slot }) else { throw TelephonyError.noSuchSIM(slot) }
        if let trouble = modem.trouble { throw TelephonyError.unavailable(trouble) }
        return modem
    }

    func disableVoice(_ path: String) {
        for index in modems.indices where modems[index].path == path { modems[index].hasVoice = false }
    }

    func disableTexts(_ path: String) {
        for index in modems.indices where modems[index].path == path { modems[index].hasTexts = false }
    }

    /// Compares paths by the number at their end.
    static func byNumber(_ a: String, _ b: String) -> Bool {
        func number(_ path: String) -> Int { path.split(separator: "/").last.flatMap { Int($0) } ?? .max }
        return (number(a), a) < (number(b), b)
    }

    /// Runs an action of a modem that may take long.
    ///
    /// - Throws: ``TelephonyError/outcomeUnknown(_:)`` when it takes too long; `CancellationError`.
    func start(_ arguments: [String], within limit: Duration) async throws -> MMCLI.Ending {
        let tool = tool
        // The timeout of mmcli comes first, so that mmcli can report it.
        let seconds = max(limit.components.seconds, 1)
        do {
            return try await withTimeout(limit + .seconds(5), clock: clock) {
                try await tool.run(arguments + ["--timeout=\(seconds)"])
            }
        } catch is TransportError {
            throw TelephonyError.outcomeUnknown("The modem did not answer")
        }
    }

    /// True if the action may have succeeded although its answer was lost.
    static func isOpen(_ ending: MMCLI.Ending) -> Bool {
        ["Timeout was reached", "timed out", "NoReply", "Disconnected", "connection is closed", "Message recipient disconnected"]
            .contains { ending.errors.localizedCaseInsensitiveContains($0) }
    }
}
