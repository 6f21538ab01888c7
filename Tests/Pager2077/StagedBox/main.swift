import Foundation
import Logging
import Pager2077App
import Pager2077Client
import Pager2077TestKit
import PlatformKit
import ServerKit
import SwiftUI
import TalkCoApp
import TalkCoClient
import TestKit
import ViewKit
import WebRenderer

// The pager's app for browser tests, over a network that fails on command. Each line of standard input is `cut`, `hang` or `mend`;
// the program ends with the last one. Waits of less than 20 seconds take a tenth of the time.
//
// Beside it the apps that ask for the address of a server, as an iPhone starts them: `/apps/firstpager2077/`, `/apps/firsttalkco/`.

let (commands, reader) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(16))
Thread.detachNewThread {
    while let line = readLine() { reader.yield(line) }
    reader.finish()
}
let box = try await Box()
let service = box.service
let app = WebApp(name: "pager2077", title: "Pager2077", fonts: PagerRoot.fonts) { phone in
    let hurried = hurried(phone)
    PagerRoot(.shared(on: hurried, service: service), on: hurried)
}
let firstStarts = [
    WebApp(name: "firstpager2077", title: "Pager2077", fonts: PagerRoot.fonts) { phone in
        firstStart(phone) { PagerDemonstration(on: hurried($0)) }
    },
    WebApp(name: "firsttalkco", title: "TalkCo") { phone in
        firstStart(phone) { TalkCoRoot(.demonstration(on: $0), on: $0) }
    },
]
let site = try WebSite.build(apps: [app] + firstStarts, folder: box.folder.url.appending(path: "phones"), logger: .quiet)
try await ServerUnderTest.run([], isAlone: false, front: site) { server in
    try FileHandle.standardOutput.write(contentsOf: Data("Listening on http://localhost:\(server.port)/apps/pager2077/\n".utf8))
    for await line in commands {
        switch line {
        case "cut": box.network.cut()
        case "hang": box.network.set { $0.hangs = true }
        default: box.network.set { ($0.hangs, $0.isDown) = (false, false) }
        }
        try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
}
await site.close()

func firstStart(_ phone: Phone, @ViewBuilder demonstration: @escaping (Phone) -> some View) -> some View {
    DemonstrationGate(on: phone) {
        ServerGate(ServerChoice(phone: phone)) { Text(verbatim: "app of \($0.url.absoluteString)") }
    } demonstration: {
        demonstration($0)
    }
}

func hurried(_ phone: Phone) -> Phone {
    var phone = phone
    phone.clock = HurriedClock()
    return phone
}
