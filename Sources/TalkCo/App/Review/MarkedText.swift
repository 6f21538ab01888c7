import SwiftUI
import TalkCoWire

/// The learner's words, with the marked parts in the colours of their issue types.
struct MarkedText: View {
    let text: String
    let marks: [Mark]
    @Environment(\.colorScheme) private var scheme

    var body: some View { Text(content).font(.body).lineSpacing(3) }

    private var content: AttributedString {
        var content = AttributedString(text)
        for mark in marks {
            // A mark that does not occur in the text stays without a highlight; its card explains it.
            guard let range = content.range(of: mark.original) else { continue }
            let colors = IssueColors(mark.issueTypes.lazy.compactMap(IssueType.init).first, scheme)
            content[range].backgroundColor = colors.fill
            content[range].foregroundColor = colors.text
            content[range].underlineStyle = .single
        }
        return content
    }
}
