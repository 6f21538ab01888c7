/// A stored property of a view that is connected to its storage or the environment before `body` runs.
public protocol DynamicProperty {
    /// Updates the property before `body` runs, after the properties inside are connected.
    @preconcurrency @MainActor mutating func update()

    /// Connects the property at `pointer`, which holds a `Self`.
    @MainActor static func _link(_ pointer: UnsafeMutableRawPointer, _ linker: _Linker)
}

extension DynamicProperty {
    @MainActor public mutating func update() {}

    @MainActor public static func _link(_ pointer: UnsafeMutableRawPointer, _ linker: _Linker) {
        linker.linkFields(of: Self.self, at: pointer)
        pointer.assumingMemoryBound(to: Self.self).pointee.update()
    }
}

/// The provider of storage for the dynamic properties of one component, in the order of the fields.
@MainActor
public struct _Linker {
    let component: AnyComponent
    let environment: EnvironmentValues
    private let next = Counter()

    private final class Counter { var value = 0 }

    init(component: AnyComponent, environment: EnvironmentValues) {
        self.component = component
        self.environment = environment
    }

    /// Returns the storage of the next property. The first evaluation creates it with `make`; it lives as long as the component.
    func slot<Content: AnyObject>(_ make: () -> Content) -> Content {
        defer { next.value += 1 }
        if next.value < component.slots.count, let content = component.slots[next.value] as? Content { return content }
        let content = make()
        component.slots.append(content)
        return content
    }

    func linkFields(of type: Any.Type, at pointer: UnsafeMutableRawPointer) {
        for field in Fields.of(type).dynamic { field.type._link(pointer + field.offset, self) }
    }
}
