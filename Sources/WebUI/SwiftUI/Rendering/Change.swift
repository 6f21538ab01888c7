import Glibc

/// One operation that updates the page to the state of the tree.
package enum Change {
    /// Replaces everything with this tree.
    case replaced(Element)
    /// Appends this suffix to the text.
    case appended(Element, String)
    /// Changes the style or some attributes.
    case updated(Element, style: Bool, attributes: [(AttributeName, AttributeValue?)])
    case flags(Element)
    case inserted(Element, parent: Element, before: Element?)
    case moved(Element, parent: Element, before: Element?)
    case removed(Int)
}

extension Element {
    /// Appends the difference between this element and the page.
    func collectPatch(into changes: inout [Change]) {
        guard let shown else { return }
        let isRestyled = style != shown.style
        var patch: [(AttributeName, AttributeValue?)] = []
        for (name, value) in attributes where shown.attributes[name] != value {
            if name == .text, let suffix = value.text?.suffix(after: shown.attributes[.text]?.text) {
                changes.append(.appended(self, suffix))
            } else {
                patch.append((name, value))
            }
        }
        for (name, _) in shown.attributes where attributes[name] == nil { patch.append((name, nil)) }
        if isRestyled || !patch.isEmpty { changes.append(.updated(self, style: isRestyled, attributes: patch)) }
        if flags != shown.flags { changes.append(.flags(self)) }
    }

    /// Appends the difference between the lists of children. Removes missing children, keeps the longest run that is still in order, and moves the rest.
    func collectChildChanges(into changes: inout [Change]) {
        guard let old = shown?.children else { return }
        let new = pageChildren
        guard !(old.count == new.count && zip(old, new).allSatisfy({ $0 === $1 })) else { return }
        let kept = Set(new.map(\.id))
        var places: [Int: Int] = [:]
        for (place, child) in old.enumerated() {
            if kept.contains(child.id) { places[child.id] = place } else { changes.append(.removed(child.id)) }
        }
        let staying = Set(longestIncreasing(new.compactMap { places[$0.id] }))
        var next: Element?
        // From the end, so that the following sibling is already in place.
        for child in new.reversed() {
            if let place = places[child.id] {
                if !staying.contains(place) { changes.append(.moved(child, parent: self, before: next)) }
            } else {
                child.putOnPage()
                changes.append(.inserted(child, parent: self, before: next))
            }
            next = child
        }
    }
}

extension String {
    /// Returns the rest after `start`; nil unless the string is longer and begins with exactly the bytes of `start`.
    fileprivate func suffix(after start: String?) -> String? {
        guard let start, !start.isEmpty, utf8.count > start.utf8.count else { return nil }
        // A comparison of collections would take as long as the rest of the work for a streamed token.
        var (whole, beginning) = (self, start)
        let isPrefix = whole.withUTF8 { whole in
            beginning.withUTF8 { beginning in memcmp(whole.baseAddress!, beginning.baseAddress!, beginning.count) == 0 }
        }
        guard isPrefix else { return nil }
        return String(self[utf8.index(utf8.startIndex, offsetBy: start.utf8.count)...])
    }
}

/// Returns a longest increasing subsequence of `values`, which are distinct. O(n log n).
package func longestIncreasing(_ values: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for (index, value) in values.enumerated() {
        var low = 0
        var high = tails.count
        while low < high {
            let middle = (low + high) / 2
            if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
        }
        if low > 0 { previous[index] = tails[low - 1] }
        if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var result: [Int] = []
    var current = tails.last
    while let index = current {
        result.append(values[index])
        current = previous[index]
    }
    return result.reversed()
}
