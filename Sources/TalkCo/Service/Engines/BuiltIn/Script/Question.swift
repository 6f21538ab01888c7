/// A question of the scripted tutor, with sentences that answer it and questions that follow up.
struct Question: Hashable, Sendable {
    /// In natural English, level A2 to B1.
    var ask: String
    /// The question for a learner who did not understand it, or who is a beginner.
    var easier: String
    /// Sentences that the learner may read aloud: an easy one first, the richest last.
    var answers: [String]
    var followUps: [FollowUp]

    init(_ ask: String, easier: String, _ answers: [String], _ followUps: [FollowUp] = []) {
        self.ask = ask
        self.easier = easier
        self.answers = answers
        self.followUps = followUps
    }
}

/// A question that picks up on an answer.
struct FollowUp: Hashable, Sendable {
    /// The answers to which the question fits.
    enum Trigger: Hashable, Sendable {
        case yes
        case no
        /// An answer with one of these words, separated by spaces.
        case words(String)
        case anything
    }

    var trigger: Trigger
    var ask: String
    var answers: [String]

    init(_ trigger: Trigger, _ ask: String, _ answers: [String]) {
        self.trigger = trigger
        self.ask = ask
        self.answers = answers
    }
}

/// The script of a topic.
struct TopicScript: Sendable {
    /// The topic in a sentence: "talk about … today".
    var subject: String
    var questions: [Question]
}
