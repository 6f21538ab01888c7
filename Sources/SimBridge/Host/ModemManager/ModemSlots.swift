import Foundation
import SimBridgeWire
import WireKit

/// The assignment of modems to SIM 1 and SIM 2. A modem keeps its slot when another one disappears or the order changes: a text
/// must not be sent by another card.
final class ModemSlots: Sendable {
    private let file: URL?
    private let places = Locked<[String: Int]>([:])

    init(file: URL?) {
        self.file = file
        // An unreadable file counts as absent: slots are assigned again.
        guard let file, let data = try? OwnFile.contents(of: file.path, limit: 65_536),
            let stored = try? WireJSON.decode([String: Int].self, from: data)
        else {
            return
        }
        places.withLock { $0 = stored }
    }

    /// - Parameters:
    ///   - present: The permanent ids of the present modems, in their order.
    ///   - preferred: The ids of the modems that have a card.
    /// - Returns: The slot, 1 or 2, of each present modem that has a slot.
    func places(of present: [String], preferring preferred: [String]) -> [String: Int] {
        let (now, isNew) = places.withLock { places -> ([String: Int], Bool) in
            let before = places
            for modem in preferred + present.filter({ !preferred.contains($0) }) where places[modem] == nil {
                let taken = Set(places.values)
                // A new modem takes the slot of an absent modem; a modem with a card also the slot of a modem without a card.
                let others = places.filter { !present.contains($0.key) || preferred.contains(modem) && !preferred.contains($0.key) }
                if let free = TextCommand.sims.first(where: { !taken.contains($0) }) {
                    places[modem] = free
                } else if let other = others.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
                    places[other.key] = nil
                    places[modem] = other.value
                }
            }
            return (places, places != before)
        }
        // The file is for the next run only: without the file, the order of the modems determines the slots.
        if isNew, let file { try? OwnFile.replace(file.path, with: WireJSON.encode(now)) }
        return now.filter { present.contains($0.key) }
    }
}
