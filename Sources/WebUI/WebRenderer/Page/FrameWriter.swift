package import SwiftUI

/// Encodes changes of a tree for the page. See `Docs/Protocols/WebUI.md`.
@MainActor
package enum FrameWriter {
    package static func write(_ change: Change, to json: inout JSONWriter) {
        switch change {
        case .replaced: preconditionFailure("a whole tree is a snapshot")
        case .appended(let element, let suffix):
            json.array {
                $0.string("a")
                $0.integer(element.id)
                $0.string(suffix)
            }
        case .updated(let element, let isRestyled, let attributes):
            json.array {
                $0.string("p")
                $0.integer(element.id)
                $0.object { json in
                    if isRestyled {
                        json.key("s")
                        let style = CSS.declarations(of: element)
                        if style.isEmpty { json.null() } else { json.string(style) }
                    }
                    for (name, value) in attributes { write(name, value, to: &json) }
                }
            }
        case .flags(let element):
            json.array {
                $0.string("g")
                $0.integer(element.id)
                $0.integer(element.flags.rawValue)
            }
        case .inserted(let element, let parent, let before):
            json.array {
                $0.string("i")
                $0.integer(parent.id)
                $0.integer(before?.id ?? 0)
                write(element, to: &$0)
            }
        case .moved(let element, let parent, let before):
            json.array {
                $0.string("m")
                $0.integer(parent.id)
                $0.integer(before?.id ?? 0)
                $0.integer(element.id)
            }
        case .removed(let id):
            json.array {
                $0.string("r")
                $0.integer(id)
            }
        }
    }

    /// Writes an element with its descendants.
    package static func write(_ element: Element, to json: inout JSONWriter) {
        json.object { json in
            json.key("i")
            json.integer(element.id)
            json.key("k")
            json.string(element.kind.rawValue)
            if !element.flags.isEmpty {
                json.key("g")
                json.integer(element.flags.rawValue)
            }
            let style = CSS.declarations(of: element)
            if !style.isEmpty || !element.attributes.isEmpty {
                json.key("p")
                json.object { json in
                    if !style.isEmpty {
                        json.key("s")
                        json.string(style)
                    }
                    for (name, value) in element.attributes { write(name, value, to: &json) }
                }
            }
            if !element.pageChildren.isEmpty {
                json.key("c")
                json.array { json in
                    for child in element.pageChildren { write(child, to: &json) }
                }
            }
        }
    }

    private static func write(_ name: AttributeName, _ value: AttributeValue?, to json: inout JSONWriter) {
        json.key(name.rawValue)
        switch value {
        case .text(let text): json.string(text)
        case .number(let number): json.number(number)
        case .on: json.integer(1)
        case .off: json.integer(0)
        case .list(let items):
            json.array { json in
                for item in items { json.string(item) }
            }
        case nil: json.null()
        }
    }
}
