import Foundation

/// The text of a sentence for a voice: without markup, list markers, addresses, emoji and invisible characters.
enum SpeechText {
    /// - Returns: Empty if there is nothing to say.
    static func of(_ sentence: some StringProtocol) -> String {
        var text = withoutListMarks(String(sentence))
        // Links and pictures become their text, and other addresses become "the link".
        text.replace(/!?\[([^\]\[]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/) { String($0.1) }
        text.replace(
            /<?(?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp]):\/\/[^\s<>]*[^\s<>.,;:!?)\]"'”’*_`。，]>?|<?[Ww]{3}\.[^\s<>]*[^\s<>.,;:!?)\]"'”’*_`。，]>?/,
            with: "the link")
        text.replace(/([A-Za-z0-9_.+-]+)@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)/) { match in
            "\(match.1) at \(match.2)".replacing(".", with: " dot ")
        }
        text.replace(/<\/?[A-Za-z][^<>]*>/, with: " ")
        text = text.trimmingCharacters(in: CharacterSet(charactersIn: "| ")).replacing("|", with: ", ")
        text = String(text.compactMap(spoken))
        var words = text.split(whereSeparator: \.isWhitespace).filter { !isEmoticon($0) }
        // A mark that has lost its word: "Well 🎉 !"
        for index in words.indices.dropFirst().reversed() where words[index].allSatisfy({ ".,;:!?".contains($0) }) {
            let mark = words.remove(at: index)
            if words[index - 1].last.map({ !".,;:!?".contains($0) }) == true { words[index - 1] += mark.prefix(1) }
        }
        while words.first?.allSatisfy({ ".,;:!?".contains($0) }) == true { words.removeFirst() }
        let result = words.joined(separator: " ")
        return result.contains { $0.isLetter || $0.isNumber } ? result : ""
    }

    /// True for the mark of a numbered list: "1." to "99.".
    static func isListNumber(_ word: Substring) -> Bool { word.wholeMatch(of: /\d{1,2}\./) != nil }

    /// A line without the marks of lists, quotations and headings at its beginning.
    private static func withoutListMarks(_ line: String) -> String {
        var line = line.drop(while: \.isWhitespace)
        while let mark = line.prefixMatch(
            of: /(?:[-*+•‣◦▪●○■□–—·]|#{1,6}|>+|\*{0,2}\(?\d{1,2}[.)]\*{0,2}|\(?[A-Za-z]\)|\[[ xX]\])\s+|>+/)
        {
            line = line[mark.range.upperBound...].drop(while: \.isWhitespace)
        }
        return String(line)
    }

    /// - Returns: nil for a character without a sound; a space for one that stands between words.
    private static func spoken(_ character: Character) -> Character? {
        if "*_#`~".contains(character) { return nil }
        if character.unicodeScalars.contains(where: isPicture) { return " " }
        let scalars = character.unicodeScalars.filter { !isInvisible($0) }
        guard scalars.count < character.unicodeScalars.count else { return character }
        return String(String.UnicodeScalarView(scalars)).first
    }

    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Keycaps, arrows, technical signs, shapes, dingbats, and all planes of pictures.
        case 0x20E3, 0x2190...0x21FF, 0x2300...0x23FF, 0x2460...0x27BF, 0x2900...0x297F, 0x2B00...0x2BFF, 0x1F000...0x1FBFF: true
        default: scalar.properties.isEmojiPresentation
        }
    }

    /// Variation selectors, joiners, marks of direction and other characters of format; private characters.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .privateUse, .unassigned, .surrogate: true
        case .control: !scalar.properties.isWhitespace
        default: 0xFE00...0xFE0F ~= scalar.value
        }
    }

    private static func isEmoticon(_ word: Substring) -> Bool {
        word.wholeMatch(of: /[:;=][-'^o]?[)(DPpOo3|\/\\\[\]]{1,3}[.,!?]?|[xX]D+|<3|\^_?\^|[-=]+>|<[-=]+/) != nil
    }
}
