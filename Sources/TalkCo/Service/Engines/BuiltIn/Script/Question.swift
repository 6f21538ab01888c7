/// A question of the scripted tutor, with sentences that answer it and questions that follow up.
struct Question: Hashable, Sendable {
    /// In natural English, level A2 to B1.
    var ask: String
    /// The question for a beginner, or for a learner who did not understand it.
    var easier: String
    /// Sentences that the learner may read aloud: an easy one first, the richest last.
    var answers: [String]
    var followUps: [FollowUp]
    /// Words and phrases, in small letters, with which a learner has answered the question before it was asked.
    var known: [String]
}

/// A question that picks up on an answer.
struct FollowUp: Hashable, Sendable {
    /// The answers to which a follow-up fits.
    struct Trigger: Hashable, Sendable {
        /// An answer with one of these words, in small letters.
        var words: Set<String> = []
        var yes = false
        var no = false
        /// Any answer that says something and is not a “no”.
        var anything = false
    }

    var trigger: Trigger
    /// In a follow-up to a kind of word, `{it}` stands for the word.
    var ask: String
    var answers: [String]
}

/// The script of a topic.
struct TopicScript: Hashable, Sendable {
    /// The topic in a sentence: "talk about … today".
    var subject: String
    var questions: [Question]
}

/// A question of the learner to the tutor.
struct Inquiry: Hashable, Sendable {
    /// Found in any sentence.
    var phrases: [String]
    /// Found in questions.
    var questions: [String]
    var answers: [String]
}

/// A learner's remark about the talk itself: `act:` in acts.txt.
enum Act: String, CaseIterable, Sendable {
    case end
    case slower
    case `repeat`
    case easier
    case example
    case noIdea = "no-idea"
    case skip
    case already
    case wrong
    case wait
    case thanks
    case hello
    case mayIAsk = "may-i-ask"
    case danger
    case grief
}

/// A sentence to practise.
struct Drill: Hashable, Sendable {
    var wrong: String
    var correct: String
    /// True if the learner is asked for the right sentence, and not told.
    var isQuestion = false
}
