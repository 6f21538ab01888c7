package import SwiftUI

/// A view for each of the first elements, and a button that shows more.
package struct Stepped<Element: Identifiable, Content: View>: View {
    private let elements: [Element]
    private let step: Int
    private let content: (Element) -> Content
    @State private var stepCount = 1

    /// - Parameter step: Count of elements that are shown at first and added by each tap.
    package init(_ elements: [Element], by step: Int, @ViewBuilder content: @escaping (Element) -> Content) {
        (self.elements, self.step, self.content) = (elements, step, content)
    }

    package var body: some View {
        ForEach(elements.prefix(step * stepCount)) { content($0) }
        if elements.count > step * stepCount { MoreButton { stepCount += 1 } }
    }
}

/// A button that shows more of a long content.
package struct MoreButton: View {
    private let action: () -> Void

    package init(_ action: @escaping () -> Void) { self.action = action }

    package var body: some View {
        Button(Text("Show More", bundle: .module)) { action() }.buttonStyle(TextButtonStyle(alignment: .leading))
    }
}
