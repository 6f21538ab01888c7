import SwiftUI
import Testing

/// Style rules.
@MainActor
@Suite struct StyleTests {
    private func styles(_ view: some View) -> [[StyleRule]] {
        let screen = ViewDriver(view)
        return screen.host.root.all.dropFirst().map(\.style)
    }

    @Test func boxModifiersKeepTheirOrder() {
        #expect(
            styles(Text("a").padding(4).background(.red).padding(.horizontal, 8)) == [
                [.padding(EdgeInsets(top: 0, leading: 8, bottom: 0, trailing: 8))], [.background(.color(.red))],
                [.padding(EdgeInsets(top: 4, leading: 4, bottom: 4, trailing: 4))], [],
            ])
        #expect(styles(Text("a").background(.red).padding(4)).map(\.count) == [1, 1, 0])
        #expect(styles(Text("a").padding()).first == [.padding(EdgeInsets(top: 16, leading: 16, bottom: 16, trailing: 16))])
    }

    @Test func traitsApplyToTheNextElementInside() {
        #expect(styles(Text("a").opacity(0.5).blur(radius: 2)) == [[.blur(2), .opacity(0.5)]])
        #expect(
            styles(
                Group {
                    Text("a"); Text("b")
                }.opacity(0.5)) == [[.opacity(0.5)], [.opacity(0.5)]])
        #expect(styles(VStack(spacing: 3) { Text("a") }.cornerRadius(8)).first?.first == .corners(.radius(8)))
    }

    @Test func framesWriteTheirSizes() {
        let rules = styles(
            VStack {
                Text("a").frame(width: 10, alignment: .leading)
                Text("b").frame(minHeight: 5, maxHeight: .infinity)
            }
        ).joined().compactMap { rule in if case .frame(let frame) = rule { frame } else { nil } }
        #expect(rules.map(\.width) == [10, nil])
        #expect(rules.map(\.minHeight) == [nil, 5])
        #expect(rules.map(\.maxHeight) == [nil, .infinity])
        #expect(rules.map(\.alignment) == [.leading, .center])
    }

    @Test func levelsAreShadesOfTheColourAround() {
        #expect(styles(Text("a").foregroundStyle(.secondary)) == [[.foreground(.level(2))]])
        #expect(
            styles(VStack { Text("a").foregroundStyle(.secondary) }.foregroundStyle(.red)).last
                == [.foreground(.faded(.color(.red), 0.6))])
        #expect(
            styles(VStack { Text("a").foregroundStyle(.primary) }.foregroundStyle(.red)).last == [.foreground(.color(.red))])
        #expect(styles(VStack { VStack { Text("a") }.foregroundColor(nil) }.foregroundStyle(.red)).last == [])
        #expect(styles(Rectangle().fill(.tertiary)).last?.last == .background(.level(3)))
    }

    @Test func coloursCanBeFainter() {
        #expect(Color.red.opacity(0.5).opacity(0.5) == Color.red.opacity(0.25))
        #expect(styles(Color.red.opacity(0.5)) == [[.background(.color(.red.opacity(0.5)))]])
        #expect(Color(hue: 1.0 / 3, saturation: 1, brightness: 1) == Color(red: 0, green: 1, blue: 0))
    }

    @Test func aTintIsAStyleOfItsContainer() {
        let screen = ViewDriver(VStack { Button("a") {} }.tint(.green))
        #expect(screen.host.root.first(.vstack)?.style.contains(.tint(.color(.green))) == true)
    }

    @Test func shapesAreBoxesWithCorners() {
        #expect(styles(Circle().fill(.blue)).last == [.corners(.circle), .background(.color(.blue))])
        #expect(
            styles(RoundedRectangle(cornerRadius: 5).strokeBorder(.red, lineWidth: 2)).last
                == [.corners(.radius(5)), .border(.color(.red), width: 2, dash: false)])
        #expect(styles(Text("a").clipShape(.rect(cornerRadius: 3))).last == [.corners(.radius(3))])
        #expect(
            styles(Text("a").background(.ultraThinMaterial, in: .capsule)).first
                == [.background(.material(.ultraThin)), .corners(.capsule)])
    }

    @Test func rowsThatLookAlikeShareTheirStyle() {
        let screen = ViewDriver(ForEach(0..<50, id: \.self) { Text("row \($0)").font(.caption).foregroundStyle(.red) })
        let places = screen.visible.filter { $0.kind == .text }.map { $0.style.withUnsafeBufferPointer { $0.baseAddress } }
        #expect(places.count == 50)
        #expect(Set(places).count == 1)
    }

    @Test func animationsAndTransitionsAreNamed() {
        let screen = ViewDriver(
            Text("a").transition(.move(edge: .top).combined(with: .opacity)).animation(.linear(duration: 1), value: 1))
        let text = screen.visible.last
        #expect(text?.attributes[.transition] == "move-top opacity")
        #expect(text?.style == [.motion(.linear(duration: 1))])
    }
}
