/// A list of sentences of which the tutor draws one: `phrase:` in phrases.txt.
enum Phrase: String, CaseIterable, Sendable {
    case hello
    case town
    case firstTalk = "first-talk"
    case laterTalk = "later-talk"
    case goal
    case resumed

    case placeName = "place-name"
    case place
    case person
    case people
    case family
    case job
    case food
    case activity
    case hobbyThing = "hobby-thing"
    case story
    case animal
    case thing
    case name
    case weather
    case quality
    case amount
    case happy
    case sad
    case tired
    case worried
    case angry
    case ill
    case negated
    case reason
    case yes
    case no
    case wish
    case long
    case neutral

    case misheard
    case puzzled
    case sayMore = "say-more"
    case example
    case chinese
    case easier
    case `repeat`
    case slower
    case noIdea = "no-idea"
    case skip
    case already
    case wrong
    case wait
    case thanks
    case helloAgain = "hello-again"
    case askMe = "ask-me"
    case grief
    case griefQuestion = "grief-question"
    case danger
    case spelling
    case meaning
    case unknownMeaning = "unknown-meaning"
    case sayInEnglish = "say-in-english"

    case bridge
    case `return`
    case finished
    case farewell
    case farewellEnd = "farewell-end"
    case farewellChoices = "farewell-choices"
    case returnChoices = "return-choices"
    case griefChoices = "grief-choices"

    case reviewOwn = "review-own"
    case reviewStandard = "review-standard"
    case reviewCard = "review-card"
    case reviewChoose = "review-choose"
    case reviewSay = "review-say"
    case reviewWrong = "review-wrong"
    case reviewOther = "review-other"
    case reviewLeave = "review-leave"
    case reviewPraise = "review-praise"
    case reviewLatePraise = "review-late-praise"
    case reviewResult = "review-result"
    case reviewEnd = "review-end"
    case reviewChoices = "review-choices"

    /// The names in braces that every sentence of the list must have.
    var required: Set<String> {
        switch self {
        case .hello: ["hello", "name"]
        case .town: ["town"]
        case .firstTalk, .laterTalk: ["subject"]
        case .goal: ["goal"]
        case .puzzled, .sayMore, .example: ["first", "second"]
        case .return, .negated: ["it"]
        case .spelling: ["word", "letters"]
        case .meaning: ["word", "meaning"]
        case .unknownMeaning: ["word"]
        case .reviewSay: ["wrong", "right"]
        case .reviewCard: ["wrong"]
        case .reviewWrong, .reviewOther, .reviewLeave: ["right"]
        case .reviewResult: ["count", "total"]
        case .farewell, .reviewEnd: ["name"]
        default: []
        }
    }

    /// The names in braces that a sentence of the list may have.
    var allowed: Set<String> { required.union(Detail.allCases.contains { $0.remark == self } ? ["it"] : []) }

    /// True for sentences that the learner may read aloud.
    var isChoices: Bool { [.farewellChoices, .returnChoices, .griefChoices, .reviewChoices].contains(self) }
}

extension String {
    /// Returns the text with values in place of the names in braces. The values are not searched for names.
    func filled(_ values: [String: String]) -> String {
        var (result, rest) = ("", self[...])
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}"),
                let value = values[String(rest[rest.index(after: open)..<close])]
            else {
                result += "{"
                rest = rest[rest.index(after: open)...]
                continue
            }
            result += value
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// The names in braces.
    var namesInBraces: Set<String> {
        Set(split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { String($0.prefix { $0 != "}" }) })
    }
}
