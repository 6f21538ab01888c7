/// The entries of a conversation that have rows: an agent that works for days leaves a bounded number of them on the screen.
struct TranscriptWindow: Hashable {
    /// The number of entries above which the oldest rows leave, and the number that stays. Also the number of those that come back at once.
    static let (maximumCount, keptCount) = (1000, 500)

    /// The number of entries before the first one that has a row.
    private(set) var hiddenCount = 0

    /// Takes note of a change of the entries.
    ///
    /// - Parameter isAtEnd: True if the newest entry is in sight. Otherwise the rows stay, since their reader may be anywhere in them.
    mutating func update(entryCount: Int, isAtEnd: Bool) {
        if hiddenCount >= entryCount { hiddenCount = 0 }
        if isAtEnd, entryCount - hiddenCount > Self.maximumCount { hiddenCount = entryCount - Self.keptCount }
    }

    /// Shows some of the entries before the first row.
    mutating func showEarlier() { hiddenCount = max(0, hiddenCount - Self.keptCount) }
}
