public import SwiftUI

/// The content of a chart: marks.
@MainActor @preconcurrency
public protocol ChartContent {
    var _marks: [_Mark] { get }
}

/// A bar with its appearance, annotation and accessibility texts.
public struct _Mark {
    let x: _Position
    let y: _Position
    let xLabel: Text
    let yLabel: Text
    /// The thickness of a vertical bar.
    let width: MarkDimension
    /// The thickness of a horizontal bar.
    let height: MarkDimension
    var style: AnyShapeStyle?
    var cornerRadius: CGFloat = 0
    var opacity = 1.0
    var annotation: Annotation?
    var accessibilityLabel: Text?
    var accessibilityValue: Text?
    var accessibilityIdentifier: String?
    var isAccessibilityHidden = false

    struct Annotation {
        let position: AnnotationPosition
        let spacing: CGFloat
        let content: AnyView
    }
}

/// A list of marks.
struct _Marks: ChartContent {
    let _marks: [_Mark]
}

/// A result builder that combines the marks of a closure.
@resultBuilder @MainActor
public struct ChartContentBuilder {
    public static func buildExpression<Content: ChartContent>(_ content: Content) -> Content { content }
    public static func buildBlock() -> some ChartContent { _Marks(_marks: []) }
    public static func buildBlock<Content: ChartContent>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: ChartContent>(_ content: repeat each Content) -> some ChartContent {
        var marks: [_Mark] = []
        for part in repeat each content { marks += part._marks }
        return _Marks(_marks: marks)
    }
    public static func buildIf<Content: ChartContent>(_ content: Content?) -> some ChartContent {
        _Marks(_marks: content?._marks ?? [])
    }
    public static func buildEither<First: ChartContent>(first: First) -> some ChartContent { _Marks(_marks: first._marks) }
    public static func buildEither<Second: ChartContent>(second: Second) -> some ChartContent { _Marks(_marks: second._marks) }
}

extension ForEach: ChartContent where Content: ChartContent {
    public var _marks: [_Mark] { data.flatMap { content($0)._marks } }

    public init(_ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {
        self.init(data: data, content: content, id: { $0.id })
    }
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ChartContentBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data: data, content: content, id: { $0[keyPath: id] })
    }
}

extension ChartContent {
    private func changed(_ change: (inout _Mark) -> Void) -> _Marks {
        _Marks(
            _marks: _marks.map { mark in
                var mark = mark
                change(&mark)
                return mark
            })
    }

    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some ChartContent { changed { $0.style = AnyShapeStyle(style) } }
    public func cornerRadius(_ radius: CGFloat, style: RoundedCornerStyle = .continuous) -> some ChartContent {
        changed { $0.cornerRadius = radius }
    }
    public func opacity(_ opacity: Double) -> some ChartContent { changed { $0.opacity = opacity } }
    /// Shows a view beside the end of each bar, or on the bar.
    public func annotation<C: View>(
        position: AnnotationPosition = .automatic, alignment: Alignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> C
    ) -> some ChartContent {
        let view = AnyView(content())
        return changed { $0.annotation = _Mark.Annotation(position: position, spacing: spacing ?? 4, content: view) }
    }

    public func accessibilityLabel(_ label: Text) -> some ChartContent { changed { $0.accessibilityLabel = label } }
    public func accessibilityValue(_ value: Text) -> some ChartContent { changed { $0.accessibilityValue = value } }
    public func accessibilityIdentifier(_ identifier: String) -> some ChartContent {
        changed { $0.accessibilityIdentifier = identifier }
    }
    public func accessibilityHidden(_ hidden: Bool) -> some ChartContent { changed { $0.isAccessibilityHidden = hidden } }
}

/// The position of an annotation.
public struct AnnotationPosition: Hashable, Sendable {
    private let name: String
    /// Beside the end of the bar.
    public static let automatic = AnnotationPosition(name: "automatic")
    /// On the bar.
    public static let overlay = AnnotationPosition(name: "overlay")
    public static let top = AnnotationPosition(name: "top")
    public static let trailing = AnnotationPosition(name: "trailing")
}
