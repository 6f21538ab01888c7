import SwiftUI
import Testing

@testable import gallery

/// Texts, buttons, fields, switches.
@Suite struct ControlPagesTests {
    @Test func textShowsMoreLines() throws {
        let screen = try ViewDriver(page: .text)
        #expect(try screen.find("story").attributes[.lines] == .number(1))
        try screen.tap("Show more")
        #expect(try screen.find("story").attributes[.lines] == nil)
        #expect(screen.has("3 interpolated pieces"))
    }

    @Test func fontsBecomeBoldAndItalic() throws {
        let screen = try ViewDriver(page: .fonts)
        let before = try screen.find("Large title").style
        try screen.tap("Bold")
        try screen.tap("Italic")
        #expect(try screen.find("Large title").style != before)
    }

    @Test func aSymbolCanBeChosen() throws {
        let screen = try ViewDriver(page: .symbols)
        try screen.tap("checkmark")
        #expect(screen.value("chosen") == "Chosen: checkmark")
    }

    @Test func labelsShowTheirParts() throws {
        let screen = try ViewDriver(page: .label)
        #expect(screen.has("Title only"))
        #expect(screen.has("Subtitle"))
    }

    @Test(arguments: [
        "Row", "Delete", "With a symbol", "Plain", "Borderless", "Bordered", "Prominent", "Tinted", "Bordered delete", "Mini",
        "Small", "Regular", "Large", "Wide", "Custom",
    ])
    func everyButtonIsTapped(name: String) throws {
        let screen = try ViewDriver(page: .button)
        try screen.tap(name)
        #expect(screen.value("last") == name)
        #expect(screen.value("taps") == "1")
    }

    @Test func disabledButtonsAreNotTapped() throws {
        let screen = try ViewDriver(page: .button)
        #expect(try screen.isDisabled("Disabled row"))
        #expect(throws: DriverError.self) { try screen.tap("Disabled row") }
        try screen.tap("Disabled")
        try screen.tap("Disabled prominent")
        #expect(screen.value("last") == "Disabled prominent")
    }

    @Test func aCustomStyleReactsToPresses() throws {
        let screen = try ViewDriver(page: .button)
        try screen.press("Custom", down: true)
        #expect(screen.has("pressed"))
        try screen.press("Custom", down: false)
        #expect(screen.has("not pressed"))
    }

    @Test func aMenuRunsAnAction() throws {
        let screen = try ViewDriver(page: .menu)
        try screen.tap("Actions")
        try screen.tap("Rename")
        #expect(screen.value("last") == "Rename")
        try screen.tap("With a choice")
        try screen.tap("plum")
        #expect(screen.value("fruit") == "plum")
    }

    @Test func pickersSelect() throws {
        let screen = try ViewDriver(page: .picker)
        try screen.tap("Large")
        #expect(screen.value("size") == "3")
        try screen.tap("apple")
        try screen.tap("pear")
        #expect(screen.value("fruit") == "pear")
        try screen.tap("Right")
        #expect(screen.value("side") == "right")
    }

    @Test func linksHaveTheirAddress() throws {
        let screen = try ViewDriver(page: .link)
        #expect(try screen.find("Mail", .link).attributes[.href]?.text == "mailto:someone@example.com")
        #expect(try screen.isDisabled("Disabled", .link))
    }

    @Test func aButtonOpensAnAddress() throws {
        let scene = SceneModel()
        var opened: URL?
        scene.open = {
            opened = $0
            return true
        }
        let screen = ViewDriver(LinkPage(), scene: scene)
        try screen.tap("Open the Web")
        #expect(opened?.absoluteString == "https://www.swift.org/")
    }

    @Test func switchesChangeTheirState() throws {
        let screen = try ViewDriver(page: .toggle)
        try screen.tap("Plain")
        #expect(screen.value("plain") == "on")
        try screen.tap("Change it from outside")
        #expect(screen.value("plain") == "off")
        try screen.tap("Two lines")
        #expect(try screen.find("With a symbol", .toggle).attributes[.selected] == .off)
        try screen.tap("Alone")
        #expect(try screen.find("Alone", .toggle).attributes[.selected] == .on)
        #expect(throws: DriverError.self) { try screen.tap("Off") }
    }

    @Test func progressStopsAtTheEnd() throws {
        let screen = try ViewDriver(page: .progressView)
        for _ in 0..<9 { try screen.tap("10 % more") }
        #expect(screen.value("done") == "100 %")
        #expect(try screen.find("Circular").attributes[.fraction] == .number(1))
        try screen.tap("Start over")
        #expect(screen.value("done") == "0 %")
        #expect(try screen.find("Spinner").attributes[.fraction] == nil)
    }
}
