import SwiftUI

/// A time, with the date unless it is today.
struct MomentText: View {
    let date: Date
    @Environment(\.timeZone) private var timeZone

    var body: some View {
        if isToday {
            Text(date, style: .time)
        } else {
            Text(date, format: .dateTime.month(.abbreviated).day().hour().minute())
        }
    }

    private var isToday: Bool {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar.isDate(date, inSameDayAs: .now)
    }
}
