/// The timing of a change. The browser performs it as a CSS transition.
public struct Animation: Hashable, Sendable {
    package enum Curve: Hashable, Sendable {
        case linear, easeIn, easeOut, easeInOut
        case spring(bounce: Double)
    }
    /// The duration in seconds.
    package var duration: Double
    package var curve: Curve
    package var delaySeconds = 0.0
    package var speedFactor = 1.0

    public static let `default` = Animation(duration: 0.35, curve: .easeInOut)
    public static let linear = Animation(duration: 0.35, curve: .linear)
    public static let easeIn = Animation(duration: 0.35, curve: .easeIn)
    public static let easeOut = Animation(duration: 0.35, curve: .easeOut)
    public static let easeInOut = Animation(duration: 0.35, curve: .easeInOut)
    public static let spring = Animation(duration: 0.5, curve: .spring(bounce: 0))
    public static let smooth = Animation(duration: 0.5, curve: .spring(bounce: 0))
    public static let snappy = Animation(duration: 0.5, curve: .spring(bounce: 0.15))
    public static let bouncy = Animation(duration: 0.5, curve: .spring(bounce: 0.3))

    public static func linear(duration: TimeInterval) -> Animation { Animation(duration: duration, curve: .linear) }
    public static func easeIn(duration: TimeInterval) -> Animation { Animation(duration: duration, curve: .easeIn) }
    public static func easeOut(duration: TimeInterval) -> Animation { Animation(duration: duration, curve: .easeOut) }
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation(duration: duration, curve: .easeInOut) }
    public static func spring(duration: TimeInterval = 0.5, bounce: Double = 0.0, blendDuration: Double = 0) -> Animation {
        Animation(duration: duration, curve: .spring(bounce: bounce))
    }
    @_disfavoredOverload
    public static func spring(response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: TimeInterval = 0) -> Animation
    {
        Animation(duration: response, curve: .spring(bounce: 1 - dampingFraction))
    }

    public func delay(_ delay: TimeInterval) -> Animation {
        var animation = self
        animation.delaySeconds = delay
        return animation
    }
    public func speed(_ speed: Double) -> Animation {
        var animation = self
        animation.speedFactor = speed
        return animation
    }
}

/// The animation settings of a state change.
public struct Transaction: Sendable {
    public var animation: Animation?
    public var disablesAnimations = false
    public init() {}
    public init(animation: Animation?) { self.animation = animation }

    /// The animation; nil if there is none, or animations are disabled.
    var motion: Animation? { disablesAnimations ? nil : animation }

    // Stored for the thread, not the task: a task that starts inside `withAnimation` has no transaction.
    fileprivate static let pointer = ThreadPointer()

    /// The transaction of the enclosing `withTransaction` on this thread; nil outside of one.
    static var current: Transaction? { pointer.value?.assumingMemoryBound(to: Transaction.self).pointee }
}

public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try withTransaction(Transaction(animation: animation), body)
}

public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    var transaction = transaction
    return try withUnsafeMutablePointer(to: &transaction) { try Transaction.pointer.with(UnsafeMutableRawPointer($0), body) }
}

enum MotionKey: LocalKey {
    static var defaultValue: Animation? { nil }
}

extension View {
    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
        adjusting { $0.environment[MotionKey.self] = animation }
    }
    public func transition(_ t: AnyTransition) -> some View {
        attribute(.transition, t.names.isEmpty ? nil : .text(t.names.joined(separator: " ")))
    }
    public func contentTransition(_ transition: ContentTransition) -> some View { self }
}

/// The appearance and disappearance of a view.
public struct AnyTransition: Sendable {
    let names: [String]
    public static let identity = AnyTransition(names: [])
    public static let opacity = AnyTransition(names: ["opacity"])
    public static let scale = AnyTransition(names: ["scale"])
    public static let slide = AnyTransition(names: ["slide"])
    public static func move(edge: Edge) -> AnyTransition { AnyTransition(names: ["move-\(edge)"]) }
    public static func push(from edge: Edge) -> AnyTransition { AnyTransition(names: ["move-\(edge)", "opacity"]) }
    public func combined(with other: AnyTransition) -> AnyTransition { AnyTransition(names: names + other.names) }
    /// Returns `insertion`, which applies to both directions here.
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition { insertion }
}

public struct ContentTransition: Equatable, Sendable {
    private let name: String
    public static let identity = ContentTransition(name: "identity")
    public static let opacity = ContentTransition(name: "opacity")
    public static let interpolate = ContentTransition(name: "interpolate")
    public static func numericText(countsDown: Bool = false) -> ContentTransition { ContentTransition(name: "numericText") }
}
