import SimBridgeWire

/// The commands of a running host's terminal, one per line.
package enum HostConsole {
    package enum Command: Hashable, Sendable {
        case receive(sim: Int, from: String, text: String)
        case ring(sim: Int, from: String)
        case answer
        case hangUp
        case fail(SimulatedDriver.Failure?)
        case pair
        case help
        case quit
    }

    /// The reason why a command was not understood, in words for the user.
    package struct Misunderstanding: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    package static let help = """
        receive <sim> <from> <text>   a text comes in: receive 1 +15550123 Hello there
        ring <sim> <from>             a call comes in: ring 2 +15550123
        answer                        answer the ringing call
        hangup                        end all calls
        fail <how>                    from now on: \(SimulatedDriver.Failure.allCases.map(\.rawValue).joined(separator: ", ")); or none
        pair                          show a further pairing code
        quit                          end the host
        """

    /// - Returns: nil for an empty line.
    /// - Throws: ``Misunderstanding``.
    package static func parse(_ line: String) throws(Misunderstanding) -> Command? {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true).map(String.init)
        guard let name = words.first?.lowercased() else { return nil }
        switch name {
        case "receive":
            guard words.count == 4 else { throw Misunderstanding(description: "Usage: receive <sim> <from> <text>") }
            return .receive(sim: try sim(words[1]), from: words[2], text: words[3])
        case "ring":
            guard words.count == 3 else { throw Misunderstanding(description: "Usage: ring <sim> <from>") }
            return .ring(sim: try sim(words[1]), from: words[2])
        case "fail":
            guard words.count == 2 else { throw Misunderstanding(description: "Usage: fail <how>, or: fail none") }
            if words[1] == "none" { return .fail(nil) }
            guard let failure = SimulatedDriver.Failure(rawValue: words[1]) else {
                throw Misunderstanding(description: "Unknown failure '\(words[1])'; type help for a list")
            }
            return .fail(failure)
        case "answer": return .answer
        case "hangup": return .hangUp
        case "pair": return .pair
        case "help", "?": return .help
        case "quit", "exit": return .quit
        default: throw Misunderstanding(description: "Unknown command '\(name)'; type help for a list")
        }
    }

    private static func sim(_ word: String) throws(Misunderstanding) -> Int {
        guard let sim = Int(word), TextCommand.sims.contains(sim) else {
            throw Misunderstanding(description: "There is no SIM '\(word)'; use 1 or 2")
        }
        return sim
    }

    /// Carries out a command on the simulated network.
    ///
    /// - Returns: The answer; nil if there is none.
    package static func perform(_ command: Command, in world: SimulatedDriver) async -> String? {
        do {
            switch command {
            case .receive(let sim, let from, let text): try await world.receive(text, from: from, sim: sim)
            case .ring(let sim, let from): try await world.ring(from: from, sim: sim)
            case .answer: try await world.answer()
            case .hangUp: if await world.hangUp() == 0 { return "There is no call." }
            case .fail(let failure):
                await world.fail(failure)
                return failure.map { "From now on: \($0.rawValue)." } ?? "Everything works again."
            case .help, .pair, .quit: break
            }
            return nil
        } catch {
            return "\(error)."
        }
    }
}
