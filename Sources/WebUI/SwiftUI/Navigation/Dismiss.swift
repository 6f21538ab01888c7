/// An action that dismisses the page or sheet of a view.
@MainActor @preconcurrency
public struct DismissAction: Equatable, Sendable {
    /// The target of a dismissal. The same object in every render, so that environments with it are equal.
    @MainActor
    final class Target {
        var perform: @MainActor () -> Void = {}
        nonisolated init() {}
    }
    private let target: Target?

    nonisolated init(_ target: Target?) { self.target = target }

    public func callAsFunction() { target?.perform() }

    nonisolated public static func == (first: DismissAction, second: DismissAction) -> Bool { first.target === second.target }
}

private enum DismissKey: EnvironmentKey { static var defaultValue: DismissAction { DismissAction(nil) } }

extension EnvironmentValues {
    public internal(set) var dismiss: DismissAction {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}
