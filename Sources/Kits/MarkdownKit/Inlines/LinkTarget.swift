/// The part of a link in parentheses: an address and an optional title.
struct LinkTarget {
    /// The URL; nil if the address is unfinished, or must not be opened.
    let url: String?
    /// Count of bytes after the opening parenthesis, including the closing one.
    let length: Int

    /// Reads a target after its opening parenthesis, and returns the count of visited bytes as well.
    ///
    /// - Parameter isOpen: True if the text may continue: an unfinished target is then a link without a URL, up to the end.
    static func read(_ text: ArraySlice<UInt8>, isOpen: Bool) -> (target: LinkTarget?, visited: Int) {
        var reader = Reader(text)
        let address = reader.target()
        let visited = reader.index - text.startIndex
        guard let address else {
            return (isOpen && reader.isAtEnd ? LinkTarget(url: nil, length: text.count) : nil, visited)
        }
        return (LinkTarget(url: SafeURL.read(address[...]), length: visited), visited)
    }

    private struct Reader {
        private let text: ArraySlice<UInt8>
        private(set) var index: Int

        init(_ text: ArraySlice<UInt8>) {
            self.text = text
            index = text.startIndex
        }

        var isAtEnd: Bool { index == text.endIndex }
        private var next: UInt8? { isAtEnd ? nil : text[index] }

        /// Reads up to the closing parenthesis, and returns the address without escapes.
        mutating func target() -> [UInt8]? {
            skipSpace()
            guard let address = next == .ascii("<") ? angleAddress() : address() else { return nil }
            let end = index
            skipSpace()
            if index > end, let quote = next, quote != .ascii(")") {
                guard title(quote) else { return nil }
                skipSpace()
            }
            guard next == .ascii(")") else { return nil }
            index += 1
            return address
        }

        private mutating func skipSpace() {
            while let byte = next, byte.isBlank || byte == .lineFeed { index += 1 }
        }

        private mutating func angleAddress() -> [UInt8]? {
            var address: [UInt8] = []
            index += 1
            while let byte = next {
                index += 1
                switch byte {
                case .ascii(">"): return address
                case .ascii("<"), .lineFeed: return nil
                case .backslash where next?.isPunctuation ?? false:
                    address.append(text[index])
                    index += 1
                default: address.append(byte)
                }
            }
            return nil
        }

        private mutating func address() -> [UInt8]? {
            var address: [UInt8] = []
            var depth = 0
            while let byte = next {
                switch byte {
                case .ascii("("):
                    depth += 1
                    guard depth <= Limits.depth else { return nil }
                case .ascii(")"):
                    if depth == 0 { return address }
                    depth -= 1
                case .backslash where index + 1 < text.endIndex && text[index + 1].isPunctuation: index += 1
                case _ where byte <= .space: return depth == 0 ? address : nil
                default: break
                }
                address.append(text[index])
                index += 1
            }
            return nil
        }

        private mutating func title(_ quote: UInt8) -> Bool {
            guard quote == .ascii("\"") || quote == .ascii("'") || quote == .ascii("(") else { return false }
            let end: UInt8 = quote == .ascii("(") ? .ascii(")") : quote
            index += 1
            while let byte = next {
                index += 1
                if byte == end { return true }
                if byte == .ascii("("), quote == byte { return false }
                if byte == .backslash, !isAtEnd { index += 1 }
            }
            return false
        }
    }
}
