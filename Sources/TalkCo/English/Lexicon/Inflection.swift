/// Regular English inflection.
enum Inflection {
    static func thirdPerson(_ verb: String) -> String {
        switch verb {
        case "have": "has"
        case "be": "is"
        case "do", "go": verb + "es"
        default: withS(verb)
        }
    }

    /// Returns a word with its s: "watches" for "watch", "cities" for "city", "days" for "day".
    static func withS(_ word: String) -> String {
        if ["s", "x", "z", "ch", "sh"].contains(where: word.hasSuffix) { return word == "stomach" ? "stomachs" : word + "es" }
        return endsInConsonantAndY(word) ? word.dropLast() + "ies" : word + "s"
    }

    static func withED(_ verb: String) -> String {
        if verb.hasSuffix("e") { return verb + "d" }
        if endsInConsonantAndY(verb) { return verb.dropLast() + "ied" }
        return doubled(verb) + "ed"
    }

    static func withING(_ verb: String) -> String {
        if verb == "be" { return "being" }
        if verb.hasSuffix("ie") { return verb.dropLast(2) + "ying" }
        if verb.hasSuffix("e"), !verb.hasSuffix("ee"), !verb.hasSuffix("oe"), !verb.hasSuffix("ye") {
            return verb.dropLast() + "ing"
        }
        return doubled(verb) + "ing"
    }

    /// Returns the comparative or superlative of a short adjective, such as "easier".
    static func compared(_ adjective: String, _ ending: String) -> String {
        if adjective.hasSuffix("e") { return adjective + ending.dropFirst() }
        if endsInConsonantAndY(adjective) { return adjective.dropLast() + "i" + ending }
        let doubles = ["big", "fat", "hot", "sad", "thin", "wet"].contains(adjective)
        return adjective + (doubles ? String(adjective.suffix(1)) : "") + ending
    }

    private static func doubled(_ verb: String) -> String { WordLists.doublingVerbs.contains(verb) ? verb + verb.suffix(1) : verb }

    private static func endsInConsonantAndY(_ word: String) -> Bool {
        guard word.hasSuffix("y"), let before = word.dropLast().last else { return false }
        return !"aeiou".contains(before)
    }
}
