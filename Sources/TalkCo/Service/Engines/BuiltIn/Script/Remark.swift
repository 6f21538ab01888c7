/// The tutor's first words after an answer: a remark that picks up the learner's mentions, and claims nothing else.
struct Remark {
    let turn: LearnerTurn
    /// The tutor's last words, whose contents are not new.
    let tutor: String

    /// The mention to pick up: a feeling, else a new thing, else any thing that can be named; nil for none.
    var mention: LearnerTurn.Mention? {
        let mentions = turn.mentions.filter { $0.kind != .verb && (!$0.kind.isFeeling || $0.isOwn || $0.kind == .happy) }
        let hasTopic = mentions.contains { $0.kind.isTopic && !$0.isNegated }
        let feeling = mentions.first { $0.kind.isFeeling && !$0.isNegated && ($0.isOwn || !hasTopic) }
        if let feeling { return feeling }
        let said = Set(ChoiceGrammar.words(of: tutor))
        let named = mentions.filter { !$0.kind.isFeeling }
        let news = named.filter { !$0.words.allSatisfy(said.contains) }
        return (news.isEmpty ? named : news).min { rank($0) < rank($1) }
    }

    /// Returns the rank of a mention, the lowest first: names and topics come first, and denied mentions last.
    private func rank(_ mention: LearnerTurn.Mention) -> Int {
        let order: Int =
            switch mention.kind {
            case .placeName, .person, .people, .family, .food, .activity, .hobbyThing, .animal, .job: 0
            case .name: -1
            case .place, .story: 1
            case .thing, .weather: 2
            case .quality: 3
            default: 4
            }
        return order + (mention.isNegated ? 10 : 0)
    }

    /// Returns a remark; empty if every fitting remark has been made.
    func text(with phrases: inout Phrases) -> String {
        let mention = mention
        if let mention, mention.kind.isFeeling, let remark = mention.kind.remark.flatMap({ phrases.drawFresh($0) }) {
            return remark
        }
        if turn.hasReason, phrases.occurs(oneIn: 2), let remark = phrases.drawFresh(.reason) { return remark }
        if let mention, !mention.kind.isFeeling, !(turn.isWish && mention.kind == .job) {
            let canBeDenied = [.placeName, .food, .activity, .hobbyThing].contains(mention.kind)
            let phrase = mention.isNegated ? (canBeDenied ? .negated : nil) : mention.kind.remark
            if let remark = phrase.flatMap({ phrases.drawFresh($0, ["it": mention.echo]) }) { return remark.capitalizedSentence }
        }
        if let isYes = turn.polarity, let remark = phrases.drawFresh(isYes ? .yes : .no) { return remark }
        if turn.isWish, turn.words.count > 3, !turn.words.contains("rather"), let remark = phrases.drawFresh(.wish) {
            return remark
        }
        if turn.words.count > 25, let remark = phrases.drawFresh(.long) { return remark }
        return phrases.drawFresh(.neutral) ?? ""
    }
}

extension String {
    /// The text with a capital letter at the beginning.
    var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }
}
