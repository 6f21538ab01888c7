package import SwiftUI

/// A button whose action takes time. A tap does nothing while the action of an earlier tap runs.
///
/// The action completes even when the button disappears meanwhile.
package struct CommandButton<Label: View>: View {
    private let action: @MainActor () async -> Void
    private let label: Label
    @State private var command = UserCommand<Never>()

    package init(_ action: @escaping @MainActor () async -> Void, @ViewBuilder label: () -> Label) {
        (self.action, self.label) = (action, label())
    }

    package var body: some View {
        Button {
            command.run(action)
        } label: {
            label
        }
    }
}

extension CommandButton where Label == Text {
    package init(_ words: Text, _ action: @escaping @MainActor () async -> Void) { self.init(action) { words } }
}
