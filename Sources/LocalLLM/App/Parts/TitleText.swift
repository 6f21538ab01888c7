import PlatformKit
import SwiftUI

/// The title of a screen. Seven taps on it open the debug screen.
struct TitleText: View {
    let title: String
    let window: AppWindow
    let phone: Phone

    var body: some View {
        // The stack is the heading, since the tap gesture gives the text the role of a button.
        HStack(spacing: 0) {
            Text(verbatim: title)
                .lineLimit(1)
                .contentShape(Rectangle())
                .onTapGesture { window.tapHeader(at: phone.inputTime) }
                .accessibilityIdentifier("title")
        }
        .accessibilityAddTraits(.isHeader)
        .accessibilityHeading(.h1)
    }
}
