import PlatformKit
import QRScanning
import WireKit

/// The camera of a browser.
///
/// ```
///  box                                         page
///   | -- stream.open "scanner" {prompt} -------> |  asks for the camera and shows it
///   | <-- true --------------------------------- |
///   | <-- still, still, still… ----------------- |  three a second at most
///   |  reads codes                               |
///   | -- cancel (found), or <-- end (closed) --- |  the camera is off
/// ```
struct PageScanner: Scanner {
    /// Minimum time between two stills that the box reads. Our page's stills are further apart; a modified page sends no faster,
    /// because it waits for room in the stream.
    static let pause = Duration.milliseconds(250)

    weak let phone: BrowserPhone?
    let app: String
    /// The page that shows the camera; nil for the page that the user most likely looks at.
    weak let page: PageSurroundings?
    var clock: any Clock<Duration> = ContinuousClock()

    func isAvailable() async -> Bool {
        (try? await phone?.request("scanner.available", in: app, timeout: .seconds(10))) == .bool(true)
    }

    func text(prompt: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String? {
        let stream = try await openStream(prompt)
        // Also closes the camera.
        defer { stream.cancel() }
        do {
            return try await text(from: stream, where: isWanted)
        } catch let error as PageError {
            throw PhoneError(error)
        } catch is GreyscalePictureError {
            throw PhoneError.failed("the browser's pictures cannot be read")
        }
    }

    /// - Throws: ``PhoneError``.
    @MainActor private func openStream(_ prompt: String) async throws -> PageStream {
        guard let session = page?.session ?? phone?.session(of: app) else { throw PhoneError.absent }
        do {
            // The window has room for one still.
            return try await session.openStream("scanner", .reliable, window: StreamWindow.range.upperBound) { json in
                json.object { json in
                    json.key("prompt")
                    json.string(prompt)
                }
            }.stream
        } catch let error as PageError {
            throw PhoneError(error)
        }
    }

    @concurrent
    private func text(from stream: PageStream, where isWanted: @Sendable (String) -> Bool) async throws -> String? {
        let scanner = QRScanner()
        var reader = GreyscalePictureReader()
        while let chunk = try await stream.next() {
            reader.append(chunk.bytes)
            while let picture = try reader.next() {
                if let text = await scanner.texts(in: picture).first(where: isWanted) { return text }
                try await clock.sleep(for: Self.pause)
            }
        }
        return nil
    }
}
