/// Takes the page or sheet away that a view is on.
@MainActor @preconcurrency
public struct DismissAction: Equatable, Sendable {
    /// Stays the same from render to render, so that an environment with it compares equal.
    @MainActor
    final class Target {
        private weak var owner: AnyObject?
        private let perform: @MainActor () -> Void
        nonisolated let identity: ObjectIdentifier
        init(of owner: AnyObject, _ perform: @escaping @MainActor () -> Void) {
            self.owner = owner
            self.perform = perform
            identity = ObjectIdentifier(owner)
        }
        func callAsFunction() { if owner != nil { perform() } }
    }
    private let target: Target?

    nonisolated init(_ target: Target?) { self.target = target }

    public func callAsFunction() { target?() }

    nonisolated public static func == (first: DismissAction, second: DismissAction) -> Bool {
        first.target?.identity == second.target?.identity
    }
}

private enum DismissKey: EnvironmentKey { static var defaultValue: DismissAction { DismissAction(nil) } }

extension EnvironmentValues {
    public internal(set) var dismiss: DismissAction {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}
