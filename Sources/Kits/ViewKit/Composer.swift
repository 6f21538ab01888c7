package import SwiftUI

extension View {
    /// Lets Return on an attached keyboard send what is written in the field; Shift-Return breaks the line. Return of a keyboard on the screen
    /// breaks the line, and Return that ends a composition does neither.
    ///
    /// - Parameter send: Called whether or not there is something to send.
    package func sendsWithReturn(_ send: @escaping () -> Void) -> some View {
        onKeyPress(.return, phases: [.down, .repeat]) { press in
            guard press.modifiers.isDisjoint(with: [.shift, .control, .option, .command]) else { return .ignored }
            if press.phase == .down { send() }
            return .handled
        }
    }
}
