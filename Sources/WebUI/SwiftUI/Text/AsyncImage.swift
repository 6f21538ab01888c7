public import Foundation

/// A picture that the box serves at a URL. The view fills the available space. Pictures of other servers are not loaded.
public struct AsyncImage<Content: View>: View {
    private let url: URL?

    public init(url: URL?, scale: CGFloat = 1) where Content == Image { self.url = url }

    public static func _render(_ view: Self, _ context: _RenderContext) {
        var attributes = Attributes()
        attributes[.source] = view.url.map { .text($0.relativeString) }
        attributes[flag: .accessibilityHidden] = context.environment.isDecoration
        context.element(.picture, attributes: attributes, layout: .filling)
    }
}
