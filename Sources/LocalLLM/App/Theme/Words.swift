import LocalLLMClient
import LocalLLMWire
import SwiftUI
import ViewKit

// Types of the client are not isolated.
@MainActor
extension ChatProblem {
    /// The sentence that says what happened and what to do.
    var words: String {
        switch code {
        case .invalidServerID:
            String(localized: "This isn’t a Server ID. Copy it again from the computer, or scan its QR code.", bundle: .module)
        case .hostOffline: hostOffline
        case .connectFailed: connectFailed
        case .hostDisconnected: String(localized: "The connection to the host was lost.", bundle: .module)
        case .timeoutNoResponse: String(localized: "The host didn’t answer within 30 seconds. Try again.", bundle: .module)
        case .approvalPending: String(localized: "Approve this phone on the computer.", bundle: .module)
        case .approvalRefused:
            String(localized: "This phone wasn’t approved on the computer. Connect again to ask once more.", bundle: .module)
        default: hostWords
        }
    }

    private var hostOffline: String {
        cause == .impostor
            ? String(
                localized: "Somebody else answered in place of your host. Nothing was sent. Check that the host is running.",
                bundle: .module)
            : String(
                localized: "No host is running under this Server ID. Start it on the computer, and try again.", bundle: .module)
    }

    private var connectFailed: String {
        switch cause {
        case .network: String(localized: "The network can’t be reached. Check this device’s connection.", bundle: .module)
        case .noIPv4:
            String(
                localized:
                    "This network only has IPv6, and hosts are reached over IPv4. Use another network, such as cellular data.",
                bundle: .module)
        case .noIntroduction:
            String(localized: "The host answered, but didn’t introduce itself. Restart it, and try again.", bundle: .module)
        case .keyRefused: String(localized: "Not connected: the key of the host has changed.", bundle: .module)
        case .keychain: String(localized: "This phone can’t store its key. Free some space, and try again.", bundle: .module)
        default:
            String(
                localized: "The host is there, but no connection could be made. Try again, or use another network.", bundle: .module
            )
        }
    }

    private var hostWords: String {
        switch code {
        case .ollamaNotFound:
            String(localized: "No model server is running on the host. Start it there, and try again.", bundle: .module)
        case .ollamaModelNotAvailable: String(localized: "The host doesn’t have this model. Choose another one.", bundle: .module)
        case .modelBusy: String(localized: "The host is busy with somebody else. Try again in a moment.", bundle: .module)
        case .generationFailed where cause == .expired:
            String(localized: "The host doesn’t keep an answer for more than a day. Send the prompt again.", bundle: .module)
        case .generationFailed: String(localized: "The model broke off. Try again.", bundle: .module)
        case .contextExceeded:
            String(
                localized:
                    "The prompt is longer than the model can read at once. Shorten it, or give the model a larger context on the computer.",
                bundle: .module)
        case .generationAborted: String(localized: "The answer was stopped at the host.", bundle: .module)
        case .badMessage: String(localized: "The host couldn’t read the message. Update the app and the host.", bundle: .module)
        case .unsupportedVersion: String(localized: "The app and the host speak different versions. Update both.", bundle: .module)
        default: message
        }
    }
}

@MainActor
extension ChatClient.Step {
    var words: String {
        switch self {
        case .lookup: String(localized: "Looking for the host", bundle: .module)
        case .handshake: String(localized: "Exchanging keys", bundle: .module)
        case .holePunching: String(localized: "Finding a path between the networks", bundle: .module)
        case .stream: String(localized: "Opening the encrypted connection", bundle: .module)
        case .key: String(localized: "Waiting for your decision", bundle: .module)
        case .introduction: String(localized: "Waiting for the host", bundle: .module)
        case .approval: String(localized: "Approve this phone on the computer.", bundle: .module)
        case .approvalWithoutInvitation:
            String(
                localized: "The invitation was used already, or is too old. Approve this phone on the computer.", bundle: .module)
        }
    }
}

@MainActor
extension ChatProgress {
    var words: String {
        switch stage {
        case .loading: String(localized: "Loading the model", bundle: .module)
        case .reading: String(localized: "Reading the prompt", bundle: .module)
        case .thinking: String(localized: "Thinking", bundle: .module)
        }
    }
}

/// The sentence beside the camera's picture, which the phone shows, not a view.
@MainActor
func scanPrompt(_ locale: Locale) -> String {
    let word = WordTable(.module, locale)
    return word("Point the camera at the QR code that the host shows in its terminal.")
}
