import ApplePlatform
import AppleVoice
import Foundation
import NetworkingKit
import PlatformKit
import SwiftUI
import TalkCoApp
import TalkCoClient
import UIKit
import ViewKit

@main
struct TutorApp: App {
    @UIApplicationDelegateAdaptor(TutorDelegate.self) private var delegate
    private let http = URLSessionHTTP()
    private let sockets = URLSessionSocket()

    var body: some Scene {
        WindowGroup {
            DemonstrationGate(on: delegate.phone) {
                ServerGate(delegate.server) { server in
                    TalkCoRoot(
                        .shared(
                            on: server.phone, service: RemoteService(address: server.url, http: http, sockets: sockets)),
                        on: server.phone)
                }
            } demonstration: { phone in
                TalkCoRoot(.demonstration(on: phone), on: phone)
            }
        }
    }
}

final class TutorDelegate: DeviceDelegate, UIApplicationDelegate {
    override func addCapabilities(to phone: inout Phone) {
        phone.microphone = DeviceMicrophone()
        phone.speaker = DeviceSpeaker()
        phone.recognition = DeviceRecognition()
    }
}
