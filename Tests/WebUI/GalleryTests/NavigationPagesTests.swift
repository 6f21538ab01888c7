import SwiftUI
import Testing

@testable import gallery

/// Pages, bars, tabs.
@Suite struct NavigationPagesTests {
    @Test func linksByValueGoDeeper() throws {
        let screen = try ViewDriver(page: .navigation)
        try screen.tap("By value")
        #expect(screen.title == "Number 1")
        try screen.tap("Next number")
        #expect(screen.title == "Number 2")
        try screen.back()
        try screen.back()
        #expect(screen.title == "Navigation")
        #expect(try screen.isDisabled("Disabled"))
    }

    @Test(arguments: ["By view", "By a flag", "No bar", "No back button"])
    func aPageDismissesItself(name: String) throws {
        let screen = try ViewDriver(page: .navigation)
        try screen.tap(name)
        #expect(screen.has("This is the page “\(name)”."))
        try screen.tap("Go back")
        #expect(screen.title == "Navigation")
        #expect(screen.value("flag") == "not set")
    }

    @Test func goingBackClearsTheItem() throws {
        let screen = try ViewDriver(page: .navigation)
        try screen.tap("By item")
        #expect(screen.title == "Apple")
        try screen.back()
        #expect(screen.value("item") == "none")
    }

    @Test func aPathIsPushedAndPopped() throws {
        let screen = try ViewDriver(page: .navigation)
        try screen.tap("A stack with a path")
        #expect(screen.value("path") == "empty")
        try screen.tap("Push")
        try screen.tap("Push three")
        #expect(screen.title == "Page 4")
        #expect(screen.value("path") == "1 2 3 4")
        try screen.tap("Pop")
        #expect(screen.title == "Page 3")
        try screen.back()
        #expect(screen.value("path") == "1 2")
        try screen.tap("Pop to the root")
        #expect(screen.title == "Root")
        try screen.tap("Close")
        #expect(screen.title == "Navigation")
    }

    @Test func titlesAreLargeOrInlineAndChange() throws {
        let screen = try ViewDriver(page: .navigation)
        try screen.tap("Large title")
        let page = try #require(screen.visible.last { $0.kind == .page })
        #expect(page.attributes[.large] == .on)
        try screen.tap("Change the title")
        #expect(screen.title == "Title 1")
        try screen.back()
        try screen.tap("Inline title")
        #expect(screen.visible.last { $0.kind == .page }?.attributes[.large] == nil)
    }

    @Test func itemsOfAllBarsAreTapped() throws {
        let screen = try ViewDriver(page: .toolbar)
        for name in ["Add", "Back in time", "Delete"] {
            try screen.tap(name)
            #expect(screen.value("last") == name)
        }
        #expect(!screen.has("Star"))
        try screen.tap("Another item")
        try screen.tap("Star")
        #expect(screen.value("last") == "Star")
        try screen.tap("Insert a star")
        #expect(try screen.content(of: "A field, for the bar above the keyboard") == "★")
    }

    @Test func aDialogsBarsReplaceThoseBelow() throws {
        let screen = try ViewDriver(page: .toolbar)
        try screen.tap("Bars of a dialog")
        #expect(screen.has("In the middle"))
        #expect(!screen.has("Back in time"))
        try screen.tap("Done")
        #expect(screen.value("last") == "Done")
        try screen.tap("Cancel")
        #expect(screen.title == "Toolbar")
    }

    @Test func tabsKeepTheirState() throws {
        let screen = try ViewDriver(page: .tabView)
        try screen.tap("Show the tabs")
        try screen.tap("Taps: 0")
        try screen.tap("A page in this tab")
        #expect(screen.title == "Inside")
        try screen.tap("Second")
        #expect(screen.title == "Second")
        try screen.tap("Go to the third")
        #expect(screen.title == "Third")
        try screen.tap("First")
        #expect(screen.title == "Inside")
        try screen.back()
        #expect(screen.has("Taps: 1"))
        try screen.tap("Third")
        try screen.tap("Close")
        #expect(screen.value("selected") == "Third")
    }
}
