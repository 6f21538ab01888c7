package import SwiftUI

extension View {
    /// Lets Return on an attached keyboard send the text in the field; Shift-Return breaks the line. Return of a keyboard on the
    /// screen breaks the line, and Return that ends a composition does neither.
    ///
    /// - Parameter send: Called also when there is nothing to send.
    package func sendsWithReturn(_ send: @escaping () -> Void) -> some View {
        onKeyPress(.return, phases: [.down, .repeat]) { press in
            guard press.modifiers.isDisjoint(with: [.shift, .control, .option, .command]) else { return .ignored }
            if press.phase == .down { send() }
            return .handled
        }
    }
}
