#if os(iOS)
    public import ActivityKit

    extension PagerActivityAttributes: ActivityAttributes {}
#endif
