extension StringProtocol {
    /// The longest beginning of whole characters with at most `count` Unicode scalar values.
    ///
    /// A single character of more scalars than that is cut: such a text has no end otherwise.
    public func prefix(scalars count: Int) -> String {
        guard let end = unicodeScalars.index(unicodeScalars.startIndex, offsetBy: count, limitedBy: unicodeScalars.endIndex) else {
            return String(self)
        }
        let cut = wholeCharacters(upTo: end)
        return String(self[..<(cut > startIndex ? cut : end)])
    }

    /// The longest beginning of whole characters with at most `count` bytes of UTF-8. May be empty.
    public func prefix(utf8 count: Int) -> String {
        guard let end = utf8.index(utf8.startIndex, offsetBy: count, limitedBy: utf8.endIndex) else { return String(self) }
        return String(self[..<wholeCharacters(upTo: end)])
    }

    /// The last boundary between characters at or before a position.
    private func wholeCharacters(upTo end: Index) -> Index {
        var cut = startIndex
        while cut < end {
            let next = index(after: cut)
            if next > end { break }
            cut = next
        }
        return cut
    }
}
