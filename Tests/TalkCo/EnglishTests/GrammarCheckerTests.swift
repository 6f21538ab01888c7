import Foundation
import Testing

@testable import TalkCoEnglish

@Suite(.enabled(if: GrammarChecker.isAvailable, "The parser's dictionary or the word model is not installed"))
struct GrammarCheckerTests {
    private let checker = GrammarChecker()

    @Test func findingTellsWhatAndWhere() throws {
        let text = "I very like Japanese food."
        let finding = try #require(checker.findings(in: text).first)
        #expect(finding.rule == "natural.very-verb")
        #expect(finding.kind == .naturalness)
        #expect(finding.original == "very like")
        #expect(finding.suggestion == "really like")
        #expect(finding.explanation.contains("really"))
        #expect(text[finding.range] == "very like")
    }

    @Test func findingsInSeveralSentencesAreInOrder() {
        let findings = checker.findings(in: "Yesterday I go to school. She have a dog. I am agree.")
        #expect(findings.map(\.original) == ["go", "have", "am agree"])
        #expect(findings.map(\.suggestion) == ["went", "has", "agree"])
    }

    @Test func rangesHoldBesideEmojiAndChinese() throws {
        for text in ["😀👩‍👩‍👧 She have 🐶 a dog", "我覺得 she have a dog 很可愛", "“She have” 🇹🇼", "Cafe\u{301}, she have it"] {
            let finding = try #require(checker.findings(in: text).first)
            #expect(text[finding.range] == finding.original)
            #expect(finding.original == "have")
        }
    }

    @Test func curlyApostrophesAreUnderstood() {
        #expect(checker.findings(in: "He don’t like it.").map(\.suggestion) == ["doesn't"])
        #expect(checker.findings(in: "I’m agree with you.").map(\.original) == ["I’m agree"])
    }

    @Test func capitalLettersAreKept() {
        #expect(checker.findings(in: "Is very cold today.").first?.suggestion == "It's")
        #expect(checker.findings(in: "Despite of the rain, we had fun.").first?.suggestion == "Despite")
    }

    @Test func sentencesInCapitalLettersAreChecked() {
        #expect(checker.findings(in: "SHE HAVE A DOG AT HOME").map(\.suggestion) == ["HAS"])
        #expect(checker.findings(in: "I LIKE THIS MOVIE VERY MUCH").isEmpty)
    }

    @Test func explanationsFollowTheVerb() {
        #expect(checker.findings(in: "You is my friend.").first?.explanation == "主詞是 you、we、they 時，be 動詞用 are。")
        #expect(checker.findings(in: "He are my friend.").first?.explanation == "主詞是 he、she、it 時，be 動詞用 is。")
        #expect(checker.findings(in: "I cannot afford buy a car.").first?.explanation.hasPrefix("afford") == true)
    }

    @Test func transcriptsWithoutPunctuationAreChecked() {
        #expect(checker.findings(in: "yesterday i go to the night market and i was very happy").map(\.suggestion) == ["went"])
    }

    /// The tense that a year asks for, at the end of November 2026.
    @Test(arguments: [
        ("In 2025 I go to Japan.", "went"), ("I go to Japan in 2024.", "went"), ("In 1985 we live in Taipei.", "lived"),
        ("In May 2025 I visit my aunt.", "visited"), ("On 2024-03-05 I go to Japan.", "went"),
        ("Last year I go to Japan.", "went"), ("In 2026 I go to Japan.", nil), ("In 2030 I go to Japan.", nil),
        ("I go to Japan in 2027.", nil), ("On 2027-03-05 I go to Japan.", nil), ("By 2030 I go to Japan.", nil),
        ("Next year I go to Japan.", nil), ("In 2199 I go to Mars.", nil),
    ]) func yearBeforeTheCurrentOneIsPast(_ text: String, _ verb: String?) {
        let time = Date(timeIntervalSince1970: 1_795_000_000)
        let findings = GrammarChecker(now: { time }).findings(in: text).filter { $0.rule.hasPrefix("tense.past-time") }
        #expect(findings.map(\.suggestion) == (verb.map { [$0] } ?? []), "\(text)")
    }

