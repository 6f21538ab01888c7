/// A press of a key on an attached keyboard.
public struct KeyPress: Sendable {
    public struct Phases: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let down = Phases(rawValue: 1)
        public static let `repeat` = Phases(rawValue: 2)
        public static let up = Phases(rawValue: 4)
        public static let all = Phases(rawValue: 7)
    }

    /// The result of an action. On Apple's systems an ignored press goes to the enclosing views; here it is dropped.
    public enum Result: Hashable, Sendable { case handled, ignored }

    public let phase: Phases
    public let key: KeyEquivalent
    public let characters: String
    public let modifiers: EventModifiers
}

/// The action of `onKeyPress(.return)`. The same object in every render.
@MainActor
final class ReturnAction {
    fileprivate var perform: (KeyPress) -> KeyPress.Result = { _ in .ignored }

    func callAsFunction() { _ = perform(KeyPress(phase: .down, key: .return, characters: "\r", modifiers: [])) }
}

private final class ReturnScope: Node {
    let action = ReturnAction()
}

private enum ReturnKey: LocalKey { static var defaultValue: ReturnAction? { nil } }

extension EnvironmentValues {
    /// The action for Return in a field.
    var returnAction: ReturnAction? {
        get { self[ReturnKey.self] }
        set { self[ReturnKey.self] = newValue }
    }
}

extension View {
    /// Handles a key while a view inside has the focus. Only Return without modifiers in a field is supported, without its repeats.
    public func onKeyPress(_ key: KeyEquivalent, action: @escaping () -> KeyPress.Result) -> some View {
        onKeyPress(key, phases: [.down, .repeat]) { _ in action() }
    }

    public func onKeyPress(
        _ key: KeyEquivalent, phases: KeyPress.Phases, action: @escaping (KeyPress) -> KeyPress.Result
    ) -> some View {
        rendering(isAdjustment: true) { content, context in
            context.scope(ReturnScope.init) { scope, inner in
                scope.action.perform = action
                var inner = inner
                if key == .return, phases.contains(.down) { inner.environment.returnAction = scope.action }
                content(inner)
            }
        }
    }
}
