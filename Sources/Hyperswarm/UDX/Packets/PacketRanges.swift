/// A set of packet numbers as sorted, disjoint, non-adjacent half-open ranges.
///
/// Holds the packets above a gap: at the receiver those that arrived, at the sender those that the peer reported.
struct PacketRanges: Sendable {
    private(set) var ranges: [Range<PacketNumber>] = []

    var isEmpty: Bool { ranges.isEmpty }
    var count: Int { ranges.count }

    /// Returns the index of the first range that ends above `number`.
    private func index(above number: PacketNumber) -> Int {
        // Packets mostly arrive in order, so the last range is the likely one.
        guard let last = ranges.last else { return 0 }
        if number >= last.upperBound { return ranges.count }
        if number >= last.lowerBound { return ranges.count - 1 }
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func contains(_ number: PacketNumber) -> Bool {
        let index = index(above: number)
        return index < ranges.count && ranges[index].lowerBound <= number
    }

    /// Returns the index of the range that holds `number`; nil if none does.
    func indexOfRange(holding number: PacketNumber) -> Int? {
        let index = index(above: number)
        return index < ranges.count && ranges[index].lowerBound <= number ? index : nil
    }

    /// Adds one number. Returns true if it is new.
    mutating func insert(_ number: PacketNumber) -> Bool {
        let index = index(above: number)
        if index < ranges.count, ranges[index].lowerBound <= number { return false }
        let joinsLower = index > 0 && ranges[index - 1].upperBound == number
        let joinsUpper = index < ranges.count && ranges[index].lowerBound == number + 1
        switch (joinsLower, joinsUpper) {
        case (true, true):
            ranges[index - 1] = ranges[index - 1].lowerBound..<ranges[index].upperBound
            ranges.remove(at: index)
        case (true, false):
            ranges[index - 1] = ranges[index - 1].lowerBound..<(number + 1)
        case (false, true):
            ranges[index] = number..<ranges[index].upperBound
        case (false, false):
            ranges.insert(number..<(number + 1), at: index)
        }
        return true
    }

    /// Returns the parts of `range` that are not in the set yet, in order.
    func missing(in range: Range<PacketNumber>) -> [Range<PacketNumber>] {
        var index = index(above: range.lowerBound)
        if index < ranges.count, ranges[index].lowerBound <= range.lowerBound, ranges[index].upperBound >= range.upperBound {
            return []
        }
        var result: [Range<PacketNumber>] = []
        var position = range.lowerBound
        while index < ranges.count, ranges[index].lowerBound < range.upperBound {
            if position < ranges[index].lowerBound { result.append(position..<ranges[index].lowerBound) }
            position = Swift.max(position, ranges[index].upperBound)
            index += 1
        }
        if position < range.upperBound { result.append(position..<range.upperBound) }
        return result
    }

    /// Adds all numbers of `range`.
    mutating func insert(_ range: Range<PacketNumber>) {
        guard !range.isEmpty else { return }
        var lower = range.lowerBound
        var upper = range.upperBound
        // Adjacent ranges join as well, hence the one below the lower bound.
        let first = index(above: lower - 1)
        var last = first
        while last < ranges.count, ranges[last].lowerBound <= upper {
            lower = Swift.min(lower, ranges[last].lowerBound)
            upper = Swift.max(upper, ranges[last].upperBound)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: CollectionOfOne(lower..<upper))
    }

    /// Removes all numbers below `number`.
    mutating func removeAll(below number: PacketNumber) {
        guard let first = ranges.first, first.lowerBound < number else { return }
        let index = index(above: number)
        ranges.removeFirst(index)
        if let first = ranges.first, first.lowerBound < number { ranges[0] = number..<first.upperBound }
    }
}
