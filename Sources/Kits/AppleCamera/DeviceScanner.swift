#if os(iOS)
    import AVFoundation
    import ApplePlatform
    public import PlatformKit
    import UIKit
    import Vision
    import VisionKit

    /// VisionKit's scanner on a full screen. Pictures stay in VisionKit.
    public struct DeviceScanner: PlatformKit.Scanner {
        public init() {}

        public func isAvailable() async -> Bool { await DataScannerViewController.isSupported }

        public func text(prompt: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String? {
            guard await isAvailable() else { throw PhoneError.unsupported }
            guard await AVCaptureDevice.requestAccess(for: .video) else { throw PhoneError.denied }
            return try await ScannerScreen.text(prompt: prompt, where: isWanted)
        }
    }

    /// The camera's picture with a sentence and a Cancel button.
    @MainActor
    private final class ScannerScreen: UIViewController, DataScannerViewControllerDelegate {
        private let prompt: String
        private let isWanted: @Sendable (String) -> Bool
        private let camera = DataScannerViewController(
            recognizedDataTypes: [.barcode(symbologies: [.qr])], isGuidanceEnabled: false, isHighlightingEnabled: true)
        private var continuation: CheckedContinuation<String?, any Error>?
        private var observer: MainObserver?

        private init(prompt: String, where isWanted: @escaping @Sendable (String) -> Bool) {
            self.prompt = prompt
            self.isWanted = isWanted
            super.init(nibName: nil, bundle: nil)
            modalPresentationStyle = .fullScreen
        }

        required init?(coder: NSCoder) { nil }

        static func text(prompt: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String? {
            let scene = UIApplication.shared.connectedScenes.lazy.compactMap { $0 as? UIWindowScene }
                .first { $0.activationState == .foregroundActive }
            guard var presenter = scene?.keyWindow?.rootViewController else { throw PhoneError.absent }
            while let next = presenter.presentedViewController { presenter = next }
            let screen = ScannerScreen(prompt: prompt, where: isWanted)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    screen.continuation = continuation
                    if Task.isCancelled { return screen.end(.failure(CancellationError())) }
                    presenter.present(screen, animated: true)
                }
            } onCancel: {
                Task { @MainActor in screen.end(.failure(CancellationError())) }
            }
        }

        override func viewDidLoad() {
            super.viewDidLoad()
            camera.delegate = self
            addChild(camera)
            let sentence = UILabel()
            sentence.text = prompt
            sentence.font = .preferredFont(forTextStyle: .body)
            sentence.adjustsFontForContentSizeCategory = true
            sentence.numberOfLines = 0
            sentence.textAlignment = .center
            var look = UIButton.Configuration.gray()
            // UIKit's own word, in every language.
            look.title = Bundle(for: UIApplication.self).localizedString(forKey: "Cancel", value: nil, table: nil)
            look.buttonSize = .large
            let cancel = UIButton(configuration: look, primaryAction: UIAction { [weak self] _ in self?.end(.success(nil)) })
            let stack = UIStackView(arrangedSubviews: [sentence, camera.view, cancel])
            stack.axis = .vertical
            stack.spacing = 20
            stack.translatesAutoresizingMaskIntoConstraints = false
            view.backgroundColor = .systemBackground
            view.addSubview(stack)
            NSLayoutConstraint.activate([
                stack.topAnchor.constraint(equalTo: view.layoutMarginsGuide.topAnchor),
                stack.bottomAnchor.constraint(equalTo: view.layoutMarginsGuide.bottomAnchor),
                stack.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
                stack.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
                cancel.heightAnchor.constraint(greaterThanOrEqualToConstant: 44),
            ])
            camera.didMove(toParent: self)
            // Leaving the app and locking the phone turn the camera off.
            observer = MainObserver(UIApplication.didEnterBackgroundNotification) { [weak self] _ in self?.end(.success(nil)) }
        }

        override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            do {
                try camera.startScanning()
            } catch {
                end(.failure(PhoneError.failed("\(error)")))
            }
        }

        override func accessibilityPerformEscape() -> Bool {
            end(.success(nil))
            return true
        }

        private func end(_ result: Result<String?, any Error>) {
            camera.stopScanning()
            presentingViewController?.dismiss(animated: true)
            continuation?.resume(with: result)
            continuation = nil
        }

        func dataScanner(
            _ dataScanner: DataScannerViewController, didAdd addedItems: [RecognizedItem], allItems: [RecognizedItem]
        ) {
            let texts = addedItems.compactMap { if case .barcode(let code) = $0 { code.payloadStringValue } else { nil } }
            Task {
                if let text = await Self.first(of: texts, where: isWanted) { end(.success(text)) }
            }
        }

        func dataScanner(
            _ dataScanner: DataScannerViewController,
            becameUnavailableWithError error: DataScannerViewController.ScanningUnavailable
        ) {
            end(.failure(PhoneError.failed("\(error)")))
        }

        @concurrent
        private static func first(of texts: [String], where isWanted: @Sendable (String) -> Bool) async -> String? {
            texts.first(where: isWanted)
        }
    }
#endif
