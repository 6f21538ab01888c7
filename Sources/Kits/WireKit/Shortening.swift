extension StringProtocol {
    /// Returns the longest prefix of whole characters with at most `count` Unicode scalar values.
    ///
    /// A first character with more scalars is cut, since a character may have any number of them.
    public func prefix(scalars count: Int) -> String {
        guard let end = unicodeScalars.index(unicodeScalars.startIndex, offsetBy: count, limitedBy: unicodeScalars.endIndex) else {
            return String(self)
        }
        let cut = wholeCharacters(upTo: end)
        return String(self[..<(cut > startIndex ? cut : end)])
    }

    /// Returns the longest prefix of whole characters with at most `count` bytes of UTF-8. The prefix may be empty.
    public func prefix(utf8 count: Int) -> String {
        guard let end = utf8.index(utf8.startIndex, offsetBy: count, limitedBy: utf8.endIndex) else { return String(self) }
        return String(self[..<wholeCharacters(upTo: end)])
    }

    /// Returns the last boundary between characters at or before a position.
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
