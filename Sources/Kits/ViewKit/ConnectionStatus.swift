package import SwiftUI

/// A view of the status of an app's own connection.
///
/// A browser page that has lost its box cannot know the status any more, because the box has the connection. The page then shows
/// and speaks `unknown` in place of good news. An iPhone has the connection itself.
package struct ConnectionStatus<Status: Equatable, Content: View>: View {
    private let status: Status
    private let goodNews: [Status]
    private let unknown: Status
    private let content: (Status) -> Content

    /// - Parameters:
    ///   - goodNews: The statuses of a working connection.
    ///   - unknown: The status that is shown in their place, such as *connecting*.
    package init(
        _ status: Status, goodNews: Status..., unknown: Status, @ViewBuilder content: @escaping (Status) -> Content
    ) {
        (self.status, self.goodNews, self.unknown, self.content) = (status, goodNews, unknown, content)
    }

    package var body: some View {
        #if os(Linux)
            if goodNews.contains(status) {
                content(status).shown(while: .reached)
                content(unknown).shown(while: .away)
            } else {
                content(status)
            }
        #else
            content(status)
        #endif
    }
}
