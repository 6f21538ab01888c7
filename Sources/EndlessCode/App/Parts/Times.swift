import SwiftUI
import ViewKit

/// A time relative to now, or the exact time after twelve hours.
struct RelativeTime: View {
    let date: Date
    let now: Date
    /// False under a header that already shows the day.
    var showsDay = true
    @Environment(\.timeZone) private var timeZone

    var body: some View { text.monospacedDigit() }

    private var text: Text {
        let seconds = now.timeIntervalSince(date)
        // The clocks of phone and server may differ a little.
        if seconds < 60, seconds > -60 { return Text("Now", bundle: .module) }
        if seconds < 0 { return exact }
        if seconds < 3600 { return Text("\(Int(seconds / 60)) min ago", bundle: .module) }
        if seconds < 12 * 3600 { return Text("\(Int(seconds / 3600)) h ago", bundle: .module) }
        return exact
    }

    private var exact: Text {
        !showsDay || Days(timeZone).areSame(date, now)
            ? Text(date, style: .time) : Text(date, format: .dateTime.month(.abbreviated).day().hour().minute())
    }
}

/// The day of the entries below it.
struct DateSeparator: View {
    let date: Date
    let now: Date
    @Environment(\.timeZone) private var timeZone
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 10) {
            line
            text.font(.caption.weight(.semibold)).foregroundStyle(palette.secondary).fixedSize()
            line
        }
        .padding(.vertical, 12)
        .accessibilityElement(children: .contain)
        .accessibilityAddTraits(.isHeader)
        .accessibilityIdentifier("day")
    }

    private var line: some View { Rectangle().fill(palette.outline).frame(height: 1).frame(maxWidth: .infinity) }

    private var text: Text {
        let days = Days(timeZone)
        if days.areSame(date, now) { return Text("Today", bundle: .module) }
        if days.areSame(date, now.addingTimeInterval(-86_400)) { return Text("Yesterday", bundle: .module) }
        return Text(date, format: .dateTime.year().month(.wide).day().weekday(.wide))
    }
}

/// The days of the phone's time zone.
struct Days {
    private var calendar = Calendar(identifier: .gregorian)

    init(_ timeZone: TimeZone) { calendar.timeZone = timeZone }

    func areSame(_ a: Date, _ b: Date) -> Bool { calendar.isDate(a, inSameDayAs: b) }
}
