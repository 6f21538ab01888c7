#if os(iOS)
    import AVFoundation
    import ApplePlatform
    public import PlatformKit
    import UIKit
    import Vision
    import VisionKit

    /// A QR code scanner that presents VisionKit's camera view full screen. The app never receives the pictures.
    public struct DeviceScanner: PlatformKit.Scanner {
        public init() {}

        public func isAvailable() async -> Bool {
            ScanSteps.isAvailable(isSupported: await DataScannerViewController.isSupported, .now)
        }

        public func text(prompt: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String? {
            try await Scan().text(prompt: prompt, where: isWanted)
        }
    }

    /// One scan, from the camera permission prompt to the scanned code.
    @MainActor
    private final class Scan {
        private var steps = ScanSteps()
        private var observers: [MainObserver] = []
        private var timer: Task<Void, Never>?

        deinit { timer?.cancel() }

        @MainActor
        func text(prompt: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String? {
            var action: ScanSteps.Action? = steps.begin(isSupported: DataScannerViewController.isSupported, .now, .now)
            let (changes, change) = AsyncStream.makeStream(of: Bool.self)
            var isLate = changes.makeAsyncIterator()
            while let current = action {
                try Task.checkCancellation()
                switch current {
                case .ask:
                    let isGranted = await AVCaptureDevice.requestAccess(for: .video)
                    action = steps.handle(.answered(isGranted: isGranted, .now))
                case .waitForScreen:
                    report(to: change)
                    guard let isLate = await isLate.next() else { throw CancellationError() }
                    action = steps.handle(.screen(.now, isLate: isLate))
                case .show: return try await ScannerScreen.text(prompt: prompt, where: isWanted)
                case .fail(let error): throw error
                }
            }
            throw PhoneError.absent
        }

        /// Yields false when a scene or the app becomes active, and true once after ``ScanSteps/patience``.
        private func report(to change: AsyncStream<Bool>.Continuation) {
            guard timer == nil else { return }
            observers = [
                MainObserver(UIScene.didActivateNotification) { _ in change.yield(false) },
                MainObserver(UIApplication.didBecomeActiveNotification) { _ in change.yield(false) },
            ]
            timer = Task { if (try? await Task.sleep(for: ScanSteps.patience)) != nil { change.yield(true) } }
        }
    }

    extension ScanSteps.Permission {
        fileprivate static var now: Self {
            switch AVCaptureDevice.authorizationStatus(for: .video) {
            case .authorized: .granted
            case .denied: .denied
            case .restricted: .restricted
            default: .undecided
            }
        }
    }

    @MainActor
    extension ScanSteps.Screen {
        fileprivate static var now: Self {
            let states = UIApplication.shared.connectedScenes.map(\.activationState)
            return states.contains(.foregroundActive) ? .front : states.contains(.foregroundInactive) ? .inactive : .background
        }
    }

    /// The camera view with a prompt and a Cancel button.
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
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            let scene =
                scenes.first { $0.activationState == .foregroundActive }
                ?? scenes.first { $0.activationState == .foregroundInactive }
            guard var presenter = scene?.keyWindow?.rootViewController else { throw PhoneError.absent }
            while let next = presenter.presentedViewController, !next.isBeingDismissed { presenter = next }
            let screen = ScannerScreen(prompt: prompt, where: isWanted)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    screen.continuation = continuation
                    if Task.isCancelled { return screen.end(.failure(CancellationError())) }
                    presenter.present(screen, animated: true)
                }
            } onCancel: {
                // Bridges a synchronous callback to the main actor.
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
            // UIKit's own translation of "Cancel".
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
            // Leaving the app or locking the phone ends the scan, which turns the camera off.
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
            // Ends by itself: it only looks at the texts, and the screen takes the first result.
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
