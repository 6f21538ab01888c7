import SwiftUI
import Testing

@testable import WebRenderer

/// Styles as CSS.
@MainActor
@Suite struct CSSTests {
    /// The declarations of the first element of `kind`.
    private func css<V: View>(_ kind: ElementKind, _ view: V) throws -> String {
        let driver = ViewDriver(view)
        return CSS.declarations(of: try #require(driver.visible.first { $0.kind == kind }))
    }

    @Test func defaultStylesAreNotSent() throws {
        #expect(try css(.text, Text("a")) == "")
        #expect(try css(.vstack, VStack { Text("a") }) == "")
    }

    @Test func fontsGrowWithTheReadersTextSize() throws {
        #expect(try css(.text, Text("a").font(.title)) == "font:400 1.75rem/2.125rem var(--font)")
        #expect(try css(.text, Text("a").font(.headline).italic()) == "font:italic 600 1.063rem/1.375rem var(--font)")
        #expect(try css(.text, Text("a").font(.custom("Pager", fixedSize: 12))) == "font:400 12px/normal \"Pager\",var(--font)")
    }

    @Test func spacingIsAddedToTheLinesOfTheFont() throws {
        #expect(try css(.text, Text("a").lineSpacing(8)) == "line-height:calc(1lh + 8px)")
        #expect(try css(.text, Text("a").font(.caption).lineSpacing(8)).hasSuffix("line-height:calc(1rem + 8px)"))
        #expect(try css(.text, Text("a").font(.system(size: 30)).lineSpacing(8)).hasSuffix("line-height:calc(1.2em + 8px)"))
    }

    @Test func fontNamesAreEscaped() throws {
        let style = try css(.text, Text("a").font(.custom("x\";background:url(//evil)\\", size: 12)))
        #expect(style == "font:400 0.75rem/normal \"xbackgroundurlevil\",var(--font)")
    }

    @Test func invalidNumbersBecomeZero() throws {
        #expect(try css(.pad, Text("a").padding(.nan)) == "padding:0px 0px 0px 0px")
        #expect(try css(.frame, Text("a").frame(width: .infinity, height: -.infinity)) == "")
        #expect(try css(.text, Text("a").opacity(.nan)) == "")
        #expect(try css(.text, Text("a").offset(x: .infinity)) == "transform:translate(0px,0)")
    }

    @Test func transformsKeepTheirOrder() throws {
        let style = try css(.text, Text("a").rotationEffect(.degrees(90)).offset(x: 5, y: 0))
        #expect(style.contains("transform:translate(5px,0) rotate(90deg)"))
    }

    @Test func opacitiesAreMultiplied() throws {
        #expect(try css(.text, Text("a").opacity(0.5).opacity(0.5)) == "opacity:0.25")
    }

    @Test func levelsFadeTheColourAround() throws {
        #expect(try css(.text, Text("a").foregroundStyle(.secondary)) == "color:var(--secondaryLabel)")
        let inside = VStack { Text("a").foregroundStyle(.secondary) }.foregroundStyle(.red)
        #expect(try css(.text, inside) == "color:color-mix(in srgb, var(--red) 60%, transparent)")
    }

    @Test func aPromptHasAColourOfItsOwn() throws {
        let field = TextField("a", text: .constant(""), prompt: Text("b").foregroundStyle(.red)).foregroundStyle(.blue)
        #expect(try css(.field, field) == "color:var(--blue);--placeholderText:var(--red)")
    }

    @Test func paddingAndFrame() throws {
        #expect(try css(.pad, Text("a").padding(.horizontal, 8)) == "padding:0 8px")
        #expect(
            try css(.frame, Text("a").frame(maxWidth: .infinity, alignment: .leading)) == "max-width:none;place-items:center start")
    }

    private struct Corner: Shape {
        func path(in rect: CGRect) -> Path {
            Path { path in
                path.addLines([
                    CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY), CGPoint(x: rect.minX, y: rect.maxY),
                ])
            }
        }
    }

    @Test func aPathIsFilledOrDrawn() throws {
        #expect(try css(.path, Corner().fill(.red)) == "fill:var(--red)")
        #expect(try css(.path, Corner().fill(.red, style: FillStyle(eoFill: true))) == "fill:var(--red);fill-rule:evenodd")
        let line = StrokeStyle(lineWidth: 2, dash: [6, 3])
        #expect(
            try css(.path, Corner().stroke(.tint, style: line)) == "stroke:var(--tint);stroke-width:2px;stroke-dasharray:6 3")
        let square = Path(CGRect(x: 0, y: 0, width: 9, height: 9))
        #expect(try css(.path, square.fill(.red)) == "fill:var(--red);shape-rendering:crispEdges")
    }

    @Test func clipPathsBecomePolygons() throws {
        #expect(
            try css(.text, Text("a").clipShape(Corner()))
                == "clip-path:polygon(0% 0%,0% 0%,100% 0%,0% 100%,0% 0%,0% 0%)")
        let two = Path { $0.addRects([CGRect(x: 1, y: 1, width: 2, height: 2), CGRect(x: 5, y: 5, width: 2, height: 2)]) }
        #expect(
            try css(.shape, two.fill(Color.red.gradient)).hasPrefix(
                "clip-path:polygon(1px 1px,1px 1px,3px 1px,3px 3px,1px 3px,1px 1px,1px 1px,5px 5px,7px 5px,7px 7px,5px 7px,5px 5px,1px 1px)"
            ))
        let many = Path { $0.addRects((0..<5000).map { CGRect(x: Double($0), y: 0, width: 1, height: 1) }) }
        #expect(try css(.text, Text("a").clipShape(many)).utf8.count < Path.maximumLength + 100)
        #expect(try css(.text, Text("a").clipShape(Path())) == "clip-path:polygon(0px 0px)")
    }

    @Test func motionHasADurationACurveAndADelay() {
        #expect(CSS.motion(.easeInOut(duration: 0.3)) == "300ms ease-in-out")
        #expect(CSS.motion(.linear(duration: 1).delay(0.5).speed(2)) == "500ms linear 250ms")
    }
}
