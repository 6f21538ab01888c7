/// A label, a description and actions in place of missing content.
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    let label: Label
    let description: Description
    let actions: Actions

    public init(
        @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        self.label = label()
        self.description = description()
        self.actions = actions()
    }

    public var body: some View {
        VStack(spacing: 16) {
            VStack(spacing: 8) {
                label
                    .font(.title2.bold())
                    .multilineTextAlignment(.center)
                    .adjusting { $0.environment.labelParts = .stacked }
                description.font(.subheadline).foregroundStyle(.secondary).multilineTextAlignment(.center)
            }
            actions
        }
        .padding()
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}

extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init(label: { SwiftUI.Label(title, systemImage: name) }, description: { description })
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) {
        self.init(label: { SwiftUI.Label(title, systemImage: name) }, description: { description })
    }
}

extension ContentUnavailableView
where
    Label == SearchUnavailableContent.Label, Description == SearchUnavailableContent.Description,
    Actions == SearchUnavailableContent.Actions
{
    /// A view for a search without results, which does not show the searched text.
    public static var search:
        ContentUnavailableView<
            SearchUnavailableContent.Label, SearchUnavailableContent.Description, SearchUnavailableContent.Actions
        >
    { search(text: "") }

    /// Returns a view for a search for `text` without results.
    public static func search(text: String) -> Self {
        Self(
            label: { SearchUnavailableContent.Label(text: text) }, description: { SearchUnavailableContent.Description() },
            actions: { SearchUnavailableContent.Actions() })
    }
}

/// The parts of a view for a search without results.
public struct SearchUnavailableContent {
    public struct Label: View {
        let text: String
        public static func _render(_ view: Self, _ context: _RenderContext) {
            let title = context.host.words.noResults(for: view.text)
            SwiftUI.Label<Text, Image>._render(SwiftUI.Label(title, systemImage: "magnifyingglass"), context)
        }
    }
    public struct Description: View {
        public static func _render(_ view: Self, _ context: _RenderContext) {
            Text._render(Text(verbatim: context.host.words.checkSpelling), context)
        }
    }
    public struct Actions: View {
        public static func _render(_ view: Self, _ context: _RenderContext) {}
    }
}
