import Foundation
import SimBridgeWire
import WireKit

/// Which modem is SIM 1 and which SIM 2. A modem keeps its place when another goes away or they come back in another order: a text
/// must not go out by another card.
final class ModemSlots: Sendable {
    private let file: URL?
    private let places = Locked<[String: Int]>([:])

    init(file: URL?) {
        self.file = file
        // One that cannot be read is as good as none: places are given anew.
        guard let file, let data = try? Data(contentsOf: file), let kept = try? WireJSON.decode([String: Int].self, from: data)
        else {
            return
        }
        places.withLock { $0 = kept }
    }

    /// - Parameter present: The modems that are there, by what identifies each for good; the first come first.
    /// - Returns: The slots, 1 and 2, of those that have one.
    func places(of present: [String]) -> [String: Int] {
        let (now, isNew) = places.withLock { places -> ([String: Int], Bool) in
            let before = places
            for modem in present where places[modem] == nil {
                let taken = Set(places.values)
                if let free = TextCommand.sims.first(where: { !taken.contains($0) }) {
                    places[modem] = free
                } else if let gone = places.filter({ !present.contains($0.key) }).min(by: { $0.value < $1.value }) {
                    // A new modem in the place of one that is gone.
                    places[gone.key] = nil
                    places[modem] = gone.value
                }
            }
            return (places, places != before)
        }
        // Kept for the next run only; without it the order of the modems decides.
        if isNew, let file { try? WireJSON.encode(now).write(to: file, options: .atomic) }
        return now.filter { present.contains($0.key) }
    }
}
