extension View {
    public func alert<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
    ) -> some View {
        question(.alert, Text(titleKey), isPresented, actions(), EmptyView())
    }
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View>(_ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A)
        -> some View
    {
        question(.alert, Text(title), isPresented, actions(), EmptyView())
    }
    public func alert<A: View>(_ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A) -> some View {
        question(.alert, title, isPresented, actions(), EmptyView())
    }
    public func alert<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View {
        question(.alert, Text(titleKey), isPresented, actions(), message())
    }
    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View {
        question(.alert, Text(title), isPresented, actions(), message())
    }
    public func alert<A: View, M: View>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View {
        question(.alert, title, isPresented, actions(), message())
    }
    public func alert<A: View, M: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View {
        question(.alert, Text(titleKey), data == nil ? .constant(false) : isPresented, data.map(actions), data.map(message))
    }
    public func alert<E: LocalizedError, A: View>(isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: () -> A) -> some View
    {
        question(
            .alert, Text(error?.errorDescription ?? ""), error == nil ? .constant(false) : isPresented, actions(), EmptyView())
    }

    public func confirmationDialog<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View {
        question(.confirm, Text(titleKey), isPresented, actions(), EmptyView(), titleVisibility)
    }
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A
    ) -> some View {
        question(.confirm, Text(title), isPresented, actions(), EmptyView(), titleVisibility)
    }
    public func confirmationDialog<A: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A
    ) -> some View {
        question(.confirm, title, isPresented, actions(), EmptyView(), titleVisibility)
    }
    public func confirmationDialog<A: View, M: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View {
        question(.confirm, title, isPresented, actions(), message(), titleVisibility)
    }
    public func confirmationDialog<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View {
        question(.confirm, Text(titleKey), isPresented, actions(), message(), titleVisibility)
    }
    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View {
        question(.confirm, Text(title), isPresented, actions(), message(), titleVisibility)
    }

    private func question<A: View, M: View>(
        _ kind: ElementKind, _ title: Text, _ isPresented: Binding<Bool>, _ actions: A, _ message: M,
        _ titleVisibility: Visibility = .visible
    ) -> some View {
        rendering { content, context in
            content(context.child(0))
            var attributes = Attributes()
            // A dialog shows its title only on request, as on an iPhone.
            let text: AttributeValue = .text(title.string(in: context.environment))
            attributes[titleVisibility == .visible ? .title : .accessibilityLabel] = text
            var beside = context.child(1)
            beside.traits = Traits()
            beside.component(
                Presentation(kind: kind, isPresented: isPresented, attributes: attributes) { dialog in
                    Question(actions: actions, message: message, dialog: dialog)
                })
        }
    }
}

/// The message and buttons of an alert or a dialog.
private struct Question<Actions: View, Message: View>: View {
    let actions: Actions
    let message: Message
    let dialog: DialogModel

    static func _render(_ view: Self, _ context: _RenderContext) {
        if Message.self != EmptyView.self {
            context.child(0).element(.message, layout: .wide) { inner in
                var inner = inner
                inner.environment.dialog = nil
                Message._render(view.message, inner)
            }
        }
        Actions._render(view.actions, context.child(1))
        context.child(2).component(SystemButton(dialog: view.dialog))
    }
}
