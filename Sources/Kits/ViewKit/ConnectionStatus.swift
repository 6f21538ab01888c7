package import SwiftUI

/// The status of an app's own connection.
///
/// A page in a browser that has lost its box cannot know the status any more: the box has the connection. Good news then gives way to `unknown`, in
/// what is seen and in what is spoken. An iPhone has the connection itself.
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
