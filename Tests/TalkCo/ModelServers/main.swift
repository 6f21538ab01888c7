import Foundation
import Logging
import TalkCoStandIns
import TestKit

// Plays the servers of models for browser tests and benchmarks: Realtime, chat, transcription, speech and news.
//
//   model-servers [--port PORT] [--generation beta|general] [--key KEY] [--realtime FAULT] [--chat FAULT] [--transcription FAULT]
//                 [--speech FAULT]
//
// Faults: refused, missing, busy, failing, broken, silent, stalling, unreadable. For Realtime also: late (the transcript comes last), error,
// firehose (audio as fast as it is read).

var options: [String: String] = [:]
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst() {
    guard name.hasPrefix("--"), let value = arguments.popFirst() else {
        FileHandle.standardError.write(Data("model-servers: \(name) needs a value\n".utf8))
        exit(64)
    }
    options[String(name.dropFirst(2))] = value
}

var realtime = RealtimeStandIn.Options()
realtime.key = options["key"]
realtime.generation = options["generation"].flatMap(StandInGeneration.init) ?? .general
if options["realtime"] == "refused" { realtime.refusal = 401 }
let standIn = RealtimeStandIn(realtime, script: RealtimeScripts.named(options["realtime"] ?? "") ?? RealtimeStandIn.talk)
let servers = ModelServers(realtime: standIn, key: options["key"])
for call in [ModelServers.Call.chat, .transcription, .speech] {
    if let fault = options[call.rawValue].flatMap(NamedFault.init) { servers.set(call, named: fault) }
}
try await servers.run(port: options["port"].flatMap { Int($0) } ?? 0) { base in
    try FileHandle.standardOutput.write(contentsOf: Data("Listening on http://localhost:\(base.port ?? 0)\n".utf8))
    // Until SIGTERM.
    while true { try await Task.sleep(for: .seconds(3600)) }
}