    @Test func yearIsPastOnceTheNextHasBegun() {
        func findings(_ seconds: TimeInterval) -> [String] {
            GrammarChecker(now: { Date(timeIntervalSince1970: seconds) }).findings(in: "In 2031 I go to Japan.").map(\.suggestion)
        }
        #expect(findings(1_925_000_000).isEmpty && findings(1_962_000_000) == ["went"])
    }

    @Test(arguments: ["I was born on 2001-05-03.", "The party is on 2031/5/3.", "We met at 2019-05-03 in Taipei."])
    func dateInDigitsIsNoYear(_ text: String) {
        #expect(checker.findings(in: text).filter { $0.rule == "preposition.year" }.isEmpty)
        #expect(checker.findings(in: "I moved on 2031.").map(\.suggestion) == ["in"])
    }

    @Test(arguments: ["", " ", "\n\n", "。", "😀", "'", "''''", "---", "1", "我很好", "\u{0}", "a", "I", "'s"])
    func oddTextHasNoFindings(_ text: String) {
        #expect(checker.findings(in: text).isEmpty)
    }

    /// Whatever a text's length, the parser sees a bounded part of it.
    @Test func longTextsAreCheckedInPart() {
        let count = GrammarChecker.maximumSentenceCount
        let text = String(repeating: "She have many friend. ", count: 4000)
        #expect((count...2 * count).contains(checker.findings(in: text).count))
        #expect(checker.findings(in: String(repeating: "she have many friend ", count: 4000)).isEmpty)
    }

    /// Right sentences that look like mistakes: each was marked by rules without a parser, here or in other checkers.
    @Test(arguments: [
        "You're welcome.", "That house is big.", "My friend and I were late.", "He was very patient.", "Can I take pictures here?",
        "It gets cold in winter.", "I gave her brother a book.", "It gets dark early in winter.", "I told her mother the truth.",
        "My brother and I were tired.", "She was very kind to me.", "Those shoes are nice.",
        "He sent you messages asking for help.",
        "I'm giving you a heads up.", "Missing you is something I hate.", "All Tom did was eat.", "They take that from me.",
        "Has anyone had this happen?", "We should prevent this from happening.", "He laughs again.",
        "I'm checking in to the hotel.",
        "Are there any parts that need more testing?", "My only advice on packing is bring two pairs of shoes.",
        "I came down to make everyone breakfast.", "What we have done is define a goal.", "He suggested that she take a day off.",
        "What did she whisper to you?", "I prefer tea to coffee.", "He is mean.", "I'll do what I can to help you.",
        "She studies English every day.", "Who did you go with?",
        "She asked me where I lived.", "I am used to getting up early.", "He let me use his car.", "Because I like it.",
        "Maybe next time.", "Um, I think it's, like, really good.", "i went to the night market with my friends and we ate a lot",
        "do you like coffee", "The more I practice, the better I get.", "One of my friends lives in Canada.",
        "The friends I have are all from school.", "Where are Anna and Paul?", "We have cold water.",
        "Are she and Tom really happy?", "She was mean to animals.", "This is similar to what happens to plants.",
        "Please read our travel article for more information.", "What were the main questions?", "Were any other games fun?",
        "Go to page 8 and click on the picture.", "What are Anna's plans?", "They asked what happens to dreams that are forgotten.",
        "Who we listen to makes a difference.", "This woman and her family are here.", "I was not able to come.",
        "She did all she could to help her son.", "Did you hear her singing in the rain?", "He doesn't look his age.",
        "What did you study at college?", "It was nice seeing you again.", "I can't eat this much rice.",
        "Somebody likes tea, and somebody likes coffee.", "I watch films on my iPad.", "She helped me pack my bags.",
        "I love work that helps people.", "I love visits from friends.", "You may pick any one.", "Is any one of them free?",
        "Please place your orders online.", "I agree, my friend.", "Most developed countries are rich.",
        "The price of the books is high.", "The man with the dogs was here.", "Everything my parents say is true.",
        "Reading books is fun.", "The fact that prices rise is sad.", "Ten dollars is enough.", "Mathematics is hard.",
        "The poisoner in the novel is a doctor.", "I like the colours of the theatre.", "Where he comes from makes no difference.",
        // Near to what rules mark without the parser.
        "He opened the light wooden door.", "I open the TV cabinet every morning.", "In the other hand he held a knife.",
        "Yesterday is gone.", "I am here for two weeks.", "I wonder what is in the box.",
        "I don't know what is wrong with my phone.",
        "A knife is used to cut bread.", "She is good in that role.", "I like him since he was kind to me.",
        "He speaks very clear English.",
        "It was a best seller in Taiwan.", "What did a decision like this cost?", "These shoes were specially made for me.",
        "I have a bit of bad news.", "I got a good impression from both lecturer and friends.",
    ]) func rightSentencesAreLeftAlone(_ text: String) {
        #expect(checker.findings(in: text).isEmpty, "\(checker.findings(in: text))")
    }

