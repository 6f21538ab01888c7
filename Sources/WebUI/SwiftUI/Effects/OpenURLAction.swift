/// An action that opens a URL with the handler of the app, if it has one, otherwise outside the app.
@MainActor @preconcurrency
public struct OpenURLAction: Sendable {
    /// The result of an app's handler.
    @MainActor @preconcurrency
    public struct Result: Sendable {
        fileprivate enum Outcome { case handled, discarded, system(URL?) }
        fileprivate let outcome: Outcome

        public static let handled = Result(outcome: .handled)
        public static let discarded = Result(outcome: .discarded)
        public static let systemAction = Result(outcome: .system(nil))
        public static func systemAction(_ url: URL) -> Result { Result(outcome: .system(url)) }
    }

    private let handler: ((URL) -> Result)?
    fileprivate var scene: SceneModel?

    public init(handler: @escaping (URL) -> Result) { self.handler = handler }

    fileprivate init(scene: SceneModel?) {
        handler = nil
        self.scene = scene
    }

    /// True if the app has a handler.
    var isCustom: Bool { handler != nil }

    public func callAsFunction(_ url: URL) { _ = open(url) }
    public func callAsFunction(_ url: URL, completion: @escaping (Bool) -> Void) { completion(open(url)) }

    private func open(_ url: URL) -> Bool {
        switch handler?(url).outcome ?? .system(nil) {
        case .handled: true
        case .discarded: false
        case .system(let other): scene?.open(other ?? url) ?? false
        }
    }
}

private enum OpenURLKey: EnvironmentKey {
    static var defaultValue: OpenURLAction? { nil }
}

extension EnvironmentValues {
    @MainActor public var openURL: OpenURLAction {
        get {
            var action = self[OpenURLKey.self] ?? OpenURLAction(scene: nil)
            action.scene = scene
            return action
        }
        set { self[OpenURLKey.self] = newValue }
    }
}
