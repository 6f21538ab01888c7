/// A question of the scripted tutor, with sentences that answer it and questions that follow up.
struct Question: Hashable, Sendable {
    /// The question in natural English, level A2 to B1.
    var ask: String
    /// The question for a beginner, or for a learner who did not understand it.
    var easier: String
    /// Sentences that the learner may read aloud: an easy one first, the richest last.
    var answers: [String]
    var followUps: [FollowUp]
    /// Words and phrases, in lowercase, with which a learner has answered the question before it was asked.
    var known: [String]
}

/// A question that picks up on an answer.
struct FollowUp: Hashable, Sendable {
    /// The answers to which a follow-up fits.
    struct Trigger: Hashable, Sendable {
        /// The words, in lowercase, of which an answer contains one.
        var words: Set<String> = []
        var yes = false
        var no = false
        /// True if any answer fits that says something and is not a “no”.
        var anything = false
    }

    var trigger: Trigger
    /// The question. In a follow-up to a kind of word, `{it}` stands for the word.
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
    /// The words that identify the question in any sentence.
    var phrases: [String]
    /// The words that identify the question only in questions.
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
    /// True if the tutor asks for the right sentence without saying it.
    var isQuestion = false
}
