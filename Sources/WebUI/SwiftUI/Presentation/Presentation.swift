/// A sheet, an alert or a dialog above everything.
struct Presentation<Content: View>: View {
    let kind: ElementKind
    let isPresented: Binding<Bool>
    var attributes = Attributes()
    var onDismiss: (() -> Void)?
    let content: (DialogModel) -> Content

    var body: some View {
        if isPresented.wrappedValue { Primitive { render($0) } }
    }

    private func render(_ context: _RenderContext) {
        var outer = context
        outer.traits = Traits()
        outer.place = Place()
        outer.environment = outer.environment.forPresentation
        outer.scope(PresentationScope.init) { scope, inner in
            let dialog = scope.dialog
            scope.onDismiss = onDismiss
            let isPresented = isPresented
            dialog.dismissal.perform = { isPresented.wrappedValue = false }
            var attributes = attributes
            for (name, value) in dialog.attributes { attributes[name] = value }
            var outer = inner
            outer.environment.sheet = dialog
            outer.environment.dismiss = DismissAction(dialog.dismissal)
            if kind != .sheet {
                outer.environment.dialog = dialog
                outer.environment.isEnabled = true
            }
            outer.element(
                kind, attributes: attributes, handlers: attributes[flag: .cover] ? [:] : [.dismiss: { _ in dialog.wasLeft() }],
                layout: .filling, place: Place(axis: .vertical)
            ) { inner in
                dialog.element = inner.children.node as? Element
                Content._render(content(dialog), inner)
            }
            if kind != .sheet { context.host.dialogs[ObjectIdentifier(dialog)] = dialog }
        }
    }
}

/// What is shown while something is presented.
private final class PresentationScope: Node {
    let dialog = DialogModel()
    var onDismiss: (() -> Void)?

    override func willUnmount() {
        host.dialogs[ObjectIdentifier(dialog)] = nil
        dialog.dismissal.perform = {}
        if let onDismiss { host.afterEvaluation { onDismiss() } }
    }
}

/// One presentation while it is shown.
@MainActor
final class DialogModel {
    weak var element: Element?
    /// What its content says about it.
    private(set) var attributes = Attributes()
    let dismissal = DismissAction.Target()
    /// Whether a button of the system's is needed to get out. Known once all of the content was evaluated.
    private var needsSystemButton = false
    private let readers = Readers()
    /// The views that want it to stay.
    private var keepers: Set<ObjectIdentifier> = []

    /// Notes whether the view `keeper` keeps people from swiping it away.
    func keep(by keeper: AnyObject, _ stays: Bool) {
        if stays { keepers.insert(ObjectIdentifier(keeper)) } else { keepers.remove(ObjectIdentifier(keeper)) }
        set(.stay, keepers.isEmpty ? nil : .on)
    }

    func setDefault(_ name: AttributeName, _ value: AttributeValue) { if attributes[name] == nil { set(name, value) } }

    func set(_ name: AttributeName, _ value: AttributeValue?) {
        attributes[name] = value
        element?.set(name, value)
    }

    /// The first of its buttons for which `condition` holds, apart from those that the system adds.
    func button(in nodes: [Node]? = nil, where condition: (Element) -> Bool) -> Element? {
        for node in nodes ?? element?.children ?? [] where !(node is Component<SystemButton>) {
            if let element = node as? Element, element.kind == .button, condition(element) { return element }
            if let button = button(in: node.children, where: condition) { return button }
        }
        return nil
    }

    /// A person swiped it away, or pressed Escape: a question is answered with the button that cancels, if it has one.
    func wasLeft() {
        guard attributes[.stay] != .on, let element else { return }
        if element.kind == .sheet { return dismissal.perform() }
        let cancel = button { $0.attributes[flag: .cancel] }
        if let cancel { cancel.handlers[.tap]?(.none) } else if !hasOwnButtons || element.kind == .confirm { dismissal.perform() }
    }

    private var hasOwnButtons: Bool { button { _ in true } != nil }

    /// Called whenever views were evaluated: a button may have come or gone.
    func countButtons() {
        guard let element else { return }
        let needsOne = element.kind == .confirm ? button { $0.attributes[flag: .cancel] } == nil : !hasOwnButtons
        guard needsOne != needsSystemButton else { return }
        needsSystemButton = needsOne
        readers.invalidate()
    }

    /// Reads which button the system adds.
    func systemButton(_ words: SystemWords) -> String? {
        readers.register()
        return needsSystemButton ? element?.kind == .confirm ? words.cancel : words.ok : nil
    }
}

/// The button that the system adds to an alert or a dialog where none closes it without doing anything.
struct SystemButton: View {
    let dialog: DialogModel
    @Environment(\.languages) private var languages

    var body: some View {
        if let title = dialog.systemButton(SystemWords(languages: languages)) { Button(title, role: .cancel) {} }
    }
}

private enum DialogKey: LocalKey { static var defaultValue: DialogModel? { nil } }
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
