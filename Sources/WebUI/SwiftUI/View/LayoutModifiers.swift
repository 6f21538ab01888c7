extension View {
    // MARK: Padding and size

    public func padding(_ insets: EdgeInsets) -> some View { boxed(.pad, [.padding(insets)]) }
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        boxed(.pad, [.padding(EdgeInsets(edges, length ?? 16))])
    }
    public func padding(_ length: CGFloat) -> some View { padding(.all, length) }

    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        framed(FrameRule(width: width, height: height, alignment: alignment))
    }
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        framed(
            FrameRule(
                minWidth: minWidth, maxWidth: maxWidth, minHeight: minHeight, maxHeight: maxHeight, alignment: alignment))
    }

    private func framed(_ rule: FrameRule) -> some View {
        var own: LayoutFlags = []
        var passes = LayoutFlags.both
        // An infinite limit fills the axis. A size or a finite limit stops the content from filling it.
        if rule.maxWidth == .infinity { own.insert(.width) }
        if rule.maxHeight == .infinity { own.insert(.height) }
        if rule.width ?? rule.maxWidth != nil { passes.remove(.width) }
        if rule.height ?? rule.maxHeight != nil { passes.remove(.height) }
        return boxed(.frame, [.frame(rule)], layout: LayoutRule(own: own, passes: passes))
    }

    public func fixedSize() -> some View { fixedSize(horizontal: true, vertical: true) }
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View {
        var passes = LayoutFlags.both
        if horizontal { passes.remove(.width) }
        if vertical { passes.remove(.height) }
        return boxed(
            .frame, [.fixedSize(horizontal: horizontal, vertical: vertical)], layout: LayoutRule(own: [], passes: passes))
    }
    public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        boxed(.frame, [.aspectRatio(aspectRatio, contentMode)], layout: .wide)
    }
    public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }
    public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }
    public func layoutPriority(_ value: Double) -> some View { self }
    /// Gives the view a share of the length of its stack, in proportion to the other shares. For charts.
    package func share(_ part: Double, fillsHeight: Bool = true) -> some View {
        boxed(.frame, [.share(part)], layout: LayoutRule(own: fillsHeight ? .both : .width, passes: []))
    }

    // MARK: Backgrounds and overlays

    public func background<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        layered(under: content(), alignment: alignment)
    }
    public func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        boxed(.pad, [.background(style._paint)])
    }
    public func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T, fillStyle: FillStyle = FillStyle()) -> some View {
        boxed(.pad, [.background(style._paint), .corners(shape._corners)])
    }
    public func background<T: Shape>(in shape: T, fillStyle: FillStyle = FillStyle()) -> some View {
        background(BackgroundStyle(), in: shape, fillStyle: fillStyle)
    }
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        layered(over: content(), alignment: alignment)
    }
    public func overlay<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        layered(over: Rectangle().fill(style), alignment: .center)
    }
    public func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
        boxed(.pad, [.border(content._paint, width: width, dash: false)])
    }

    private func layered<Layer: View>(under layer: Layer, alignment: Alignment) -> some View {
        rendering { content, context in
            context.element(.layers) { inner in
                inner.child(0).layer(layer, alignment)
                content(inner.child(1))
            }
        }
    }
    private func layered<Layer: View>(over layer: Layer, alignment: Alignment) -> some View {
        rendering { content, context in
            context.element(.layers) { inner in
                content(inner.child(1))
                inner.child(2).layer(layer, alignment)
            }
        }
    }

    // MARK: Appearance

    public func opacity(_ opacity: Double) -> some View { styled(.opacity(opacity)) }
    public func hidden() -> some View { styled(.opacity(0)).attribute(.accessibilityHidden, .on).attribute(.hitTesting, .off) }
    public func shadow(
        color: Color = Color(white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0
    ) -> some View { styled(.shadow(color, radius: radius, x: x, y: y)) }
    public func blur(radius: CGFloat, opaque: Bool = false) -> some View { styled(.blur(radius)) }
    public func brightness(_ amount: Double) -> some View { styled(.brightness(amount)) }
    public func saturation(_ amount: Double) -> some View { styled(.saturation(amount)) }
    public func grayscale(_ amount: Double) -> some View { styled(.grayscale(amount)) }
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { styled(.offset(CGSize(width: x, height: y))) }
    public func offset(_ offset: CGSize) -> some View { styled(.offset(offset)) }
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View { styled(.rotation(angle, anchor)) }
    public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View {
        styled(.scale(CGSize(width: scale, height: scale), anchor))
    }
    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View {
        styled(.scale(CGSize(width: x, height: y), anchor))
    }
    public func zIndex(_ value: Double) -> some View { styled(.zIndex(value)) }

    // MARK: Safe areas, colour schemes, identity

    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View {
        adjusting { if regions.contains(.container) { $0.traits.attributes[flag: .bleed] = true } }
    }
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
        adjusting {
            guard let colorScheme else { return }
            $0.environment.colorScheme = colorScheme
            $0.traits.attributes[.colorScheme] = colorScheme == .dark ? "dark" : "light"
        }
    }
    public func safeAreaInset<V: View>(
        edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> V
    ) -> some View {
        let inset = content()
        return VStack(alignment: alignment, spacing: spacing ?? 0) {
            if edge == .top { inset }
            self.frame(maxWidth: .infinity, maxHeight: .infinity)
            if edge == .bottom { inset }
        }
    }

    /// Gives the view a new identity for each value of `id`.
    public func id<ID: Hashable>(_ id: ID) -> some View {
        rendering { content, context in
            context.scope(Scope.init, id: SwiftUI.ID(id)) { _, inner in content(inner) }
        }
    }
    public func tag<V: Hashable>(_ tag: V) -> some View {
        adjusting {
            $0.traits.tag = AnyHashable(tag)
            $0.traits.tab?.offer(AnyHashable(tag))
        }
    }

    // MARK: Modifiers without effect

    public func drawingGroup(opaque: Bool = false) -> some View { self }
    public func compositingGroup() -> some View { self }
    public func statusBarHidden(_ hidden: Bool = true) -> some View { self }
    public func persistentSystemOverlays(_ visibility: Visibility) -> some View { self }
}

