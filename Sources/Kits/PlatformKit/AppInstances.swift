/// Objects of which there is one per phone and app: its client, its line, its outbox. Two screens of one app share them.
@MainActor
public final class AppInstances {
    private var instances: [ObjectIdentifier: AnyObject] = [:]

    public nonisolated init() {}

    /// The instance of this type; made the first time.
    public func instance<Instance: AnyObject>(_ type: Instance.Type = Instance.self, make: () -> Instance) -> Instance {
        if let instance = instances[ObjectIdentifier(type)] as? Instance { return instance }
        let instance = make()
        instances[ObjectIdentifier(type)] = instance
        return instance
    }

    /// Lets go of all of them: the phone was forgotten, or nobody has used it for long.
    public func removeAll() { instances = [:] }
}
