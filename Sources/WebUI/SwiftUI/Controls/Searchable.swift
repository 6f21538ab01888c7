/// A search field above the searched content.
struct _Searchable<Content: View>: View {
    let content: Content
    let text: Binding<String>
    let isPresented: Binding<Bool>?
    let prompt: Text?
    @FocusState private var isFocused: Bool

    var body: some View {
        VStack(spacing: 0) {
            _SearchBar(text: text, prompt: prompt, isFocused: $isFocused)
            content
                .environment(\.isSearching, isFocused || !text.wrappedValue.isEmpty)
                .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
        .onChange(of: isFocused) { _, isFocused in
            // Text without focus is still a search.
            if let isPresented, isFocused || text.wrappedValue.isEmpty, isPresented.wrappedValue != isFocused {
                isPresented.wrappedValue = isFocused
            }
        }
        .onChange(of: isPresented?.wrappedValue, initial: true) { _, isPresented in
            if let isPresented, isPresented != isFocused, isPresented || text.wrappedValue.isEmpty { isFocused = isPresented }
        }
    }
}

private struct _SearchBar: View {
    let text: Binding<String>
    let prompt: Text?
    let isFocused: FocusState<Bool>.Binding

    var body: some View {
        HStack(spacing: 12) {
            HStack(spacing: 6) {
                Image(systemName: "magnifyingglass").foregroundStyle(.secondary).accessibilityHidden(true)
                _SearchField(text: text, prompt: prompt, isFocused: isFocused)
                if !text.wrappedValue.isEmpty {
                    _SystemButton(word: \.clearText, symbol: "xmark.circle.fill") { text.wrappedValue = "" }
                        .foregroundStyle(.secondary)
                }
            }
            .padding(8)
            .background(Color(uiColor: .tertiarySystemFill), in: RoundedRectangle(cornerRadius: 10))
            if isFocused.wrappedValue || !text.wrappedValue.isEmpty {
                _SystemButton(word: \.cancel) {
                    text.wrappedValue = ""
                    isFocused.wrappedValue = false
                }
            }
        }
        .padding(.horizontal)
        .padding(.vertical, 8)
    }
}

private struct _SearchField: View {
    let text: Binding<String>
    let prompt: Text?
    let isFocused: FocusState<Bool>.Binding

    static func _render(_ view: Self, _ context: _RenderContext) {
        let prompt = view.prompt ?? Text(verbatim: context.host.words.search)
        var context = context
        // Return submits the search, and runs no `onSubmit(of: .text)` of enclosing views.
        context.environment.submitAction = context.environment.searchSubmit
        let field = TextField(prompt.string(in: context.environment), text: view.text)
            .focused(view.isFocused)
            .submitLabel(.search)
            .autocorrectionDisabled()
            .textFieldStyle(.plain)
        render(field, context)
    }

    private static func render<V: View>(_ view: V, _ context: _RenderContext) { V._render(view, context) }
}

/// A button of the library, with a label in the user's language.
private struct _SystemButton: View {
    let word: KeyPath<SystemWords, String>
    var symbol: String?
    let action: @MainActor () -> Void

    static func _render(_ view: Self, _ context: _RenderContext) {
        let word = context.host.words[keyPath: view.word]
        var context = context
        context.environment.buttonLook = .builtIn(.borderless)
        if let symbol = view.symbol {
            let button = Button(action: view.action) { Image(systemName: symbol).accessibilityLabel(word) }
            render(button, context)
        } else {
            render(Button(word, action: view.action), context)
        }
    }

    private static func render<V: View>(_ view: V, _ context: _RenderContext) { V._render(view, context) }
}

private enum IsSearchingKey: LocalKey { static var defaultValue: Bool { false } }
private enum SearchSubmitKey: LocalKey { static var defaultValue: SubmitAction? { nil } }

extension EnvironmentValues {
    /// True while the field of `searchable` has the focus or a text.
    public internal(set) var isSearching: Bool {
        get { self[IsSearchingKey.self] }
        set { self[IsSearchingKey.self] = newValue }
    }
    var searchSubmit: SubmitAction? {
        get { self[SearchSubmitKey.self] }
        set { self[SearchSubmitKey.self] = newValue }
    }
}

extension View {
    public func searchable(text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil) -> some View {
        _Searchable(content: self, text: text, isPresented: nil, prompt: prompt)
    }
    public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
        searchable(text: text, placement: placement, prompt: Text(prompt))
    }
    @_disfavoredOverload
    public func searchable<S: StringProtocol>(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View {
        searchable(text: text, placement: placement, prompt: Text(prompt))
    }
    public func searchable(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
        _Searchable(content: self, text: text, isPresented: isPresented, prompt: prompt)
    }
    public func searchable(
        text: Binding<String>, isPresented: Binding<Bool>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
        searchable(text: text, isPresented: isPresented, placement: placement, prompt: Text(prompt))
    }
}

/// The place of a search field. Here the field is always above the searched content.
public struct SearchFieldPlacement: Sendable {
    public static let automatic = SearchFieldPlacement()
    public static let navigationBarDrawer = SearchFieldPlacement()
    public static let toolbar = SearchFieldPlacement()

    public static func navigationBarDrawer(displayMode: NavigationBarDrawerDisplayMode) -> SearchFieldPlacement { .automatic }

    public struct NavigationBarDrawerDisplayMode: Sendable {
        public static let automatic = NavigationBarDrawerDisplayMode()
        public static let always = NavigationBarDrawerDisplayMode()
    }
}
