/// A refresh action and its state.
@MainActor @Observable
final class RefreshModel {
    private(set) var isRunning = false
    @ObservationIgnored var action: (@Sendable () async -> Void)?
    @ObservationIgnored private var task: Task<Void, Never>?

    func start() {
        guard !isRunning, let action else { return }
        isRunning = true
        task = Task {
            await action()
            isRunning = false
        }
    }

    func cancel() { task?.cancel() }
}

private final class RefreshScope: Node {
    let model = RefreshModel()
    override func willUnmount() { model.cancel() }
}

private enum RefreshKey: LocalKey { static var defaultValue: RefreshModel? { nil } }

extension EnvironmentValues {
    var refresh: RefreshModel? {
        get { self[RefreshKey.self] }
        set { self[RefreshKey.self] = newValue }
    }
}

extension View {
    public func refreshable(@_inheritActorContext action: @escaping @Sendable () async -> Void) -> some View {
        rendering { content, context in
            context.scope(RefreshScope.init) { scope, inner in
                scope.model.action = action
                var inner = inner
                inner.environment.refresh = scope.model
                content(inner)
            }
        }
    }
}
