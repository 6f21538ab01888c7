/// A gesture.
@MainActor @preconcurrency
public protocol Gesture<Value> {
    associatedtype Value
    var _handlers: _GestureHandlers { get }
    func _listening(changed: ((Value) -> Void)?, ended: ((Value) -> Void)?) -> Self
}

/// The handlers and attributes of a gesture.
public struct _GestureHandlers {
    var handlers: [EventName: Element.Handler] = [:]
    var attributes = Attributes()

    /// Merges the handlers of `other`. For the same event both handlers run if `both` is true, otherwise only the existing one.
    mutating func add(_ other: Self, both: Bool = false) {
        handlers.merge(other.handlers) { old, new in both ? Element.both(old, new) : old }
        attributes.fill(from: other.attributes)
    }

    func over(_ other: Self) -> Self {
        var result = self
        result.add(other)
        return result
    }
}

extension Gesture {
    public func onEnded(_ action: @escaping (Value) -> Void) -> some Gesture<Value> { _listening(changed: nil, ended: action) }
}

extension Gesture where Value: Equatable {
    public func onChanged(_ action: @escaping (Value) -> Void) -> some Gesture<Value> { _listening(changed: action, ended: nil) }
}

public struct TapGesture: Gesture {
    public var count: Int
    private var ended: [() -> Void] = []

    public init(count: Int = 1) { self.count = count }

    public var _handlers: _GestureHandlers {
        _GestureHandlers(handlers: [count > 1 ? .double : .tap: { _ in for action in ended { action() } }])
    }
    public func _listening(changed: ((()) -> Void)?, ended: ((()) -> Void)?) -> TapGesture {
        var gesture = self
        if let ended { gesture.ended.append { ended(()) } }
        return gesture
    }
}

public struct LongPressGesture: Gesture {
    public var minimumDuration: Double
    public var maximumDistance: CGFloat
    private var ended: [(Bool) -> Void] = []

    public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        self.minimumDuration = minimumDuration
        self.maximumDistance = maximumDistance
    }

    public var _handlers: _GestureHandlers {
        var attributes = Attributes()
        if minimumDuration != 0.5 { attributes[.hold] = .number(minimumDuration) }
        return _GestureHandlers(handlers: [.long: { _ in for action in ended { action(true) } }], attributes: attributes)
    }
    public func _listening(changed: ((Bool) -> Void)?, ended: ((Bool) -> Void)?) -> LongPressGesture {
        var gesture = self
        if let ended { gesture.ended.append(ended) }
        return gesture
    }
}

public struct DragGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var time: Date
        public var location: CGPoint
        public var startLocation: CGPoint
        public var velocity: CGSize
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
        /// The predicted translation after a deceleration of a quarter of a second.
        public var predictedEndTranslation: CGSize {
            CGSize(width: translation.width + velocity.width / 4, height: translation.height + velocity.height / 4)
        }
        public var predictedEndLocation: CGPoint {
            CGPoint(x: location.x + velocity.width / 4, y: location.y + velocity.height / 4)
        }
    }
    public var minimumDistance: CGFloat
    private var changed: [(Value) -> Void] = []
    private var ended: [(Value) -> Void] = []

    public init(minimumDistance: CGFloat = 10, coordinateSpace: LocalCoordinateSpace = .local) {
        self.minimumDistance = minimumDistance
    }

    public var _handlers: _GestureHandlers {
        var attributes = Attributes()
        if minimumDistance != 10 { attributes[.slack] = .number(minimumDistance) }
        let drag: Element.Handler = { value in
            guard case .drag(let report) = value else { return }
            let value = Value(
                time: Date(), location: report.location, startLocation: report.start, velocity: report.velocity)
            for action in report.isOver ? ended : changed { action(value) }
        }
        return _GestureHandlers(handlers: [.drag: drag], attributes: attributes)
    }
    public func _listening(changed: ((Value) -> Void)?, ended: ((Value) -> Void)?) -> DragGesture {
        var gesture = self
        if let changed { gesture.changed.append(changed) }
        if let ended { gesture.ended.append(ended) }
        return gesture
    }
}

public struct MagnifyGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var time: Date
        /// The scale since the start, 1 at first.
        public var magnification: CGFloat
        public var velocity: CGFloat
        public var startAnchor: UnitPoint
        public var startLocation: CGPoint
    }
    public var minimumScaleDelta: CGFloat
    private var changed: [(Value) -> Void] = []
    private var ended: [(Value) -> Void] = []

    public init(minimumScaleDelta: CGFloat = 0.01) { self.minimumScaleDelta = minimumScaleDelta }

    public var _handlers: _GestureHandlers {
        var attributes = Attributes()
        if minimumScaleDelta != 0.01 { attributes[.delta] = .number(minimumScaleDelta) }
        let pinch: Element.Handler = { value in
            guard case .pinch(let report) = value else { return }
            let value = Value(
                time: Date(), magnification: report.magnification, velocity: report.velocity, startAnchor: report.anchor,
                startLocation: report.start)
            for action in report.isOver ? ended : changed { action(value) }
        }
        return _GestureHandlers(handlers: [.pinch: pinch], attributes: attributes)
    }
    public func _listening(changed: ((Value) -> Void)?, ended: ((Value) -> Void)?) -> MagnifyGesture {
        var gesture = self
        if let changed { gesture.changed.append(changed) }
        if let ended { gesture.ended.append(ended) }
        return gesture
    }
}

public struct LocalCoordinateSpace: Sendable {
    public static let local = LocalCoordinateSpace()
}

extension View {
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        gesture(TapGesture(count: count).onEnded { action() })
    }
    public func onLongPressGesture(
        minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View {
        let press = LongPressGesture(minimumDuration: minimumDuration, maximumDistance: maximumDistance).onEnded { _ in action() }
        var gestures = press._handlers
        if let onPressingChanged { gestures.handlers[.press] = { onPressingChanged($0 == .number(1)) } }
        return adjusting { $0.traits.gestures = gestures.over($0.traits.gestures) }
    }
    /// Adds a gesture. Of two gestures of the same kind only the inner one runs. A control's press replaces long presses around it.
    public func gesture<T: Gesture>(_ gesture: T) -> some View {
        adjusting { $0.traits.gestures = gesture._handlers.over($0.traits.gestures) }
    }
    /// Adds a gesture that runs together with those of the view: after a long press on a button, the button's action runs as well.
    public func simultaneousGesture<T: Gesture>(_ gesture: T) -> some View {
        adjusting { $0.traits.simultaneous.add(gesture._handlers, both: true) }
    }
    /// Adds a gesture that excludes those of the view.
    public func highPriorityGesture<T: Gesture>(_ gesture: T) -> some View {
        adjusting { $0.traits.exclusive.add(gesture._handlers) }
    }
    public func allowsHitTesting(_ enabled: Bool) -> some View { attribute(.hitTesting, enabled ? nil : .off) }
}
