import TalkCoWire

/// The reason why a learner has no level yet.
struct LevelProgress {
    let status: LevelStatus

    init(_ known: KnownProfile, judge: any TextJudge) {
        var status = LevelStatus(.noTalk)
        if known.statuses.contains(.completing) {
            status = LevelStatus(.completing)
        } else if known.statuses.first == .reviewing {
            status = LevelStatus(.reviewing)
        } else if known.profile.profileData.sessionCount > 0 {
            status = LevelStatus(.notJudged)
            if let words = judge.levelWords(in: known.sentences), words.count < words.needed {
                status = LevelStatus(.tooShort, wordCount: words.count, wordsNeeded: words.needed)
            }
        } else if known.statuses.contains(where: { $0 != .active }) {
            status = LevelStatus(.reviewed)
        }
        self.status = status
    }
}
