import SwiftUI

/// Pull to refresh.
struct RefreshablePage: View {
    /// The duration of a refresh.
    var pause = Duration.seconds(1)
    @State private var refreshes = 0

    var body: some View {
        List {
            ValueRow("Refreshed", "\(refreshes)", identifier: "refreshes")
            ForEach(1..<21, id: \.self) { Text("Row \($0)") }
        }
        .refreshable {
            // Cancelled when the page goes away: no refresh has to end then.
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            refreshes += 1
        }
    }
}
