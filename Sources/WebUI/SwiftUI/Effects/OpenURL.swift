/// The scope of `onOpenURL`.
final class OpenURLScope: Node {
    var action: (URL) -> Void = { _ in }

    override init(key: Key, parent: Node?, host: ViewHost) {
        super.init(key: key, parent: parent, host: host)
        host.openers.append(self)
    }

    override func willUnmount() { host.openers.removeAll { $0 === self } }
}

extension View {
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        rendering { content, context in
            let scope = context.scope(OpenURLScope.init) { _, inner in content(inner) }
            scope.action = action
        }
    }
}
