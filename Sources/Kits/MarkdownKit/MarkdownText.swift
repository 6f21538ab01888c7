/// Text with styles and links, as runs of equal appearance.
package struct MarkdownText: Hashable, Sendable {
    /// Nonempty runs; adjacent ones differ in style or link. At most 1,000: text beyond that has no styles.
    package let runs: [MarkdownRun]

    /// The characters without their styles.
    package var plainText: String { runs.map(\.text).joined() }

    /// True if the first letter belongs to a script that is written from right to left, such as Arabic or Hebrew.
    package var isRightToLeft: Bool {
        for run in runs {
            for scalar in run.text.unicodeScalars where scalar.properties.isAlphabetic {
                switch scalar.value {
                case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
                default: return false
                }
            }
        }
        return false
    }
}

/// A part of a text with one style and at most one link.
package struct MarkdownRun: Hashable, Sendable {
    /// The characters. A line feed is a hard line break.
    package let text: String
    package let styles: MarkdownStyles
    /// An absolute URL with the scheme `http`, `https` or `mailto`; nil without a link.
    package let link: String?
}

/// A combination of styles.
package struct MarkdownStyles: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let emphasis = Self(rawValue: 1)
    package static let strong = Self(rawValue: 2)
    package static let strikethrough = Self(rawValue: 4)
    package static let code = Self(rawValue: 8)
}
