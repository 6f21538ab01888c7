import SwiftUI
import ViewKit

/// The part of a review that has been in sight.
///
/// A decision is offered once the end has been in sight. The marker of the end is ``endDistance`` points below the last row of the
/// review, because lazy stacks create rows shortly before they are visible.
@MainActor @Observable
final class ReviewProgress {
    nonisolated static let endDistance: CGFloat = 120

    /// The index of the last row that has been in sight; -1 before the first one.
    private(set) var lastRow = -1
    private(set) var hasSeenEnd = false
    /// The last result of ``next()``; nil before the first.
    @ObservationIgnored private var target: Int?

    nonisolated deinit {}

    func didSee(row: Int) { if row > lastRow { lastRow = row } }

    func didSeeEnd() { if !hasSeenEnd { hasSeenEnd = true } }

    /// Returns the row to scroll to: the last one in sight, which may be partly hidden, and at the next call the one after it.
    func next() -> Int {
        let row = target == lastRow ? lastRow + 1 : max(0, lastRow)
        target = row
        return row
    }
}

/// A note of the lines that are still below, with a button that scrolls on. Empty once the end was in sight.
struct UnreadNote: View {
    let review: Review?
    let progress: ReviewProgress
    let readOn: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        if !progress.hasSeenEnd {
            HStack(spacing: 8) {
                Image(systemName: "arrow.down").accessibilityHidden(true)
                words.font(.subheadline.weight(.semibold)).frame(maxWidth: .infinity, alignment: .leading)
                Button(Text("Read On", bundle: .module)) { readOn() }.buttonStyle(TextButtonStyle())
            }
            .foregroundStyle(palette.warning)
            // Small reviews are in sight at once: until the first row is, the note is invisible, and nothing moves.
            .opacity(progress.lastRow < 0 ? 0 : 1)
            .accessibilityGroup("unread")
            .announces(
                progress.lastRow < 0 ? nil : String(localized: "The end is below. Read to the end first.", bundle: .module))
        }
    }

    private var words: Text {
        let count = review?.lineCount(below: progress.lastRow) ?? 0
        return switch count {
        case 0: Text("The end is below. Read to the end first.", bundle: .module)
        case 1: Text("1 more line below. Read to the end first.", bundle: .module)
        default: Text("\(count) more lines below. Read to the end first.", bundle: .module)
        }
    }
}
