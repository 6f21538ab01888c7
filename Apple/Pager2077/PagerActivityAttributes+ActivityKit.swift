import ActivityKit
import Pager2077Wire

// The data is in `Sources/Pager2077/Wire/PagerActivityAttributes.swift`, where a test holds it to the service's payload. This file belongs to
// the app and to the widget extension.
extension PagerActivityAttributes: @retroactive ActivityAttributes {}
