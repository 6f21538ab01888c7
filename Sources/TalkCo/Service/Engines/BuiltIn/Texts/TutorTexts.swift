import Foundation
package import ServerKit
import TalkCoWire
import WireKit

/// The texts of the built-in tutor and judge, from the files in `Resources/Tutor`.
///
/// Format: `Docs/Tutor-Texts.md`.
package struct TutorTexts: Sendable {
    var topics: [String: TopicScript] = [:]
    /// The words that the tutor notices, by their lowercase form.
    var words: [String: ListedWord] = [:]
    var phrases: [Phrase: [String]] = [:]
    var acts: [Act: [String]] = [:]
    var inquiries: [Inquiry] = []
    /// The meanings of words, by word in lowercase.
    var meanings: [String: String] = [:]
    var followUps: [Detail: [FollowUp]] = [:]
    var drills: [Drill] = []
    var rephrasings: [Rephrasing] = []
    var facts = FactPhrases()
    var patterns = RulePatterns()

    /// The folder of the texts; nil if it is missing.
    static var folder: URL? { Bundle.module.url(forResource: "Tutor", withExtension: nil) }

    /// The texts of this program; read once.
    private static let read = Result<TutorTexts, StartupError> { () throws(StartupError) in
        guard let folder else {
            throw StartupError("The built-in tutor's texts are missing")
        }
        do throws(TutorTextsError) { return try TutorTexts(in: folder) } catch { throw StartupError(error.description) }
    }

    /// Returns the texts of this program.
    ///
    /// - Throws: `StartupError` with every mistake in the files.
    package static func installed() throws(StartupError) -> TutorTexts { try read.get() }

    /// Reads and checks the texts in a folder.
    ///
    /// - Throws: ``TutorTextsError`` with every mistake in the files.
    init(in folder: URL) throws(TutorTextsError) {
        var reader = TutorTextsReader(folder: folder)
        self = reader.read()
        if !reader.problems.isEmpty { throw TutorTextsError(problems: reader.problems) }
    }

    init() {}

    /// Returns the script of a topic; the script of daily life for an unknown topic.
    func topic(_ topic: Topic?) -> TopicScript {
        topic.flatMap { topics[$0.id.rawValue] } ?? topics["daily_life"] ?? TopicScript(subject: "", questions: [])
    }

    /// Returns true for a sentence that the tutor offers to read aloud in some talk.
    func isOffered(_ sentence: String) -> Bool { offered.contains(ChoiceGrammar.words(of: sentence)) }

    /// The words of the sentences that the tutor offers.
    private(set) var offered: Set<[String]> = []

    mutating func collectOffered() {
        var sentences: [String] = []
        for question in topics.values.flatMap(\.questions) {
            sentences += question.answers
            sentences += question.followUps.flatMap(\.answers)
        }
        sentences += followUps.values.joined().flatMap(\.answers)
        for phrase in Phrase.allCases where phrase.isChoices { sentences += phrases[phrase] ?? [] }
        offered = Set(sentences.map { ChoiceGrammar.words(of: $0) })
    }
}

/// A word that the tutor notices.
struct ListedWord: Hashable, Sendable {
    var kind: Detail
    var spelling: String
    /// True for a noun that is a verb as well, and a noun only after "a", "the", "my": written "the book" in words.txt.
    var needsDeterminer: Bool
}
