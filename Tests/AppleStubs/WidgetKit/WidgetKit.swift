// The part of WidgetKit that the widget extension uses. Pages: https://developer.apple.com/documentation/widgetkit/<type>/<member>
public import ActivityKit
public import Foundation
public import SwiftUI

/// activityviewcontext
@available(iOS 16.1, *)
public struct ActivityViewContext<Attributes: ActivityAttributes> {
    public let attributes: Attributes
    public let state: Attributes.ContentState
}

/// activityconfiguration
@available(iOS 16.1, *)
public struct ActivityConfiguration<Attributes: ActivityAttributes>: WidgetConfiguration {
    public init<Content: View>(
        for attributesType: Attributes.Type, @ViewBuilder content: @escaping (ActivityViewContext<Attributes>) -> Content,
        dynamicIsland: @escaping (ActivityViewContext<Attributes>) -> DynamicIsland
    ) {}
    public var body: Never { fatalError() }
}

/// dynamicisland
@available(iOS 16.1, *)
public struct DynamicIsland {
    public init<Expanded: View, CompactLeading: View, CompactTrailing: View, Minimal: View>(
        @DynamicIslandExpandedContentBuilder expanded: @escaping () -> DynamicIslandExpandedContent<Expanded>,
        @ViewBuilder compactLeading: @escaping () -> CompactLeading, @ViewBuilder compactTrailing: @escaping () -> CompactTrailing,
        @ViewBuilder minimal: @escaping () -> Minimal
    ) {}
    public func widgetURL(_ url: URL?) -> DynamicIsland { self }
    public func keylineTint(_ color: Color?) -> DynamicIsland { self }
}

/// dynamicislandexpandedcontent
@available(iOS 16.1, *)
public struct DynamicIslandExpandedContent<Content: View> {}

/// dynamicislandexpandedcontentbuilder
@available(iOS 16.1, *)
@resultBuilder
public struct DynamicIslandExpandedContentBuilder {
    public static func buildPartialBlock<C: View>(first: DynamicIslandExpandedRegion<C>) -> DynamicIslandExpandedContent<C> {
        fatalError()
    }
    public static func buildPartialBlock<C0: View, C1: View>(
        accumulated: DynamicIslandExpandedContent<C0>, next: DynamicIslandExpandedRegion<C1>
    ) -> DynamicIslandExpandedContent<C1> { fatalError() }
}

/// dynamicislandexpandedregionposition
@available(iOS 16.1, *)
public struct DynamicIslandExpandedRegionPosition {
    public static var leading: DynamicIslandExpandedRegionPosition { fatalError() }
    public static var trailing: DynamicIslandExpandedRegionPosition { fatalError() }
    public static var center: DynamicIslandExpandedRegionPosition { fatalError() }
    public static var bottom: DynamicIslandExpandedRegionPosition { fatalError() }
}

/// dynamicislandexpandedregion
@available(iOS 16.1, *)
public struct DynamicIslandExpandedRegion<Content: View> {
    public init(
        _ position: DynamicIslandExpandedRegionPosition, priority: Double = 0, @ViewBuilder content: () -> Content
    ) {}
}

extension View {
    /// swiftui/view/widgeturl(_:)
    public func widgetURL(_ url: URL?) -> some View { self }
    /// swiftui/view/activitybackgroundtint(_:)
    @available(iOS 16.1, *)
    public func activityBackgroundTint(_ color: Color?) -> some View { self }
    /// swiftui/view/activitysystemactionforegroundcolor(_:)
    @available(iOS 16.1, *)
    public func activitySystemActionForegroundColor(_ color: Color?) -> some View { self }
}

extension WidgetBundle {
    /// swiftui/widgetbundle/main()
    public static func main() {}
}
