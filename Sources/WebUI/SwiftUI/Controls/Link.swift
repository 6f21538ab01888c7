/// A control that opens a URL.
public struct Link<Label: View>: View {
    let destination: URL
    let label: Label

    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        var attributes = Attributes()
        attributes[.href] = .text(view.destination.relativeString)
        context.button(.link, attributes: attributes, action: nil) { Label._render(view.label, $0) }
    }
}

extension Link where Label == Text {
    public init(_ titleKey: LocalizedStringKey, destination: URL) { self.init(destination: destination) { Text(titleKey) } }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: URL) { self.init(destination: destination) { Text(title) } }
}

/// Opens a URL.
@MainActor @preconcurrency
public struct OpenURLAction: Sendable {
    let scene: SceneModel?
    public func callAsFunction(_ url: URL) { _ = scene?.open(url) }
    public func callAsFunction(_ url: URL, completion: @escaping (Bool) -> Void) { completion(scene?.open(url) ?? false) }
}

extension EnvironmentValues {
    @MainActor public var openURL: OpenURLAction { OpenURLAction(scene: scene) }
}
