#if os(iOS)
    import PlatformKit
    import UIKit

    struct DeviceClipboard: Clipboard {
        func copy(_ text: String) async throws { UIPasteboard.general.string = text }

        func paste() async throws -> String {
            guard UIPasteboard.general.hasStrings else { throw PhoneError.failed("nothing was copied") }
            // The system asks the user, unless the app itself has copied.
            guard let text = UIPasteboard.general.string else { throw PhoneError.denied }
            return text
        }
    }
#endif
