import Foundation
import TalkCoWire
import WireKit

/// The first words of a talk, without the first question.
struct Greeting {
    var brief: TalkBrief
    var subject: String
    /// The time zone of the service, taken for the learner's.
    var timeZone: TimeZone

    /// Returns the greeting of a talk on a topic.
    func text(with phrases: inout Phrases) -> String {
        var sentences = [phrases.draw(.hello, ["hello": hello, "name": name])]
        if let town { sentences.append(phrases.draw(.town, ["town": town])) }
        sentences.append(phrases.draw(brief.earlierTalks.isEmpty ? .firstTalk : .laterTalk, ["subject": subject]))
        if let goal { sentences.append(phrases.draw(.goal, ["goal": goal])) }
        return sentences.joined(separator: " ")
    }

    var hello: String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return switch calendar.component(.hour, from: brief.now.date) {
        case 5..<12: "Good morning"
        case 12..<18: "Good afternoon"
        case 18..<23: "Good evening"
        default: "Hello"
        }
    }

    /// The learner's name after a comma; empty without a short name in Latin letters.
    var name: String {
        guard let name = brief.learnerName?.trimmingCharacters(in: .whitespacesAndNewlines), Self.isPlain(name, limit: 40) else {
            return ""
        }
        return ", \(name)"
    }

    private var town: String? {
        let prefixes = ["Lives in ", "The learner lives in ", "I live in "]
        for fact in brief.personalFacts {
            guard let prefix = prefixes.first(where: { fact.hasPrefix($0) }) else { continue }
            let town = fact.dropFirst(prefix.count).trimmingCharacters(in: .whitespacesAndNewlines.union(.punctuationCharacters))
            if Self.isPlain(town, limit: 40), town.first?.isUppercase == true { return town }
        }
        return nil
    }

    private var goal: String? {
        guard var goal = brief.learningGoal?.trimmingCharacters(in: .whitespacesAndNewlines), Self.isPlain(goal, limit: 80) else {
            return nil
        }
        while let last = goal.last, ".!,;".contains(last) { goal.removeLast() }
        return "“\(goal)”"
    }

    /// Returns true if a text has at most `limit` characters, of the Latin script.
    private static func isPlain(_ text: String, limit: Int) -> Bool {
        !text.isEmpty && text.count <= limit
            && text.unicodeScalars.allSatisfy { $0.value < 0x250 && $0.value >= 0x20 } && text.contains(where: \.isLetter)
    }
}
