import TalkCoWire

extension CEFRLevel {
    /// Returns the level after the judgement of one talk, which moves it by at most one step: a single talk proves little.
    func step(toward judged: CEFRLevel) -> CEFRLevel {
        let all = CEFRLevel.allCases
        guard let from = all.firstIndex(of: self), let to = all.firstIndex(of: judged) else { return judged }
        return all[from + min(max(to - from, -1), 1)]
    }
}
