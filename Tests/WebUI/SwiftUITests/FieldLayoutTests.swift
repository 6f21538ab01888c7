import Testing

@testable import SwiftUI

/// Assumptions about memory: offsets of fields, compared bytes, and references upwards that do not dangle.
///
/// The assumptions are decisions 27 to 29 in `Docs/Decisions`.
@Suite @MainActor struct FieldLayoutTests {
    struct Mixed: View {
        var flag = true
        @State var count: Int8 = 1
        var name = "name"
        @Environment(\.isEnabled) var isEnabled
        var small: UInt16 = 7
        @Binding var text: String
        var body: some View { Text(name) }
    }

    struct Generic<Content: View, Value>: View {
        var isOn = false
        var value: Value
        @State var number = 1.5
        let content: Content
        var body: some View { content }
    }

    struct Bundled: DynamicProperty {
        var byte: UInt8 = 1
        @State var value = 2
    }

    struct Outer: View {
        var byte: UInt8 = 0
        var bundled = Bundled()
        var body: some View { Text(verbatim: "\(bundled.value)") }
    }

    private func offsets<V: View>(of type: V.Type) -> [Int] { Fields.of(type).dynamic.map(\.offset) }

    @Test func dynamicPropertiesAreFoundInOrderAtTheirOffsets() {
        let types = Fields.of(Mixed.self).dynamic.map { "\($0.type)" }
        // A binding is a value: it refers to its storage and needs no connection.
        #expect(types == ["State<Int8>", "Environment<Bool>"])
        #expect(offsets(of: Mixed.self) == offsets(of: Mixed.self).sorted())
        #expect(offsets(of: Outer.self) == [MemoryLayout<Outer>.offset(of: \.bundled)!])
        let generic = MemoryLayout<Generic<Text, String>>.offset(of: \.content)!
        #expect(offsets(of: Generic<Text, String>.self).allSatisfy { $0 > 0 && $0 < generic })
    }

    @Test func adjacentFieldsFormOneByteRange() {
        struct Packed: View {
            var first: Int32 = 1
            var second: Int32 = 2
            var third = 3
            var body: some View { EmptyView() }
        }
        #expect(Fields.of(Packed.self).bytes == [0..<16])
    }

    struct Gapped: View {
        var flag: Bool
        var number: Int
        var body: some View { EmptyView() }
    }

    /// The bytes between two fields have no defined content.
    @Test func bytesBetweenFieldsDoNotCount() {
        func make(filledWith byte: UInt8, flag: Bool = true) -> Gapped {
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: MemoryLayout<Gapped>.stride, alignment: MemoryLayout<Gapped>.alignment)
            defer { memory.deallocate() }
            memory.initializeMemory(as: UInt8.self, repeating: byte)
            memory.storeBytes(of: flag, toByteOffset: 0, as: Bool.self)
            memory.storeBytes(of: 5, toByteOffset: MemoryLayout<Gapped>.offset(of: \.number)!, as: Int.self)
            return memory.load(as: Gapped.self)
        }
        #expect(Fields.of(Gapped.self).bytes == [0..<1, 8..<16])
        #expect(haveSameBits(make(filledWith: 0), make(filledWith: 255), Fields.of(Gapped.self).bytes))
        #expect(!haveSameBits(make(filledWith: 0), make(filledWith: 0, flag: false), Fields.of(Gapped.self).bytes))
    }

    /// The old value keeps its storage, so that a change is never made in place.
    @Test func aChangedArrayCopyDiffers() {
        struct Listing: View {
            var values: [Int]
            var body: some View { EmptyView() }
        }
        let old = Listing(values: [1, 2, 3])
        var new = old
        let fields = Fields.of(Listing.self).bytes
        #expect(haveSameBits(old, new, fields))
        new.values[0] = 4
        #expect(!haveSameBits(old, new, fields))
        #expect(old.values == [1, 2, 3])
    }

    @Observable
    final class Sizes {
        var sizes: [Int] = [3, 0, 2]
    }

    struct Changing: View {
        let model: Sizes
        var body: some View {
            List {
                ForEach(Array(model.sizes.enumerated()), id: \.offset) { index, size in
                    if index.isMultiple(of: 2) { VStack { ForEach(0..<size, id: \.self) { Row(number: $0) } } } else { Text("odd") }
                }
            }
        }
    }

    struct Row: View {
        let number: Int
        @State private var count = 0
        var body: some View { Button("\(number) \(count)") { count += 1 } }
    }

    private func nodes(below node: Node) -> [Node] { [node] + node.children.flatMap { nodes(below: $0) } }

    @Test(arguments: 0..<20)
    func referencesUpwardsAreClearedOnUnmount(_ number: Int) {
        var generator = Dice(state: UInt64(number))
        let model = Sizes()
        let host = ViewHost(Changing(model: model))
        var known: [ObjectIdentifier: Node] = [:]
        for _ in 0..<20 {
            for node in nodes(below: host.root) {
                known[ObjectIdentifier(node)] = node
                for child in node.children { #expect(child.parent === node) }
            }
            model.sizes = (0..<Int.random(in: 0...5, using: &generator)).map { _ in Int.random(in: 0...5, using: &generator) }
            host.flush()
        }
        host.close()
        for node in known.values {
            #expect(node.parent == nil && !node.isMounted)
            if let component = node as? AnyComponent {
                #expect(component.invalidation.component == nil && component.invalidation.isOver)
            }
        }
    }
}
