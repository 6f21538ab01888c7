import SwiftUI
import Testing

@testable import gallery

/// Fields and focus.
@Suite struct FieldPagesTests {
    @Test func typedTextReachesTheBinding() throws {
        let screen = try ViewDriver(page: .textField)
        try screen.type("Hello", into: "Plain")
        try screen.type("one\ntwo", into: "Multi-line")
        try screen.type("secret", into: "Secure")
        #expect(screen.value("plain") == "Hello")
        #expect(screen.value("lines") == "one\ntwo")
        #expect(screen.value("secret") == "6")
        #expect(!screen.texts.contains("secret"))
        try screen.tap("Clear the plain field")
        #expect(try screen.content(of: "Plain") == "")
    }

    @Test func aFilterRemovesDigits() throws {
        let screen = try ViewDriver(page: .textField)
        try screen.type("a1b2", into: "No digits")
        #expect(screen.value("letters") == "ab")
        #expect(try screen.content(of: "No digits") == "ab")
    }

    @Test func submissionTakesTheText() throws {
        let screen = try ViewDriver(page: .textField)
        try screen.type("swift", into: "Search")
        try screen.submit("Search")
        #expect(screen.value("submitted") == "swift")
        #expect(try screen.content(of: "Search") == "")
    }

    @Test func buttonsMoveTheFocus() throws {
        let screen = try ViewDriver(page: .textField)
        try screen.tap("Focus the plain field")
        #expect(try screen.isFocused("Plain"))
        #expect(screen.value("focused") == "yes")
        try screen.tap("End editing")
        #expect(try !screen.isFocused("Plain"))
    }

    @Test func eachKeyboardTypeIsRequested() throws {
        let screen = try ViewDriver(page: .textField)
        #expect(try screen.find("Telephone", .field).attributes[.inputMode]?.text == "tel")
        try screen.type("123", into: "Number")
        #expect(try screen.content(of: "Number") == "123")
        #expect(try screen.content(of: "Decimal") == "")
    }

    @Test func focusGoesFromFieldToField() throws {
        let screen = try ViewDriver(page: .focus)
        #expect(screen.value("focused") == "none")
        try screen.tap("Next")
        #expect(screen.value("focused") == "Given name")
        try screen.submit("Given name")
        #expect(try screen.isFocused("Family name"))
        try screen.focus("Town")
        #expect(screen.value("focused") == "Town")
        try screen.tap("Previous")
        #expect(try screen.isFocused("Family name"))
        try screen.tap("None")
        #expect(screen.value("focused") == "none")
        #expect(try !screen.isFocused("Family name"))
    }

    @Test func aFormSavesItsInput() throws {
        let screen = try ViewDriver(page: .form)
        #expect(try screen.isDisabled("Save"))
        try screen.type("Ada", into: "Name")
        #expect(screen.value("initial") == "A")
        try screen.tap("Save")
        #expect(screen.value("saved") == "Ada")
        try screen.tap("Online")
        #expect(try screen.isDisabled("Show previews", .toggle))
        try screen.tap("Sign out")
        #expect(try screen.content(of: "Name") == "")
    }
}
