/// The runs of backticks in a text, and the pairs that enclose code.
struct CodeSpans {
    /// The lengths of the runs by the offsets at which they start.
    private var lengths: [Int: Int] = [:]
    /// The start of the next run of the same length, by the start of each run.
    private var partners: [Int: Int] = [:]
    private var lastStart: Int?

    init(_ bytes: ArraySlice<UInt8>) {
        let backtick = UInt8.backtick
        var last: [Int: Int] = [:]
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == backtick else {
                index += 1
                continue
            }
            let start = index
            while index < bytes.endIndex, bytes[index] == backtick { index += 1 }
            lengths[start] = index - start
            lastStart = start
            if let opener = last.updateValue(start, forKey: index - start) { partners[opener] = start }
        }
    }

    /// Returns the length of the run that starts at an offset; 1 for the rest of a run.
    func length(at start: Int) -> Int { lengths[start] ?? 1 }

    /// True if no other run follows the run that starts at an offset.
    func isLast(_ start: Int) -> Bool { lastStart == start }

    /// Returns the offset after the closing run of a span; nil if the run at `start` opens none.
    func end(openedAt start: Int) -> Int? {
        partners[start].map { $0 + length(at: $0) }
    }
}
