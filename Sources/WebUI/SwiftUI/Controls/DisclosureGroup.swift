/// A label that shows and hides its content.
public struct DisclosureGroup<Label: View, Content: View>: View {
    let isExpanded: Binding<Bool>?
    let content: () -> Content
    let label: Label

    public init(@ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label) {
        isExpanded = nil
        self.content = content
        self.label = label()
    }
    public init(isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label) {
        self.isExpanded = isExpanded
        self.content = content
        self.label = label()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        guard !context.place.isRow else {
            // In a list the label and each view of the content are rows.
            return context.component(_Disclosure(given: view.isExpanded, isRow: true, label: view.label, content: view.content))
        }
        context.column(.leading, nil, layout: .content) {
            $0.component(_Disclosure(given: view.isExpanded, isRow: false, label: view.label, content: view.content))
        }
    }
}

extension DisclosureGroup where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
    public init(_ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content) {
        self.init(isExpanded: isExpanded, content: content) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ label: S, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content) { Text(label) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ label: S, isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content) {
        self.init(isExpanded: isExpanded, content: content) { Text(label) }
    }
}

/// The label as a button, and the content while it is shown.
struct _Disclosure<Label: View, Content: View>: View {
    let given: Binding<Bool>?
    let isRow: Bool
    let label: Label
    let content: () -> Content
    @State private var own = false

    private var isExpanded: Binding<Bool> { given ?? $own }

    var body: some View {
        let isExpanded = isExpanded
        Button {
            withAnimation { isExpanded.wrappedValue.toggle() }
        } label: {
            HStack {
                label
                Spacer()
                Image(systemName: "chevron.right")
                    .foregroundStyle(.tint)
                    .rotationEffect(.degrees(isExpanded.wrappedValue ? 90 : 0))
                    .accessibilityHidden(true)
            }
        }
        .buttonStyle(.plain)
        .adjusting { $0.traits.attributes[.expanded] = isExpanded.wrappedValue ? .on : .off }
        if isExpanded.wrappedValue { content() }
    }
}
