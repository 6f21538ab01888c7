import SwiftUI
import Testing

@testable import gallery

/// Sheets, alerts, dialogs.
@Suite struct PresentationPagesTests {
    @Test(arguments: [
        ("Plain sheet", "Plain"), ("Half height", "Half"), ("Half or full height", "Half or full"), ("A quarter", "A quarter"),
        ("Only by its button", "Staying"),
    ])
    func aSheetComesAndGoes(button: String, title: String) throws {
        let screen = try ViewDriver(page: .sheet)
        try screen.tap(button)
        #expect(screen.texts.first == title)
        try screen.tap("Dismiss")
        #expect(screen.title == "Sheet")
        #expect(screen.value("dismissed") == "sheet")
    }

    @Test func detentsAreReported() throws {
        let screen = try ViewDriver(page: .sheet)
        try screen.tap("Half or full height")
        let sheet = try #require(screen.visible.first { $0.kind == .sheet })
        #expect(sheet.attributes[.detents] == .list(["medium", "large"]))
        #expect(sheet.attributes[.grab] == .on)
    }

    @Test func aSheetCanBeSwipedAway() throws {
        let screen = try ViewDriver(page: .sheet)
        try screen.tap("Plain sheet")
        try screen.dismiss()
        #expect(screen.value("dismissed") == "sheet")
    }

    @Test func interactiveDismissalCanBeDisabled() throws {
        let screen = try ViewDriver(page: .sheet)
        try screen.tap("Only by its button")
        #expect(screen.visible.first { $0.kind == .sheet }?.attributes[.stay] == .on)
    }

    @Test func typedTextInASheetSurvivesASecondSheet() throws {
        let screen = try ViewDriver(page: .sheet)
        try screen.tap("Sheet in a sheet")
        try screen.type("draft", into: "Kept while covered")
        try screen.tap("Show the inner sheet")
        #expect(screen.texts.first == "Inner")
        try screen.tap("Dismiss")
        #expect(try screen.content(of: "Kept while covered") == "draft")
        try screen.tap("Dismiss")
        #expect(screen.title == "Sheet")
    }

    @Test func aSheetHasBarsOfItsOwn() throws {
        let screen = try ViewDriver(page: .sheet)
        try screen.tap("With a long list")
        #expect(screen.title == "Long")
        try screen.tap("Done")
        #expect(screen.title == "Sheet")
    }

    @Test func aCoverComesAndGoes() throws {
        let screen = try ViewDriver(page: .sheet)
        try screen.tap("Full screen cover")
        #expect(screen.visible.first { $0.kind == .sheet }?.attributes[.cover] == .on)
        try screen.tap("Dismiss")
        #expect(screen.value("dismissed") == "cover")
    }

    @Test func anAlertWithoutButtonsHasOne() throws {
        let screen = try ViewDriver(page: .alert)
        try screen.tap("A note")
        #expect(screen.title == "Saved")
        try screen.tap("OK")
        #expect(screen.title == "Alert")
    }

    @Test(arguments: [
        ("A question", "Delete the message?", "Delete", "deleted"), ("A question", "Delete the message?", "Cancel", "cancelled"),
        ("Three answers", "Which one?", "Two", "Two"), ("An error", "The box cannot be reached", "Try again", "again"),
    ])
    func anAlertIsAnswered(button: String, title: String, choice: String, answer: String) throws {
        let screen = try ViewDriver(page: .alert)
        try screen.tap(button)
        #expect(screen.title == title)
        try screen.tap(choice)
        #expect(screen.value("answer") == answer)
        #expect(screen.title == "Alert")
    }

    @Test func anAlertHasAField() throws {
        let screen = try ViewDriver(page: .alert)
        try screen.tap("A field")
        try screen.type("Ada", into: "Name")
        try screen.tap("OK")
        #expect(screen.value("answer") == "name Ada")
    }

    @Test(arguments: [
        ("Without a title", "By date", "date"), ("Without a title", "Cancel", "none"),
        ("With title and message", "Save it", "saved"),
        ("With title and message", "Delete it", "deleted"), ("With title and message", "Keep writing", "kept"),
    ])
    func aDialogIsAnswered(button: String, choice: String, answer: String) throws {
        let screen = try ViewDriver(page: .confirmationDialog)
        try screen.tap(button)
        try screen.tap(choice)
        #expect(screen.value("answer") == answer)
    }

    @Test func dialogsShowTheirTitleOnRequest() throws {
        let screen = try ViewDriver(page: .confirmationDialog)
        try screen.tap("Without a title")
        #expect(screen.title == nil)
        try screen.dismiss()
        try screen.tap("With title and message")
        #expect(screen.title == "Delete the draft?")
        #expect(screen.has("What is not saved is lost."))
    }
}
