import SwiftUI

@testable import gallery

extension ViewDriver {
    /// The gallery with one page open.
    convenience init(page: GalleryPage) throws {
        self.init(GalleryScreen())
        try tap(page.title)
    }

    /// The text with this identifier.
    func value(_ identifier: String) -> String? {
        visible.last { $0.attributes[.identifier]?.text == identifier }?.attributes[.text]?.text
    }

    /// The text of the field with this label.
    func content(of field: String) throws -> String? { try find(field, .field).attributes[.value]?.text }

    func isFocused(_ field: String) throws -> Bool { try find(field, .field).attributes[.focused] == .on }

    func isDisabled(_ name: String, _ kind: ElementKind = .button) throws -> Bool {
        try find(name, kind).attributes[.disabled] == .on
    }
}
