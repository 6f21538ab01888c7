/// A sheet, an alert or a dialog above everything.
struct Presentation<Content: View>: View {
    let kind: ElementKind
    let isPresented: Binding<Bool>
    var attributes = Attributes()
    var onDismiss: (() -> Void)?
    let content: (DialogModel) -> Content

    var body: some View {
        if isPresented.wrappedValue {
            Presented(presentation: self).onDisappear { onDismiss?() }
        }
    }

    /// What is shown while it is.
    private struct Presented: View {
        let presentation: Presentation
        @State private var dialog = DialogModel()

        var body: some View {
            Primitive { context in
                let isPresented = presentation.isPresented
                let dialog = dialog
                dialog.start { isPresented.wrappedValue = false }
                var attributes = presentation.attributes
                for (name, value) in dialog.attributes { attributes[name] = value }
                var outer = context
                outer.traits = Traits()
                outer.place = Place()
                outer.environment.leaveBars()
                outer.environment.dismiss = DismissAction(DismissAction.Target(of: dialog) { isPresented.wrappedValue = false })
                let element = outer.element(
                    presentation.kind, attributes: attributes, handlers: [.dismiss: { _ in isPresented.wrappedValue = false }],
                    layout: .filling, place: Place(axis: .vertical)
                ) { inner in
                    dialog.element = inner.children.node as? Element
                    var inner = inner
                    inner.environment.sheet = dialog
                    if presentation.kind != .sheet { inner.environment.dialog = dialog }
                    Content._render(presentation.content(dialog), inner)
                }
                dialog.element = element
                if presentation.kind != .sheet { dialog.buttonsChanged(in: outer.host) }
            }
        }
    }
}

/// One presentation while it is shown: what its content says about it, and which buttons it has.
@MainActor
final class DialogModel {
    weak var element: Element?
    private(set) var attributes = Attributes()
    private(set) var dismiss: @MainActor () -> Void = {}
    /// Whether the system's own button is needed to get out. Known once all of the content was evaluated, rows of a `ForEach` included.
    private var needsWayOut = false
    private let readers = Readers()

    nonisolated init() {}

    func start(dismiss: @escaping @MainActor () -> Void) { self.dismiss = dismiss }

    /// Called whenever a button was rendered, or may have gone.
    func buttonsChanged(in host: ViewHost) { host.settle(self) { [weak self] in self?.countButtons() } }

    private func countButtons() {
        guard let element else { return }
        let buttons = element.flattened().filter { $0.kind == .button && $0.attributes[.identifier] != Self.wayOut }
        let needs = element.kind == .confirm ? !buttons.contains { $0.attributes[.cancel] == .on } : buttons.isEmpty
        guard needs != needsWayOut else { return }
        needsWayOut = needs
        readers.invalidate()
    }

    /// Identifies the system's own button.
    static let wayOut: AttributeValue = "dialog.way-out"

    /// Reads whether the system's own button is needed.
    func showsWayOut() -> Bool {
        readers.register()
        return needsWayOut
    }

    func setDefault(_ name: AttributeName, _ value: AttributeValue) { if attributes[name] == nil { set(name, value) } }

    func set(_ name: AttributeName, _ value: AttributeValue?) {
        attributes[name] = value
        guard let element, element.attributes[name] != value else { return }
        element.attributes[name] = value
        element.host.changed(element)
    }
}

private enum DialogKey: EnvironmentKey { static var defaultValue: DialogModel? { nil } }
private enum SheetModelKey: EnvironmentKey { static var defaultValue: DialogModel? { nil } }

extension EnvironmentValues {
    /// The alert or dialog whose buttons close it.
    var dialog: DialogModel? {
        get { self[DialogKey.self] }
        set { self[DialogKey.self] = newValue }
    }
    /// The presentation that a view is in.
    var sheet: DialogModel? {
        get { self[SheetModelKey.self] }
        set { self[SheetModelKey.self] = newValue }
    }
    /// What is presented stands on no page and in no list.
    fileprivate mutating func leaveBars() {
        page = nil
        navigation = nil
        tabs = nil
        refresh = nil
        dialog = nil
        foreground = nil
        font = nil
        fontChanges = FontChanges()
        listLook = .inset
        buttonLook = .builtIn(.borderless)
    }
}

extension View {
    /// Puts `presentation` beside this view.
    func presenting<P: View>(_ presentation: P) -> some View {
        rendering { content, context in
            Self._render(content, context.child(0))
            var beside = context.child(1)
            beside.traits = Traits()
            P._render(presentation, beside)
        }
    }
}

extension Binding {
    /// Whether there is a value; setting false takes it away.
    func isSome<Item>() -> Binding<Bool> where Value == Item? {
        Binding<Bool>(location: ClosureLocation(get: { wrappedValue != nil }, set: { if !$0 { wrappedValue = nil } }))
    }
}
