import Foundation
package import NetworkingKit

/// The commands of a running host's terminal, one per line.
package enum HostConsole {
    package enum Command: Hashable, Sendable {
        case model(String)
        case name(String)
        case logs(Bool)
        case stop
        case start
        case status
        case phones
        /// The beginning of a phone's key.
        case approve(String)
        case refuse(String)
        case remove(String)
        case qr
        case help
        case quit
    }

    /// Failure to read a command, in words for the user.
    package struct Misunderstanding: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    package static let help = """
        status            show the state, the model and the connected phones
        qr                invite one new phone: show a link and its QR code
        model <name>      answer with this model
        name <name>       change the name that phones show
        logs on|off       show what phones do, or not
        phones            list the known phones
        approve <phone>   let a new phone in, now and later; it is named by the beginning of its key
        refuse <phone>    send a new phone away
        remove <phone>    forget a known phone and its answers
        stop              disconnect all phones; they cannot find this host any more
        start             let phones find this host again
        quit              end the host
        """

    /// - Returns: nil for an empty line.
    /// - Throws: ``Misunderstanding``.
    package static func parse(_ line: String) throws(Misunderstanding) -> Command? {
        let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
        guard let verb = words.first?.lowercased() else { return nil }
        let rest = words.count > 1 ? words[1].trimmingCharacters(in: .whitespacesAndNewlines) : ""
        func argument(_ usage: String) throws(Misunderstanding) -> String {
            guard !rest.isEmpty else { throw Misunderstanding(description: "Usage: \(usage)") }
            return rest
        }
        func alone(_ command: Command) throws(Misunderstanding) -> Command {
            guard rest.isEmpty else { throw Misunderstanding(description: "'\(verb)' stands alone. Type 'help' for a list.") }
            return command
        }
        switch verb {
        case "model": return .model(try argument("model <name>"))
        case "name": return .name(try argument("name <name>"))
        case "logs":
            let value = rest.lowercased()
            guard value == "on" || value == "off" else { throw Misunderstanding(description: "Usage: logs on, or: logs off") }
            return .logs(value == "on")
        case "stop": return try alone(.stop)
        case "start": return try alone(.start)
        case "status": return try alone(.status)
        case "phones": return try alone(.phones)
        case "qr": return try alone(.qr)
        case "approve": return .approve(try argument("approve <phone>"))
        case "refuse": return .refuse(try argument("refuse <phone>"))
        case "remove": return .remove(try argument("remove <phone>"))
        case "help", "?": return .help
        case "quit", "exit": return try alone(.quit)
        default: throw Misunderstanding(description: "There is no command '\(verb.prefix(40))'. Type 'help' for a list.")
        }
    }

    /// Returns the only phone whose key begins with `text`.
    ///
    /// - Throws: ``Misunderstanding`` when there is none, or more than one.
    package static func phone(_ text: String, of phones: [PeerKey]) throws(Misunderstanding) -> PeerKey {
        let found = phones.filter { $0.description.hasPrefix(text.lowercased()) }
        guard let phone = found.first else {
            throw Misunderstanding(description: "There is no such phone. Type 'phones' for a list.")
        }
        guard found.count == 1 else {
            throw Misunderstanding(description: "The keys of \(found.count) phones begin with '\(text)'. Type more of it.")
        }
        return phone
    }
}
