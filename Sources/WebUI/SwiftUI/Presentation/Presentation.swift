/// A sheet, an alert, a dialog or a menu above everything.
struct Presentation<Content: View>: View {
    let kind: ElementKind
    let isPresented: Binding<Bool>
    var attributes = Attributes()
    var onDismiss: (() -> Void)?
    let content: (DialogModel) -> Content
    @Environment(\.sheet) var enclosing

    var body: some View {
        if isPresented.wrappedValue {
            let place = kind == .menu ? nil : Evaluation.current.map { (enclosing?.room ?? $0.host.room).place(for: $0) }
            if place?.isTaken ?? true { Primitive { render($0, place) } }
        }
    }

    private func render(_ context: _RenderContext, _ place: PresentationRoom.Place?) {
        var outer = context
        outer.traits = Traits()
        outer.place = Place()
        outer.environment = outer.environment.forPresentation
        outer.scope(PresentationScope.init) { scope, inner in
            let dialog = scope.dialog
            scope.place = place
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
                kind, attributes: attributes,
                handlers: attributes[flag: .cover] ? [:] : [.dismiss: { _ in dialog.userDidDismiss() }],
                layout: .filling, place: Place(axis: .vertical)
            ) { inner in
                dialog.element = inner.children.node as? Element
                Content._render(content(dialog), inner)
            }
            if kind != .sheet { context.host.dialogs[ObjectIdentifier(dialog)] = dialog }
        }
    }
}

/// The scope of presented content.
private final class PresentationScope: Node {
    let dialog = DialogModel()
    var place: PresentationRoom.Place?
    var onDismiss: (() -> Void)?

    override func willUnmount() {
        host.dialogs[ObjectIdentifier(dialog)] = nil
        dialog.dismissal.perform = {}
        place?.leave()
        if let onDismiss { host.afterEvaluation { onDismiss() } }
    }
}

/// The room above a screen or a presentation, for one sheet, alert or dialog at a time, as on an iPhone: further ones wait.
@MainActor
final class PresentationRoom {
    /// The claim of one presentation to the room.
    @MainActor
    struct Place {
        fileprivate let room: PresentationRoom
        fileprivate let presentation: AnyComponent

        /// True if the presentation occupies the room.
        var isTaken: Bool { room.occupant === presentation }

        fileprivate func leave() {
            guard isTaken else { return }
            room.occupant = nil
            room.waiting.invalidate()
        }
    }

    private weak var occupant: AnyComponent?
    private let waiting = Readers()

    /// Gives the room to `presentation`, which is being evaluated, unless another one occupies the room.
    fileprivate func place(for presentation: AnyComponent) -> Place {
        if occupant == nil { occupant = presentation } else if occupant !== presentation { waiting.register() }
        return Place(room: self, presentation: presentation)
    }
}

/// The state of a presentation on screen.
@MainActor
final class DialogModel {
    weak var element: Element?
    /// The attributes set by the content of the presentation.
    private(set) var attributes = Attributes()
    let dismissal = DismissAction.Target()
    /// The room above the presentation.
    let room = PresentationRoom()
    /// True if the library adds a button that closes the dialog. Known after the evaluation of the content.
    private var needsSystemButton = false
    private let readers = Readers()
    /// The views that disable interactive dismissal.
    private var viewsDisablingDismissal: Set<ObjectIdentifier> = []

    /// Sets whether `view` disables interactive dismissal.
    func setDismissDisabled(_ isDisabled: Bool, by view: AnyObject) {
        if isDisabled {
            viewsDisablingDismissal.insert(ObjectIdentifier(view))
        } else {
            viewsDisablingDismissal.remove(ObjectIdentifier(view))
        }
        set(.stay, viewsDisablingDismissal.isEmpty ? nil : .on)
    }

    func setDefault(_ name: AttributeName, _ value: AttributeValue) { if attributes[name] == nil { set(name, value) } }

    func set(_ name: AttributeName, _ value: AttributeValue?) {
        attributes[name] = value
        element?.set(name, value)
    }

    /// Returns the first button that satisfies `condition`, except those that the library adds; nil if there is none.
    func button(in nodes: [Node]? = nil, where condition: (Element) -> Bool) -> Element? {
        for node in nodes ?? element?.children ?? [] where !(node is Component<SystemButton>) {
            if let element = node as? Element, element.kind == .button, condition(element) { return element }
            if let button = button(in: node.children, where: condition) { return button }
        }
        return nil
    }

    /// Handles a dismissal by the user: runs the cancel button of an alert or dialog, if there is one.
    func userDidDismiss() {
        guard attributes[.stay] != .on, let element else { return }
        if element.kind == .sheet { return dismissal.perform() }
        let cancel = element.kind == .menu ? nil : button { $0.attributes[flag: .cancel] }
        if let cancel { cancel.handlers[.tap]?(.none) } else if !hasOwnButtons || element.kind != .alert { dismissal.perform() }
    }

    private var hasOwnButtons: Bool { button { _ in true } != nil }

    /// Updates the added button after an evaluation.
    func updateSystemButton() {
        guard let element, element.kind != .menu else { return }
        let needsOne = element.kind == .confirm ? button { $0.attributes[flag: .cancel] } == nil : !hasOwnButtons
        guard needsOne != needsSystemButton else { return }
        needsSystemButton = needsOne
        readers.invalidate()
    }

    /// Returns the title of the button that the library adds; nil if it adds none.
    func systemButton(_ words: SystemWords) -> String? {
        readers.register()
        return needsSystemButton ? element?.kind == .confirm ? words.cancel : words.ok : nil
    }
}

/// The button that the library adds to an alert or dialog without a cancel button.
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
    /// The alert or dialog that its buttons close; nil outside of one.
    var dialog: DialogModel? {
        get { self[DialogKey.self] }
        set { self[DialogKey.self] = newValue }
    }
    /// The enclosing presentation; nil outside of one.
    var sheet: DialogModel? {
        get { self[SheetModelKey.self] }
        set { self[SheetModelKey.self] = newValue }
    }
}

extension View {
    /// Adds `presentation` beside this view.
    func presenting<P: View>(_ presentation: P) -> some View {
        rendering { content, context in
            content(context.child(0))
            var beside = context.child(1)
            beside.traits = Traits()
            P._render(presentation, beside)
        }
    }
}

extension Binding {
    /// Returns a binding that is true if there is a value. Setting the binding to false removes the value.
    func isSome<Item>() -> Binding<Bool> where Value == Item? {
        Binding<Bool>(location: ClosureLocation(get: { wrappedValue != nil }, set: { if !$0 { wrappedValue = nil } }))
    }
}
