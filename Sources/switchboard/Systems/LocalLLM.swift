#if os(Linux)
    import LocalLLMApp
    import LocalLLMClient
    import SwiftUI
    import WebRenderer
#endif

extension System {
    static let localLLM = System(
        name: "localllm", settings: BoxHosts.settings, command: { LocalLLMCommand.self }, service: nil
    )
    #if os(Linux)
        .inBrowsers { box in
            let hosts = try BoxHosts(box)
            return BrowserApp(
                title: "LocalLLM",
                launch: LaunchColors(light: 0xfbfcfb, dark: 0x121514), bundle: LocalLLMRoot.bundle, background: [hosts.demo],
                close: hosts.close
            ) { phone, _ in
                LocalLLMRoot(phone: phone, network: hosts.network)
            }
        }
    #endif
}
