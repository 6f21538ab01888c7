/// A stored property of a view that is connected to something outside of it before `body` runs.
public protocol DynamicProperty {
    /// Called before `body`, after the properties inside are connected.
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

/// Hands out what the dynamic properties of one component are connected to, in the order of its fields.
@MainActor
public struct _Linker {
    let component: AnyComponent
    let environment: EnvironmentValues
    private let slots: Slots

    /// What lives as long as the component: boxes of `@State`.
    @MainActor
    final class Slots {
        var contents: [AnyObject] = []
        var next = 0
    }

    init(component: AnyComponent, environment: EnvironmentValues) {
        self.component = component
        self.environment = environment
        slots = component.slots
        slots.next = 0
    }

    /// What was made here the first time.
    func slot<Content: AnyObject>(_ make: () -> Content) -> Content {
        defer { slots.next += 1 }
        if slots.next < slots.contents.count, let content = slots.contents[slots.next] as? Content { return content }
        let content = make()
        slots.contents.append(content)
        return content
    }

    func linkFields(of type: Any.Type, at pointer: UnsafeMutableRawPointer) {
        for field in DynamicFields.of(type) { field.type._link(pointer + field.offset, self) }
    }
}
