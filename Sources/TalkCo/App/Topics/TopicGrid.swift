import SwiftUI
import TalkCoWire

/// The topics in two columns.
struct TopicGrid: View {
    let topics: [Topic]
    let choose: (Topic) -> Void

    private let columns = [GridItem(.flexible(), spacing: 14), GridItem(.flexible(), spacing: 14)]

    var body: some View {
        LazyVGrid(columns: columns, spacing: 14) {
            ForEach(topics) { topic in TopicCard(topic: topic) { choose(topic) } }
        }
    }
}
