/// Content with a proxy that scrolls to one of its views.
public struct ScrollViewReader<Content: View>: View {
    public var content: (ScrollViewProxy) -> Content

    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.scope(ReaderScope.init) { scope, inner in
            Content._render(view.content(ScrollViewProxy(scope: scope)), inner)
        }
    }
}

/// Scrolls the content of a ``ScrollViewReader``.
public struct ScrollViewProxy {
    fileprivate weak var scope: ReaderScope?

    /// Scrolls until the view with this id, from `ForEach` or `id(_:)`, is visible. The anchor has no effect.
    @MainActor public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {
        guard let scope else { return }
        let wanted = SwiftUI.ID(id)
        // After the evaluation that may create the view.
        scope.host.afterEvaluation { [weak scope] in scope?.scroll(to: wanted) }
    }
}

private final class ReaderScope: Node {
    func scroll(to id: ExplicitID) {
        guard let node = find(id, in: children), let target = Self.element(in: node) else { return }
        var around = target.container
        while let element = around {
            if element.kind == .scroll || element.kind == .list { return element.set(.scrollTarget, .number(Double(target.id))) }
            around = element.container
        }
    }

    private func find(_ id: ExplicitID, in nodes: [Node]) -> Node? {
        for node in nodes {
            if node.key.id == id { return node }
            if let found = find(id, in: node.children) { return found }
        }
        return nil
    }

    private static func element(in node: Node) -> Element? {
        if let element = node as? Element { return element }
        for child in node.children { if let element = element(in: child) { return element } }
        return nil
    }
}
