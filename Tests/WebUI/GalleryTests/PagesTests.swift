import SwiftUI
import Testing

@testable import gallery

/// The list of pages.
@Suite struct PagesTests {
    @Test(arguments: GalleryPage.allCases)
    func everyPageOpensAndGoesBack(page: GalleryPage) throws {
        let screen = ViewDriver(GalleryScreen())
        #expect(screen.title == "Gallery")
        try screen.tap(page.title)
        #expect(screen.title == page.title)
        #expect(screen.texts.count > 1)
        try screen.back()
        #expect(screen.title == "Gallery")
    }

    @Test func everyPageIsInOneSection() {
        let listed = GallerySection.all.flatMap(\.pages)
        #expect(listed.count == GalleryPage.allCases.count)
        #expect(Set(listed) == Set(GalleryPage.allCases))
    }
}
