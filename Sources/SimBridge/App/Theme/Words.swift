import SimBridgeClient
import SimBridgeWire
import SwiftUI
import ViewKit

/// Returns the name of the other party of a conversation or a call.
@MainActor
func contact(_ number: String) -> Text {
    number.isEmpty ? Text("Unknown number", bundle: .module) : Text(verbatim: number)
}

extension NoticeWords {
    /// The localized words of notifications. Notifications are not views, so the words are read directly from the string tables.
    @MainActor
    init(_ locale: Locale) {
        let word = WordTable(.module, locale)
        self.init(
            text: word("New text message"), call: word("Incoming call"), missed: word("Missed call"),
            identity: word("Verify your identity to continue."), language: word.language)
    }
}

extension DemonstrationWords {
    @MainActor
    init(_ locale: Locale) {
        let word = WordTable(.module, locale)
        self.init(
            host: word("Phone at home"), carriers: [word("Example Mobile"), word("Travel SIM")],
            texts: [
                word("Hi! Did you get home safely?"), word("Yes, thank you. The train was on time."),
                word("Great. Shall we have lunch on Friday?"),
            ],
            code: word("Your code is 204877. It is valid for ten minutes."),
            answers: [word("This is a demonstration, so I always answer."), word("Sounds good!")],
            refusal: word("This isn’t part of the demonstration."))
    }
}

extension CallRecord {
    @MainActor var words: Text {
        switch outcome {
        case .queued: Text("Waiting for the host", bundle: .module)
        case .underWay: isIncoming ? Text("Incoming call", bundle: .module) : Text("Outgoing call", bundle: .module)
        case .answered(let seconds):
            (isIncoming ? Text("Incoming call", bundle: .module) : Text("Outgoing call", bundle: .module))
                + Text(verbatim: seconds.map { ", " + callDuration($0) } ?? "")
        case .missed: Text("Missed call", bundle: .module)
        case .declined: Text("Declined call", bundle: .module)
        case .unanswered: Text("No answer", bundle: .module)
        case .cancelled: Text("Cancelled call", bundle: .module)
        case .expired: Text("Not placed: the host couldn’t be reached in time", bundle: .module)
        case .failed(let reason?): Text("Call failed: \(reason)", bundle: .module)
        case .failed(nil): Text("Call failed", bundle: .module)
        case .unknown: Text("Outgoing call, may not have been placed", bundle: .module)
        }
    }
}

// Error types are not isolated by default.
@MainActor
extension BridgeProblem {
    /// The user-visible message.
    var words: String {
        switch self {
        case .address(let error): error.words
        case .notAllowed(let address): Self.notAllowed("\(address)")
        case .localNetworkDenied: .localNetworkDenied
        case .network: String(localized: "Can’t reach the relay. Check the address and your network connection.", bundle: .module)
        case .timeout: String(localized: "The relay took too long to respond. Try again.", bundle: .module)
        case .notARelay: String(localized: "This server isn’t a SimBridge relay. Check the address.", bundle: .module)
        case .invalidCredentials: String(localized: "Incorrect username or password. Try again.", bundle: .module)
        case .usernameTaken: String(localized: "This username is taken. Choose another one.", bundle: .module)
        case .accountDeleted:
            String(
                localized: "This account has been deleted, and everything of it has been removed from this phone.", bundle: .module)
        case .sessionExpired: String(localized: "Your session has ended. Log in again.", bundle: .module)
        case .tooManyAttempts(let seconds?):
            String(localized: "Too many attempts. Try again in \(seconds) seconds.", bundle: .module)
        case .tooManyAttempts(nil): String(localized: "Too many attempts. Try again in a minute.", bundle: .module)
        default: otherWords
        }
    }

    private static func notAllowed(_ url: String) -> String {
        String(
            localized: "This box isn’t allowed to connect to \(url). Its operator can allow it with --allow-server.",
            bundle: .module)
    }

