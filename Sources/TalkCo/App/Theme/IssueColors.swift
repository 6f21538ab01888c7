import SwiftUI
import TalkCoWire
import ViewKit

/// The colours of a dimension: grammar red, naturalness orange, vocabulary blue, sentence structure purple, others neutral.
struct IssueColors: Hashable {
    let text: Color
    let fill: Color
    /// The colour of bars and lines.
    let strong: Color

    private init(_ text: UInt32, _ fill: UInt32, _ strong: UInt32) {
        (self.text, self.fill, self.strong) = (Color(hex: text), Color(hex: fill), Color(hex: strong))
    }

    /// - Parameter type: Nil for a type that this version does not know.
    init(_ type: IssueType?, _ scheme: ColorScheme) {
        let isDark = scheme == .dark
        self =
            switch type {
            case .grammar: isDark ? Self(0xFFC4BE, 0x54211D, 0xF0857B) : Self(0x97211A, 0xFADFDC, 0xCF3B31)
            case .naturalness: isDark ? Self(0xFFD3A1, 0x4F3208, 0xEFA04A) : Self(0x7D4300, 0xFBE6C9, 0xC96F08)
            case .vocabulary: isDark ? Self(0xB9D6FF, 0x173A63, 0x6FA8F0) : Self(0x114A8F, 0xDCE9FA, 0x2F74CC)
            case .sentenceStructure: isDark ? Self(0xE3C8FF, 0x432360, 0xB78AE6) : Self(0x632991, 0xEEE0F9, 0x8A49BD)
            case nil: isDark ? Self(0xDAD4C8, 0x3A372F, 0x9A9385) : Self(0x4B463C, 0xE5DFD2, 0x847C6D)
            }
    }
}
