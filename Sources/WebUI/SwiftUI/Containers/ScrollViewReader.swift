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

    /// Scrolls until the view with this id, from `ForEach` or `id(_:)`, is visible, or at the anchor.
    @MainActor public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {
        guard let scope else { return }
        let wanted = SwiftUI.ID(id)
        // Scrolls after the evaluation, which may create the view.
        scope.host.afterEvaluation { [weak scope] in scope?.scroll(to: wanted, anchor: anchor) }
    }
}

private final class ReaderScope: Node {}