extension _RenderContext {
    fileprivate func layer<V: View>(_ view: V, _ alignment: Alignment) {
        var beside = self
        beside.traits = Traits()
        beside.element(.layer, style: alignment == .center ? [] : [.layerAlignment(alignment)]) { V._render(view, $0) }
    }
}

public struct SafeAreaRegions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let container = SafeAreaRegions(rawValue: 1)
    public static let keyboard = SafeAreaRegions(rawValue: 2)
    public static let all: SafeAreaRegions = [.container, .keyboard]
}

public enum VerticalEdge: Int8, CaseIterable, Hashable, Sendable {
    case top, bottom
}

/// The fill rule of a shape, and the antialiasing of its edges. Applies where a path is filled with a colour.
public struct FillStyle: Equatable, Sendable {
    public var isEOFilled: Bool
    public var isAntialiased: Bool
    public init(eoFill: Bool = false, antialiased: Bool = true) {
        isEOFilled = eoFill
        isAntialiased = antialiased
    }
}

private enum ColorSchemeKey: EnvironmentKey { static var defaultValue: ColorScheme? { nil } }
private enum LocaleKey: EnvironmentKey { static var defaultValue: Locale? { nil } }
private enum TimeZoneKey: EnvironmentKey { static var defaultValue: TimeZone? { nil } }
private enum EnabledKey: EnvironmentKey { static var defaultValue: Bool { true } }

extension EnvironmentValues {
    public var colorScheme: ColorScheme {
        get { self[ColorSchemeKey.self] ?? scene?.colorScheme ?? .light }
        set { self[ColorSchemeKey.self] = newValue }
    }
    public var locale: Locale {
        get { self[LocaleKey.self] ?? scene?.locale ?? Locale(identifier: "en") }
        set { self[LocaleKey.self] = newValue }
    }
    public var timeZone: TimeZone {
        get { self[TimeZoneKey.self] ?? scene?.timeZone ?? .current }
        set { self[TimeZoneKey.self] = newValue }
    }
    public var scenePhase: ScenePhase { scene?.phase ?? .active }
    /// The size class of the height: `.compact` on a phone in landscape, otherwise `.regular`.
    public var verticalSizeClass: UserInterfaceSizeClass? {
        guard let size = scene?.size else { return .regular }
        return size.width > size.height && size.height < 500 ? .compact : .regular
    }
    public var isEnabled: Bool {
        get { self[EnabledKey.self] }
        set { self[EnabledKey.self] = newValue }
    }
    /// The languages of texts, most preferred first.
    var languages: [String] {
        if let locale = self[LocaleKey.self] { return [locale.identifier] }
        return scene?.languages ?? ["en"]
    }
}

extension View {
    public func disabled(_ disabled: Bool) -> some View {
        adjusting { if disabled { $0.environment.isEnabled = false } }
    }
}
