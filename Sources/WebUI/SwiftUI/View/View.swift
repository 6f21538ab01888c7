@_exported public import Foundation
@_exported public import Observation

/// A part of a screen. On Apple platforms this is SwiftUI's protocol of the same name.
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }

    /// Renders a view of this type into nodes. Primitives implement it; the default creates a component for ``body``.
    @MainActor @preconcurrency static func _render(_ view: Self, _ context: _RenderContext)

    /// True if the view is a section of a list, whose modifiers apply to each of its rows.
    @MainActor @preconcurrency static var _isSection: Bool { get }
}

extension View {
    public static func _render(_ view: Self, _ context: _RenderContext) {
        context.component(view)
    }
    public static var _isSection: Bool { Body._isSection }
}

extension Never: View {
    public typealias Body = Never
    public var body: Never { self }
    public static var _isSection: Bool { false }
}

extension View where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) has no body") }
}
