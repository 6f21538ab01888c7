// The part of Speech that ApplePlatform uses. Pages: https://developer.apple.com/documentation/speech/<type>/<member>
public import AVFAudio
@_exported import Foundation

/// sfspeechrecognizerauthorizationstatus
public enum SFSpeechRecognizerAuthorizationStatus: Int, Sendable {
    case notDetermined, denied, restricted, authorized
}

/// sfspeechrecognizer
open class SFSpeechRecognizer: NSObject {
    open class func authorizationStatus() -> SFSpeechRecognizerAuthorizationStatus { fatalError() }
    open class func requestAuthorization(_ handler: @escaping (SFSpeechRecognizerAuthorizationStatus) -> Void) {}
    public init?(locale: Locale) {}
    open var isAvailable: Bool { fatalError() }
    open var supportsOnDeviceRecognition: Bool { fatalError() }
    open func recognitionTask(
        with request: SFSpeechRecognitionRequest, resultHandler: @escaping (SFSpeechRecognitionResult?, (any Error)?) -> Void
    ) -> SFSpeechRecognitionTask { fatalError() }
}

/// sfspeechrecognitionrequest
open class SFSpeechRecognitionRequest: NSObject {
    public override init() {}
    open var shouldReportPartialResults: Bool {
        get { fatalError() }
        set {}
    }
    open var requiresOnDeviceRecognition: Bool {
        get { fatalError() }
        set {}
    }
    @available(iOS 16, *)
    open var addsPunctuation: Bool {
        get { fatalError() }
        set {}
    }
}

/// sfspeechaudiobufferrecognitionrequest
open class SFSpeechAudioBufferRecognitionRequest: SFSpeechRecognitionRequest {
    open func append(_ audioPCMBuffer: AVAudioPCMBuffer) {}
    open func endAudio() {}
}

/// sfspeechrecognitiontask
open class SFSpeechRecognitionTask: NSObject {
    open func cancel() {}
}

/// sfspeechrecognitionresult
open class SFSpeechRecognitionResult: NSObject {
    open var bestTranscription: SFTranscription { fatalError() }
    open var isFinal: Bool { fatalError() }
}

/// sftranscription
open class SFTranscription: NSObject {
    open var formattedString: String { fatalError() }
}