    private var otherWords: String {
        switch self {
        case .passwordTooShort: String(localized: "The password is too short. Use at least 8 characters.", bundle: .module)
        case .passwordTooLong: String(localized: "The password is too long. Choose a shorter one.", bundle: .module)
        case .passwordCommon: String(localized: "This password is too easy to guess. Choose another one.", bundle: .module)
        case .wrongPassword: String(localized: "The password is incorrect. Try again.", bundle: .module)
        case .registrationClosed:
            String(localized: "This relay doesn’t accept new accounts. Contact its operator.", bundle: .module)
        case .tooLate: String(localized: "The connection was too slow. Try again.", bundle: .module)
        case .malformedCode: String(localized: "Enter the 6-digit code.", bundle: .module)
        case .wrongCode(nil): String(localized: "Invalid or expired code. Get a new code from the host.", bundle: .module)
        case .wrongCode(.wrong?): String(localized: "Invalid code. Check the code that the host shows.", bundle: .module)
        case .wrongCode(.expired?):
            String(localized: "This code has expired. Enter the newest code that the host shows.", bundle: .module)
        case .wrongCode(.used?): String(localized: "This code has been used. Get a new code from the host.", bundle: .module)
        case .foreignCode:
            String(localized: "This code is for a host on another account. Get a code from one of your hosts.", bundle: .module)
        case .notPaired: String(localized: "This phone is no longer paired with the host. Pair again to continue.", bundle: .module)
        case .noHost: String(localized: "No host found. Pair with a host first.", bundle: .module)
        case .number(.empty): String(localized: "Enter a phone number.", bundle: .module)
        case .number(.invalidCharacters): String(localized: "This isn’t a valid phone number. Check the number.", bundle: .module)
        case .number(.containsExtension): String(localized: "Enter the phone number without its extension.", bundle: .module)
        case .number(.tooLong): String(localized: "The phone number is too long. Check the number.", bundle: .module)
        case .textEmpty: String(localized: "Enter a message.", bundle: .module)
        case .textTooLong: String(localized: "The message is too long. Use up to 1600 characters.", bundle: .module)
        case .notConnected: String(localized: "Not connected to the relay. Try again when you’re connected.", bundle: .module)
        case .hostOffline: String(localized: "The host is offline. Try again when it’s back online.", bundle: .module)
        case .expired: String(localized: "This took too long to send. Try again.", bundle: .module)
        case .full: String(localized: "Too many unsent messages. Wait until some have been sent, then try again.", bundle: .module)
        case .storage: String(localized: "Couldn’t save on this phone. Check the available storage.", bundle: .module)
        case .notRecognised: String(localized: "Couldn’t verify your identity. Try again.", bundle: .module)
        case .clipboard:
            String(localized: "This couldn’t be copied. Hold your finger on the text, and copy it there.", bundle: .module)
        case .cannotRecognise:
            String(localized: "Face and fingerprint recognition aren’t available on this phone.", bundle: .module)
        case .relay(let sentence), .unavailable(let sentence), .fault(let sentence): sentence
        default: String(localized: "Something went wrong. Try again.", bundle: .module)
        }
    }
}

extension TextMessage.Failure {
    var words: Text {
        switch self {
        case .refused(let problem): Text(verbatim: problem.words)
        case .host(let reason?): Text("Not sent: \(reason)", bundle: .module)
        case .host(nil): Text("Not sent", bundle: .module)
        case .expired: Text("Not sent: the host was offline too long", bundle: .module)
        }
    }
}

extension PhoneCall.State {
    var words: String {
        switch self {
        case .requested: String(localized: "Contacting the host…", bundle: .module)
        case .queued: String(localized: "Waiting for the host", bundle: .module)
        case .dialing: String(localized: "Dialing…", bundle: .module)
        case .ringing: String(localized: "Ringing…", bundle: .module)
        case .active: String(localized: "Active", bundle: .module)
        case .ended: String(localized: "Ended", bundle: .module)
        case .expired: String(localized: "Not placed: the host couldn’t be reached in time", bundle: .module)
        case .failed(let reason?): String(localized: "Failed: \(reason)", bundle: .module)
        case .failed(nil): String(localized: "Failed", bundle: .module)
        }
    }
}

