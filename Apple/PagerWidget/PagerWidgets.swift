import SwiftUI
import WidgetKit

/// The pager's widget extension: the Live Activity of a message.
@main
struct PagerWidgets: WidgetBundle {
    var body: some Widget { PagerActivity() }
}
