extension View {
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        presenting(Presentation(kind: .sheet, isPresented: isPresented, onDismiss: onDismiss) { _ in Sheet(content: content) })
    }

    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        presenting(
            Presentation(kind: .sheet, isPresented: item.isSome(), onDismiss: onDismiss) { _ in
                Sheet { if let item = item.wrappedValue { content(item).id(item.id) } }
            })
    }

    public func fullScreenCover<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        presenting(
            Presentation(kind: .sheet, isPresented: isPresented, attributes: .cover, onDismiss: onDismiss) { _ in
                Sheet(content: content)
            })
    }

    public func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        presenting(
            Presentation(kind: .sheet, isPresented: item.isSome(), attributes: .cover, onDismiss: onDismiss) { _ in
                Sheet { if let item = item.wrappedValue { content(item).id(item.id) } }
            })
    }

    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
        adjusting {
            $0.environment.sheet?.set(.detents, .list(detents.sorted { $0.fraction < $1.fraction }.map(\.name)))
            // Several detents have a drag indicator by default.
            if detents.count > 1 { $0.environment.sheet?.setDefault(.grab, .on) }
        }
    }
    public func presentationDragIndicator(_ visibility: Visibility) -> some View {
        presentation(.grab, visibility == .visible ? .on : visibility == .hidden ? .off : nil)
    }
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        rendering { content, context in
            let scope = context.scope(StayScope.init) { _, inner in content(inner) }
            scope.update(context.environment.sheet, isDisabled: isDisabled)
        }
    }

    private func presentation(_ name: AttributeName, _ value: AttributeValue?) -> some View {
        adjusting { $0.environment.sheet?.set(name, value) }
    }
}

/// The scope of `interactiveDismissDisabled`, in effect while it is mounted.
private final class StayScope: Node {
    private weak var dialog: DialogModel?

    func update(_ dialog: DialogModel?, isDisabled: Bool) {
        self.dialog = dialog
        dialog?.setDismissDisabled(isDisabled, by: self)
    }
    override func willUnmount() { dialog?.setDismissDisabled(false, by: self) }
}

/// The content of a sheet, as a component of its own.
private struct Sheet<Content: View>: View {
    let content: () -> Content
    init(@ViewBuilder content: @escaping () -> Content) { self.content = content }
    var body: some View { content() }
}

extension Attributes {
    fileprivate static var cover: Attributes {
        var attributes = Attributes()
        attributes[flag: .cover] = true
        return attributes
    }
}

/// The height of a sheet.
public struct PresentationDetent: Hashable, Sendable {
    let name: String
    let fraction: CGFloat
    public static let medium = PresentationDetent(name: "medium", fraction: 0.5)
    public static let large = PresentationDetent(name: "large", fraction: 1)
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        let fraction = min(max(fraction, 0), 1)
        return PresentationDetent(name: "\(fraction)", fraction: fraction)
    }
}