extension PhoneEvent.CallState {
    /// The state of a call without a known number, as a sentence.
    var sentence: Text {
        switch self {
        case .dialing: Text("Dialing…", bundle: .module)
        case .ringing: Text("Ringing…", bundle: .module)
        case .active: Text("Call answered", bundle: .module)
        case .ended: Text("Call ended", bundle: .module)
        case .error: Text("Call failed", bundle: .module)
        }
    }
}

extension PhoneEvent.SendStatus {
    var words: Text {
        switch self {
        case .ok: Text("Text sent", bundle: .module)
        case .error: Text("Text not sent", bundle: .module)
        case .unknown: Text("Text may not have been sent", bundle: .module)
        }
    }
}

extension DeliveryState {
    var words: Text {
        switch self {
        case .accepted: Text("Stored by the relay", bundle: .module)
        case .sent: Text("Delivered to the receiver", bundle: .module)
        case .confirmed: Text("Confirmed", bundle: .module)
        case .failed: Text("Failed", bundle: .module)
        case .expired: Text("Expired", bundle: .module)
        case .unknown: Text("Unknown", bundle: .module)
        }
    }
}

extension HistorySummary.Badge {
    var words: Text {
        switch self {
        case .text: Text("SMS", bundle: .module)
        case .call: Text("Call", bundle: .module)
        case .sim: Text("SIM", bundle: .module)
        case .host: Text("Host", bundle: .module)
        case .other: Text("Other", bundle: .module)
        }
    }
}

extension HistorySummary {
    /// The first line: number, sender or kind.
    var title: Text {
        switch content {
        case .text(let number, _), .dialed(let number), .incomingCall(let number): Text(verbatim: number)
        case .textDelivery(let delivery, let number): number.map { Text(verbatim: $0) } ?? delivery.words
        case .textSent(let status, let number, _): number.map { Text(verbatim: $0) } ?? status.words
        case .callState(let state, let number, _): number.map { Text(verbatim: $0) } ?? state.sentence
        case .hungUp: Text("Hang up", bundle: .module)
        case .simsRequested: Text("SIM cards requested", bundle: .module)
        case .sims: Text("SIM cards", bundle: .module)
        case .error: Text("Error", bundle: .module)
        case .hostOffline: Text("Host went offline", bundle: .module)
        case .other(let name): Text(verbatim: name)
        }
    }

    /// The second line: text, outcome or reason.
    var detail: Text? {
        switch content {
        case .text(_, let body): Text(verbatim: body)
        case .textDelivery(let delivery, _?): delivery.words
        case .textSent(.error, _?, let reason?): Text("Text not sent: \(reason)", bundle: .module)
        case .textSent(let status, _?, _): status.words
        case .textSent(_, nil, let reason): reason.map { Text(verbatim: $0) }
        case .callState(.error, _?, let reason?): Text("Call failed: \(reason)", bundle: .module)
        case .callState(let state, _?, _): state.sentence
        case .callState(_, nil, let reason): reason.map { Text(verbatim: $0) }
        case .dialed: Text("Outgoing call", bundle: .module)
        case .incomingCall: Text("Incoming call", bundle: .module)
        case .sims(let sims): Text(verbatim: sims.map { "SIM \($0.slot): \($0.carrier)" }.joined(separator: ", "))
        case .error(let reason): reason.map { Text(verbatim: $0) }
        default: nil
        }
    }
}

extension EventDetails.Delivery {
    @MainActor fileprivate var words: Text {
        switch self {
        case .delivered: Text("Text delivered", bundle: .module)
        case .failed: Text("Text not delivered", bundle: .module)
        }
    }
}
