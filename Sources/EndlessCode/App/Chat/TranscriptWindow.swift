/// The entries of a conversation that have rows. Their count is bounded, also if an agent works for days.
struct TranscriptWindow: Hashable {
    /// Maximum entries with rows, and the count that stays when the oldest leave. ``showEarlier()`` adds the latter count.
    static let (maximumCount, keptCount) = (1000, 500)

    /// Count of entries before the first one that has a row.
    private(set) var hiddenCount = 0

    /// Adapts the window to a change of the entries.
    ///
    /// - Parameter isAtEnd: True if the newest entry is in sight. Otherwise all rows stay, as the user may be reading any of them.
    mutating func update(entryCount: Int, isAtEnd: Bool) {
        if hiddenCount >= entryCount { hiddenCount = 0 }
        if isAtEnd, entryCount - hiddenCount > Self.maximumCount { hiddenCount = entryCount - Self.keptCount }
    }

    /// Shows some of the entries before the first row.
    mutating func showEarlier() { hiddenCount = max(0, hiddenCount - Self.keptCount) }
}