    /// Changes that no rule proposes: tables do, and the parser and the word model choose.
    @Test(arguments: [
        ("Our office locate in Taipei.", "located"), ("I like shop online.", "to shop"), ("She have a dog.", "has"),
        ("It is a interesting movie.", "an"), ("There is many people.", "are"), ("I didn't saw him.", "see"),
        ("I love visit old temples.", "visiting"), ("My brother enjoy play basketball after school.", "playing"),
        ("It's make me sad.", "It makes"), ("They usually to be late.", "are"), ("I very tired today.", "am very tired"),
        ("Yes, is very difficult for me.", "it's"), ("There are buses that goes to the beach.", "go"),
        ("Many woman are working in this company.", "women"), ("He is very success in his work.", "successful"),
        ("My job is very stress.", "stressful"), ("I don't know what is it.", "it is"), ("These tools helps me a lot.", "help"),
        ("My classmates plays basketball every day.", "play"), ("My cartoon movies is the best.", "are"),
        ("We went to a lot of place last year.", "places"), ("One of my friend lives there.", "friends"),
        ("The hotel is locate in the city center.", "located"), ("I want to buy some thing for my mother.", "something"),
        ("I need to ask some body about it.", "somebody"), ("I recieved a present from my aunt.", "received"),
        ("The weather is more cold than yesterday.", "colder"), ("I need a advice.", "some advice"),
        ("The weather is hot yesterday.", "was"), ("I play piano since I was a child.", "have played"),
        ("I don't know what is your name.", "your name is"), ("I am used to get up early.", "getting"),
        ("We visited 3 temple and I eat a lot of noodles.", "ate"), ("I open the light.", "turn on"),
        ("He is good in math.", "good at"),
        ("I have lived here for 2010.", "since"), ("She is a best student in our class.", "the"),
        ("Taipei have many night markets.", "has"),
        ("My diet is worst than before.", "worse"), ("When I was a child, I like cartoons.", "liked"),
        ("I opened the air conditioner because it was hot.", "turned on"), ("He drives very careful.", "carefully"),
    ]) func mistakesAreMended(_ text: String, _ suggestion: String) {
        #expect(checker.findings(in: text).map(\.suggestion).last == suggestion)
    }

    /// Each is tried on the sentence in which the others are mended.
    @Test func mistakesOfOneSentenceAreMendedOneByOne() {
        let text = "😀 My sister work in a bank and she like her job."
        let findings = checker.findings(in: text)
        #expect(findings.map(\.suggestion) == ["works", "likes"])
        #expect(findings.map { String(text[$0.range]) } == ["work", "like"])
        for text in [
            "I recieved a beautifull present.", "She have a dog and he have a cat.", "IT'S MAKE ME SAD AND SHE HAVE A DOG.",
        ] {
            let findings = checker.findings(in: text)
            #expect(findings.count > 1 && findings.allSatisfy { text[$0.range] == $0.original }, "\(findings)")
            #expect(zip(findings, findings.dropFirst()).allSatisfy { $0.range.upperBound < $1.range.lowerBound })
        }
    }

    @Test func explanationsNameTheLearnersWords() throws {
        let finding = try #require(checker.findings(in: "It is a interesting movie.").first)
        #expect(finding.explanation.contains("an interesting"))
        #expect(checker.findings(in: "I like shop online.").first?.explanation.contains("to shop") == true)
    }

    @Test func nothingIsFoundWithoutAParser() {
        #expect(GrammarChecker(marker: nil).findings(in: "She have a dog.").isEmpty)
    }
}
