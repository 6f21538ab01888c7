import TalkCoWire

extension CEFRLevel {
    /// The level after the judgement of one talk: one step nearer to it at most. One talk does not make a beginner of an advanced learner.
    func step(toward judged: CEFRLevel) -> CEFRLevel {
        let all = CEFRLevel.allCases
        guard let from = all.firstIndex(of: self), let to = all.firstIndex(of: judged) else { return judged }
        return all[from + min(max(to - from, -1), 1)]
    }
}
