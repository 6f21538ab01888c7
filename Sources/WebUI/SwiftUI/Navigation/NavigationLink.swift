/// A control that pushes a page onto the enclosing stack.
public struct NavigationLink<Label: View, Destination: View>: View {
    private enum Target {
        case value(AnyHashable?)
        case view(Destination)
    }
    private let target: Target
    private let label: Label
    @State private var isPresented = false
    @Environment(\.navigation) private var navigation

    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        target = .view(destination())
        self.label = label()
    }

    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) where Destination == Never {
        target = .value(value.map { AnyHashable($0) })
        self.label = label()
    }

    public var body: some View {
        switch target {
        case .value(let value):
            row { if let value { navigation?.append(value) } }
                .disabled(value == nil)
        case .view(let destination):
            row { isPresented = true }
                .navigationDestination(isPresented: $isPresented) { destination }
        }
    }

    private func row(_ action: @escaping @MainActor () -> Void) -> some View {
        Primitive { context in
            var context = context
            context.traits.row.attributes[flag: .chevron] = context.place.isRow
            var attributes = Attributes()
            attributes[.role] = "link"
            // In a list the link is a row with a chevron; elsewhere it has the tint colour.
            if context.place.isRow, case .builtIn(.borderless) = context.environment.buttonLook {
                context.environment.buttonLook = .builtIn(.plain)
            }
            context.button(.button, attributes: attributes, action: action) { Label._render(label, $0) }
        }
    }
}

extension NavigationLink where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {
        self.init(destination: destination) { Text(title) }
    }
    public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) where Destination == Never {
        self.init(value: value) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) where Destination == Never {
        self.init(value: value) { Text(title) }
    }
}

// MARK: Destinations

private final class DestinationScope: Node {
    weak var model: NavigationModel?
    var type: ObjectIdentifier?
    var destination: NavigationModel.Destination?

    override func willUnmount() {
        if let destination, let type { model?.unregister(destination, for: type) }
    }
}

private final class PresentedScope: Node {
    weak var model: NavigationModel?
    var presented: NavigationModel.Presented?

    override func willUnmount() {
        if let presented { model?.withdraw(presented) }
    }

    /// Pushes, updates or removes the page.
    func update(
        _ model: NavigationModel, content: (@MainActor () -> AnyView)?, dismiss: @escaping @MainActor () -> Void
    ) {
        self.model = model
        switch (presented, content) {
        case (let presented?, let content?):
            presented.content = content
            presented.dismiss = dismiss
            presented.readers.invalidate()
        case (nil, let content?):
            let place = Evaluation.none { model.values().count }
            let presented = NavigationModel.Presented(content: content, dismiss: dismiss, place: place)
            self.presented = presented
            model.present(presented)
        case (let presented?, nil):
            self.presented = nil
            model.withdraw(presented)
        case (nil, nil): break
        }
    }
}

extension View {
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        rendering { content, context in
            let scope = context.scope(DestinationScope.init) { _, inner in content(inner) }
            guard let model = context.environment.navigation else { return }
            let make: @MainActor (AnyHashable) -> AnyView? = { ($0.base as? D).map { AnyView(destination($0)) } }
            let type = ObjectIdentifier(D.self)
            if let registered = scope.destination {
                registered.content = make
                model.update(registered, for: type)
            } else {
                let registered = NavigationModel.Destination(level: context.environment.page?.number ?? 0, content: make)
                scope.destination = registered
                scope.type = type
                scope.model = model
                model.register(registered, for: type)
            }
        }
    }

    public func navigationDestination<V: View>(isPresented: Binding<Bool>, @ViewBuilder destination: () -> V) -> some View {
        let page = destination()
        return presentingPage(dismiss: { isPresented.wrappedValue = false }) {
            guard isPresented.wrappedValue else { return nil }
            return { AnyView(page) }
        }
    }

    public func navigationDestination<D: Hashable, C: View>(
        item: Binding<D?>, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        presentingPage(dismiss: { item.wrappedValue = nil }) {
            guard let value = item.wrappedValue else { return nil }
            return { AnyView(destination(value).id(value)) }
        }
    }

    private func presentingPage(
        dismiss: @escaping @MainActor () -> Void, page: @escaping @MainActor () -> (@MainActor () -> AnyView)?
    ) -> some View {
        rendering { content, context in
            let scope = context.scope(PresentedScope.init) { _, inner in content(inner) }
            if let model = context.environment.navigation { scope.update(model, content: page(), dismiss: dismiss) }
        }
    }
}
