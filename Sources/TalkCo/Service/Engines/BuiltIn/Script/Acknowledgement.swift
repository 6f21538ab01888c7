import Foundation

/// The tutor's first words after an answer: a remark that picks up a detail of it.
enum Acknowledgement {
    /// - Parameter turn: Not empty.
    static func of(_ turn: LearnerTurn, with phrases: inout Phrases) -> String {
        let detail =
            reason(turn, &phrases) ?? feeling(turn, &phrases) ?? person(turn, &phrases) ?? food(turn, &phrases)
            ?? activity(turn, &phrases) ?? place(turn, &phrases) ?? frequency(turn, &phrases)
        if let detail { return detail }
        if turn.polarity == true { return phrases.draw(["Great!", "I see.", "Good to know!", "Nice."]) }
        if turn.polarity == false { return phrases.draw(["I understand.", "That's fine.", "Fair enough.", "I see."]) }
        if turn.words.count == 1, turn.polarity == nil { return phrases.draw(["Okay.", "All right.", "I see."]) }
        if turn.words.count > 14 {
            return phrases.draw(["Thank you for telling me so much.", "You explained that well.", "That's a good story."])
        }
        return phrases.draw([
            "I see.", "That's interesting.", "Thanks for sharing that.", "Okay, I understand.", "Oh, really?", "Good answer.",
        ])
    }

    private static func reason(_ turn: LearnerTurn, _ phrases: inout Phrases) -> String? {
        guard turn.hasReason else { return nil }
        return phrases.draw([
            "That's a good reason.", "I can see why.", "That makes sense.", "I like how you explain it.",
            "Yes, I understand your reason.",
        ])
    }

    private static func feeling(_ turn: LearnerTurn, _ phrases: inout Phrases) -> String? {
        if let word = turn.detail(.sad) {
            switch word {
            case "tired": return phrases.draw(["Oh, you must need some rest.", "I hope you can get some sleep soon."])
            case "sick", "ill": return "Oh no, I hope you feel better soon."
            case "nervous", "worried", "afraid", "scared":
                return phrases.draw(["Many people feel that way.", "That's nothing to be ashamed of."])
            case "lost": return "That must have been annoying."
            case "boring", "bored": return "I know, some things are just boring."
            case "difficult", "hard": return phrases.draw(["That doesn't sound easy.", "Yes, that can be hard."])
            default: return phrases.draw(["I'm sorry to hear that.", "That doesn't sound easy."])
            }
        }
        guard turn.polarity != false, let word = turn.detail(.happy) else { return nil }
        switch word {
        case "delicious": return phrases.draw(["Now I'm getting hungry!", "That sounds delicious indeed."])
        case "fun", "funny": return "That sounds like fun!"
        case "love", "loved", "enjoy", "enjoyed":
            return phrases.draw(["I can hear that you really like it.", "It's nice when people love what they do."])
        case "proud": return "You can be proud of that."
        default: return phrases.draw(["I'm glad to hear that!", "That sounds wonderful.", "How nice!"])
        }
    }

    private static func person(_ turn: LearnerTurn, _ phrases: inout Phrases) -> String? {
        guard let word = turn.detail(.person), turn.polarity != false else { return nil }
        switch word {
        case "boss": return "Ah, your boss."
        case "family", "parents", "children", "kids":
            return phrases.draw(["Family is important.", "It's good to have your \(word) around you."])
        case "friend", "friends": return phrases.draw(["It's good to have friends.", "Good friends make life better."])
        default: return phrases.draw(["Say hello to your \(word) from me!", "Ah, your \(word)."])
        }
    }

    private static func food(_ turn: LearnerTurn, _ phrases: inout Phrases) -> String? {
        guard let word = turn.detail(.food), turn.polarity != false else { return nil }
        if ["breakfast", "lunch", "dinner"].contains(word) {
            return phrases.draw(["A good \(word) is important.", "Ah, \(word)."])
        }
        return phrases.draw(["Mm, \(word)!", "\(word.capitalized)? Good choice.", "Oh, \(word). Many people like that."])
    }

    private static func activity(_ turn: LearnerTurn, _ phrases: inout Phrases) -> String? {
        guard let word = turn.detail(.activity), turn.polarity != false else { return nil }
        return phrases.draw([
            "\(word.capitalized) is a great way to spend your time.", "Ah, \(word)!", "I often hear good things about \(word).",
        ])
    }

    private static func place(_ turn: LearnerTurn, _ phrases: inout Phrases) -> String? {
        guard let word = turn.detail(.place), turn.polarity != false else { return nil }
        if let name = names[word] {
            return phrases.draw(["\(name) must be interesting.", "Ah, \(name)!", "I would love to see \(name) myself."])
        }
        return phrases.draw(["Ah, the \(word).", "I can picture the \(word)."])
    }

    private static func frequency(_ turn: LearnerTurn, _ phrases: inout Phrases) -> String? {
        guard turn.detail(.often) != nil else { return nil }
        return phrases.draw(["So that's your habit.", "I see, that's how you do it.", "Good to know."])
    }

    private static let names: [String: String] = Dictionary(
        uniqueKeysWithValues: [
            "Japan", "Tokyo", "Osaka", "Kyoto", "Korea", "Seoul", "Taipei", "Taichung", "Tainan", "Kaohsiung", "Hualien", "Taiwan",
            "Canada",
            "America", "Italy", "France", "England", "Germany", "Thailand", "Vietnam", "Singapore", "Australia",
        ].map { ($0.lowercased(), $0) })
}
