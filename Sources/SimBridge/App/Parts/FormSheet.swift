import SwiftUI
import ViewKit

/// A sheet with a title, *Cancel*, and a form that scrolls.
struct FormSheet<Content: View>: View {
    private let title: LocalizedStringKey
    private let content: Content
    @Environment(\.dismiss) private var dismiss
    @Environment(\.palette) private var palette

    init(title: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.title = title
        self.content = content()
    }

    var body: some View {
        NavigationStack {
            ScrollView {
                VStack(alignment: .leading, spacing: Metrics.gap) { content }
                    .padding(Metrics.loginPadding)
                    .column()
            }
            .page()
            .navigationTitle(Text(title, bundle: .module))
            .navigationBarTitleDisplayMode(.inline)
            .toolbar {
                ToolbarItem(placement: .cancellationAction) {
                    Button {
                        dismiss()
                    } label: {
                        Text("Cancel", bundle: .module).foregroundStyle(palette.link)
                    }
                }
            }
        }
    }
}
