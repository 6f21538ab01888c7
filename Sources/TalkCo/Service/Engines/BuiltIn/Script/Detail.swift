/// A kind of word that the tutor notices in an answer: `words:` in words.txt and `kind:` in follow-ups.txt.
enum Detail: String, CaseIterable, Sendable {
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
    /// A name that no list contains.
    case name
    case weather
    case happy
    case sad
    case tired
    case worried
    case angry
    case ill
    case quality
    /// A time or a frequency: “at seven”, “three times a week”, “sometimes”.
    case amount
    /// A word without a remark, which only shows that the learner said something.
    case verb

    /// The list of remarks on the kind; nil if there is none.
    var remark: Phrase? { Phrase(rawValue: rawValue) }

    /// True for a feeling or a state of the learner.
    var isFeeling: Bool { [.happy, .sad, .tired, .worried, .angry, .ill].contains(self) }

    /// True for a detail to which the tutor can return later.
    var isTopic: Bool { [.placeName, .place, .person, .people, .food, .activity, .hobbyThing, .story, .animal].contains(self) }

    /// True if the kind has a list of words.
    var isListed: Bool { self != .name }
}
