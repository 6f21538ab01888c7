import TalkCoWire

/// The reason why a learner has no level yet.
struct LevelProgress {
    let status: LevelStatus

    init(_ known: KnownProfile, judge: any TextJudge) {
        var status = LevelStatus(.noTalk)
        let words = judge.levelWords(in: known.sentences).flatMap { $0.count < $0.needed ? $0 : nil }
        if known.statuses.contains(.completing) {
            status = LevelStatus(.completing)
        } else if known.statuses.first == .reviewing {
            status = LevelStatus(.reviewing)
        } else if known.statuses.contains(where: { $0 != .active }) || known.profile.profileData.sessionCount > 0 {
            // A talk that is too short for a level is reported at once, and not only when its review is ended.
            if let words {
                status = LevelStatus(.tooShort, wordCount: words.count, wordsNeeded: words.needed)
            } else {
                status = LevelStatus(known.profile.profileData.sessionCount > 0 ? .notJudged : .reviewed)
            }
        }
        self.status = status
    }
}
