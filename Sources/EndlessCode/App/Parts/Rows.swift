import EndlessCodeClient
import SwiftUI
import ViewKit

/// The state of a list that is being fetched, as a row: a spinner, or the failure with a button.
struct PhaseRow: View {
    let phase: LoadPhase
    /// True if there is content from an earlier time.
    let hasContent: Bool
    let retry: @MainActor () async -> Void

    var body: some View {
        switch phase {
        case .idle, .loading:
            if !hasContent {
                ProgressView()
                    .accessibilityLabel(Text("Loading", bundle: .module))
                    .frame(maxWidth: .infinity, minHeight: 120)
                    .plainRow()
            }
        case .failed(let problem):
            VStack(alignment: .leading, spacing: 0) {
                ProblemText(problem: problem)
                if hasContent {
                    Text("This is what the phone knew before.", bundle: .module).font(.footnote).padding(.top, 4)
                }
                CommandButton(Text("Try Again", bundle: .module)) { await retry() }
                    .buttonStyle(TextButtonStyle(alignment: .leading))
            }
            .padding(.top, 8)
            .plainRow()
        case .loaded: EmptyView()
        }
    }
}

/// The title of the rows below, on the background of the screen.
struct TitleRow: View {
    let title: Text
    @Environment(\.palette) private var palette

    var body: some View {
        title
            .font(.footnote.weight(.semibold))
            .foregroundStyle(palette.secondary)
            .frame(maxWidth: .infinity, minHeight: 36, alignment: .bottomLeading)
            .padding(.bottom, 6)
            .accessibilityAddTraits(.isHeader)
            .plainRow()
    }
}

extension View {
    /// Styles a row without a separator, on the background of the screen.
    func plainRow() -> some View { modifier(PlainRow(separator: .hidden)) }
    /// Styles a row on the background of the screen.
    func row() -> some View { modifier(PlainRow(separator: .automatic)) }
    /// Styles a row whose content has the height of a control, so that a finger can tap all of it.
    func fullHeightRow() -> some View {
        listRowInsets(EdgeInsets(top: 0, leading: Metrics.padding, bottom: 0, trailing: Metrics.padding))
    }
    /// Styles a list on the background of the screen.
    func plainList() -> some View { listStyle(.plain).scrollContentBackground(.hidden).page() }
}

private struct PlainRow: ViewModifier {
    let separator: Visibility
    @Environment(\.palette) private var palette

    func body(content: Content) -> some View {
        content
            .fullHeightRow()
            .listRowSeparator(separator)
            .listRowBackground(palette.background)
    }
}
