/// A control that is on or off.
public struct Toggle<Label: View>: View {
    let isOn: Binding<Bool>
    let label: Label

    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        let isOn = view.isOn
        var attributes = Attributes()
        attributes[.selected] = isOn.wrappedValue ? .on : .off
        let hidesLabel = context.environment.hidesLabels
        context.element(
            .toggle, attributes: attributes, handlers: [.tap: { _ in isOn.wrappedValue.toggle() }],
            layout: hidesLabel ? .hugging : .wide, place: Place(axis: .horizontal)
        ) { inner in
            var inner = inner
            if hidesLabel { inner.traits.attributes[flag: .speechOnly] = true }
            Label._render(view.label, inner)
        }
    }
}

extension Toggle where Label == Text {
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(titleKey) } }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
}

extension Toggle where Label == SwiftUI.Label<Text, Image> {
    public init(_ titleKey: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }
}

private enum HidesLabelsKey: LocalKey { static var defaultValue: Bool { false } }

extension EnvironmentValues {
    var hidesLabels: Bool {
        get { self[HidesLabelsKey.self] }
        set { self[HidesLabelsKey.self] = newValue }
    }
}

extension View {
    public func labelsHidden() -> some View { adjusting { $0.environment.hidesLabels = true } }
}
