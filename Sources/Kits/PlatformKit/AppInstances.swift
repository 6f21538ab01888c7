/// The objects that exist once per phone and app: its client, its line, its outbox. The screens of an app share them.
@MainActor
package final class AppInstances {
    private var instances: [ObjectIdentifier: AnyObject] = [:]

    package nonisolated init() {}

    /// Returns the instance of this type, created by the first call.
    package func instance<Instance: AnyObject>(_ type: Instance.Type = Instance.self, make: () -> Instance) -> Instance {
        if let instance = instances[ObjectIdentifier(type)] as? Instance { return instance }
        let instance = make()
        instances[ObjectIdentifier(type)] = instance
        return instance
    }

    /// Releases all instances. Called when the phone is forgotten, or has not been used for long.
    package func removeAll() { instances = [:] }
}
