import EndlessCodeClient
import EndlessCodeWire
import SwiftUI
import ViewKit

// Types of the client are not isolated.
@MainActor
extension CodeProblem {
    /// The sentence that says what happened and what to do.
    var words: String {
        switch self {
        case .storage: String(localized: "This phone could not store it. Free some space, and try again.", bundle: .module)
        case .outboxFull: String(localized: "Too many messages are waiting. Connect to the server first.", bundle: .module)
        case .camera:
            String(localized: "There is no camera that this app can use. Paste the text of the QR code instead.", bundle: .module)
        case .clipboard:
            String(localized: "This couldn’t be copied. Hold your finger on the text, and copy it there.", bundle: .module)
        case .promptTooLong: String(localized: "The message is too long. Shorten it to 256 KB.", bundle: .module)
        case .invalidAnswer: String(localized: "The question does not allow this answer.", bundle: .module)
        case .expired: String(localized: "The message was too old to be sent.", bundle: .module)
        case .elsewhere: String(localized: "This belongs to another server.", bundle: .module)
        case .noServer: String(localized: "Add a server in the settings first.", bundle: .module)
        case .address(let error): error.words
        case .link(let error): error.words
        case .invalidToken: String(localized: "This is not a token. Copy it again from the server’s terminal.", bundle: .module)
        case .notAllowed(let address): refusal(of: "\(address)")
        default: connectionWords
        }
    }

    private var connectionWords: String {
        switch self {
        case .notConnected: String(localized: "There is no connection to the server.", bundle: .module)
        case .localNetworkDenied: .localNetworkDenied
        case .network:
            String(localized: "The server cannot be reached. Check its address, and that it is running.", bundle: .module)
        case .timeout: String(localized: "The server did not answer in time. Try again.", bundle: .module)
        case .tls: String(localized: "No secure connection could be made.", bundle: .module)
        case .certificateChanged:
            String(localized: "The server has another certificate than before. Nothing was sent.", bundle: .module)
        case .tokenMissing: String(localized: "The server needs a token.", bundle: .module)
        case .tokenRefused: String(localized: "The server refused the token. Scan its QR code again.", bundle: .module)
        case .notAServer: String(localized: "There is another program at this address, not EndlessCode.", bundle: .module)
        case .server(let code, let message): code.words ?? message
        default: String(localized: "Something went wrong. Try again.", bundle: .module)
        }
    }
}

@MainActor
extension ErrorCode {
    /// The words for a person; nil for a code whose message says more.
    var words: String? {
        switch self {
        case .sessionLimit:
            String(localized: "Five agents are running already. Pause or end another session first.", bundle: .module)
        case .agentNotFound: String(localized: "The agent’s program was not found on the server.", bundle: .module)
        case .agentCrashed: String(localized: "The agent ended unexpectedly.", bundle: .module)
        case .agentSilent: String(localized: "The agent has been silent for 30 seconds.", bundle: .module)
        case .parseError: String(localized: "A line of the agent could not be read.", bundle: .module)
        case .sessionNotActive: String(localized: "Resume the session first.", bundle: .module)
        case .sessionNotFound: String(localized: "The server does not have this session.", bundle: .module)
        case .projectNotFound: String(localized: "The server does not have this project.", bundle: .module)
        case .fileNotFound: String(localized: "The file does not exist any more.", bundle: .module)
        case .fileTooLarge: String(localized: "The file is too large.", bundle: .module)
        case .pathForbidden: String(localized: "The path leads out of the project.", bundle: .module)
        case .storageFull: String(localized: "The server’s disk is full. Free some space on it, and try again.", bundle: .module)
        case .queueFull: String(localized: "Too many messages wait for the agent. Send it again later.", bundle: .module)
        case .promptClosed: String(localized: "The question was answered or closed before.", bundle: .module)
        case .authFailed, .tokenExpired: String(localized: "The server refused the token. Scan its QR code again.", bundle: .module)
        default: nil
        }
    }
}

/// The refusal of a box whose operator must allow the address first, with the commands to do so.
@MainActor
private func refusal(of address: String) -> String {
    String(
        localized:
            "This box does not connect to \(address) yet. Whoever runs it can allow it now, with “switchboard endlesscode allow \(address)”, or at the next start, with “switchboard serve --allow-server \(address)”.",
        bundle: .module)
}

@MainActor
extension ServerLinkError {
    var words: String {
        switch self {
        case .notALink: String(localized: "This is not the QR code of an EndlessCode server.", bundle: .module)
        case .address(let error): error.words
        case .tokenMissing: String(localized: "The QR code has no token.", bundle: .module)
        case .invalidToken: String(localized: "The token of the QR code is damaged.", bundle: .module)
        case .invalidFingerprint: String(localized: "The fingerprint of the QR code is damaged.", bundle: .module)
        }
    }
}

@MainActor
extension ConnectionHold {
    /// - Parameter problem: The failure of the last attempt.
    func words(after problem: CodeProblem?) -> String {
        switch self {
        case .cellular: String(localized: "There is no Wi-Fi. Connecting uses cellular data.", bundle: .module)
        case .cellularDeclined: String(localized: "Not connected, to save cellular data.", bundle: .module)
        case .certificate: String(localized: "Compare the server’s certificate before the first connection.", bundle: .module)
        case .certificateDeclined: String(localized: "Not connected: the certificate was not confirmed.", bundle: .module)
        case .certificateChanged:
            String(localized: "The server has another certificate than before. Nothing was sent.", bundle: .module)
        case .plainHTTP: String(localized: "The connection to this server is not encrypted.", bundle: .module)
        case .plainHTTPDeclined: String(localized: "Not connected: the connection would not be encrypted.", bundle: .module)
        case .tokenMissing: String(localized: "The server needs a token.", bundle: .module)
        case .tokenRefused: String(localized: "The server refused the token. Scan its QR code again.", bundle: .module)
        case .notAllowed(let address): refusal(of: "\(address)")
        case .gaveUp: problem?.words ?? String(localized: "The server cannot be reached.", bundle: .module)
        }
    }
}

extension NoticeWords {
    /// Creates the words of notifications in the phone's language. They are not of type `Text`, because no view shows them.
    @MainActor init(_ locale: Locale) {
        let word = WordTable(.module, locale)
        self.init(
            asks: word("The agent is waiting for your answer"), asksPermission: word("The agent asks for permission"),
            finished: word("The agent has finished"), failed: word("The agent has stopped with an error"),
            language: word.language)
    }
}
