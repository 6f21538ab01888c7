/// The visibility of the input. The row at the lower edge decides: hidden on the way up, shown on the way down and at the end.
///
/// Hiding or showing the input or the keyboard changes the height of the transcript, so that another row is at the edge without
/// scrolling. For ``settling`` after such a change, a row only becomes the new start.
struct ComposerVisibility {
    /// Time in which the layout settles after a change.
    static let settling = Duration.milliseconds(500)

    private(set) var isShown = true
    /// The last row at the edge. Scroll views do not report their initial position, which is the end.
    private var edge = TranscriptPlace.end
    private var lastChange: ContinuousClock.Instant?

    /// Records the row at the lower edge.
    mutating func scrolled(to place: TranscriptPlace, isEnd: Bool, at time: ContinuousClock.Instant) {
        // The index of the last entry grows while the end stays in sight.
        defer { edge = isEnd ? .end : place }
        if isEnd { return set(true, at: time) }
        if let lastChange, time - lastChange < Self.settling { return }
        guard place != edge else { return }
        set(place > edge, at: time)
    }

    /// Records a change of the layout without scrolling, such as that of the keyboard.
    mutating func layoutChanged(at time: ContinuousClock.Instant) { lastChange = time }

    private mutating func set(_ isShown: Bool, at time: ContinuousClock.Instant) {
        guard isShown != self.isShown else { return }
        self.isShown = isShown
        lastChange = time
    }
}

/// The position of a row in a transcript.
struct TranscriptPlace: Hashable, Comparable {
    /// The index of the entry.
    let entry: Int
    /// The index of the row in the entry.
    let part: Int

    static let end = TranscriptPlace(entry: .max, part: 0)

    static func < (a: Self, b: Self) -> Bool { (a.entry, a.part) < (b.entry, b.part) }
}

/// The identity of a row in a transcript.
struct RowID: Hashable {
    /// The ``ChatEntry/id``.
    let entry: String
    /// The index of the row in the entry. 0 is the entry itself.
    let part: Int

    /// The row behind the last entry.
    static let end = RowID(entry: "", part: 0)
}
