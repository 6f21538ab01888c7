import SwiftUI

/// The pages of the gallery. The raw value is the title.
nonisolated enum GalleryPage: String, CaseIterable, Identifiable {
    case text = "Text"
    case fonts = "Fonts"
    case label = "Label"
    case symbols = "Symbols"
    case button = "Button"
    case link = "Link"
    case textField = "TextField"
    case toggle = "Toggle"
    case progressView = "ProgressView"
    case disclosure = "DisclosureGroup"
    case menu = "Menu"
    case picker = "Picker"
    case search = "Searchable"
    case stacks = "Stacks and Spacer"
    case grid = "Grid"
    case spacing = "Divider, Padding and Frame"
    case layers = "Background and Overlay"
    case colors = "Colors"
    case shapes = "Shapes"
    case gradients = "Gradients"
    case charts = "Charts"
    case scrollView = "ScrollView"
    case nestedScroll = "Nested scrolling"
    case scrollPosition = "Scroll position"
    case list = "List"
    case rows = "Rows in sight"
    case form = "Form"
    case navigation = "Navigation"
    case toolbar = "Toolbar"
    case tabView = "TabView"
    case sheet = "Sheet"
    case alert = "Alert"
    case confirmationDialog = "ConfirmationDialog"
    case gestures = "Gestures"
    case pinch = "Pinch"
    case focus = "Focus"
    case keyboard = "Keyboard shortcuts"
    case phone = "Phone"
    case scanner = "Scanner"
    case speech = "Speech"
    case refreshable = "Refreshable"
    case animation = "Animation"
    case streaming = "Streaming"
    case bytes = "Bytes"
    case accessibility = "Accessibility"
    case lifetime = "Lifetime"
    case hostileText = "Hostile text"

    var id: Self { self }
    var title: String { rawValue }
}

/// A section of the list of pages.
nonisolated struct GallerySection: Identifiable {
    let title: String
    let pages: [GalleryPage]
    var id: String { title }

    static let all = [
        GallerySection(title: "Words and symbols", pages: [.text, .fonts, .label, .symbols]),
        GallerySection(
            title: "Controls",
            pages: [.button, .link, .textField, .toggle, .progressView, .disclosure, .menu, .picker, .search]),
        GallerySection(title: "Layout", pages: [.stacks, .grid, .spacing, .layers]),
        GallerySection(title: "Drawing", pages: [.colors, .shapes, .gradients, .charts]),
        GallerySection(title: "Containers", pages: [.scrollView, .nestedScroll, .scrollPosition, .list, .rows, .form]),
        GallerySection(title: "Pages and bars", pages: [.navigation, .toolbar, .tabView]),
        GallerySection(title: "Presentation", pages: [.sheet, .alert, .confirmationDialog]),
        GallerySection(
            title: "Behaviour",
            pages: [
                .gestures, .pinch, .focus, .keyboard, .phone, .scanner, .speech, .refreshable, .animation, .streaming, .bytes,
                .accessibility, .lifetime, .hostileText,
            ]),
    ]
}

extension GalleryPage {
    /// The view of the page.
    @MainActor @ViewBuilder var screen: some View {
        switch self {
        case .text: TextPage()
        case .fonts: FontsPage()
        case .label: LabelPage()
        case .symbols: SymbolsPage()
        case .button: ButtonPage()
        case .link: LinkPage()
        case .textField: TextFieldPage()
        case .toggle: TogglePage()
        case .progressView: ProgressViewPage()
        case .disclosure: DisclosurePage()
        case .menu: MenuPage()
        case .picker: PickerPage()
        case .search: SearchPage()
        case .stacks: StacksPage()
        case .grid: GridPage()
        case .spacing: SpacingPage()
        case .layers: LayersPage()
        case .colors: ColorsPage()
        case .shapes: ShapesPage()
        case .gradients: GradientsPage()
        case .charts: ChartsPage()
        case .scrollView: ScrollViewPage()
        case .nestedScroll: NestedScrollPage()
        case .scrollPosition: ScrollPositionPage()
        case .list: ListPage()
        case .rows: RowsPage()
        case .form: FormPage()
        case .navigation: NavigationPage()
        case .toolbar: ToolbarPage()
        case .tabView: TabViewPage()
        case .sheet: SheetPage()
        case .alert: AlertPage()
        case .confirmationDialog: ConfirmationDialogPage()
        case .gestures: GesturesPage()
        case .pinch: PinchPage()
        case .focus: FocusPage()
        case .keyboard: KeyboardPage()
        case .phone: PhonePage()
        case .scanner: ScannerPage()
        case .speech: SpeechPage()
        case .refreshable: RefreshablePage()
        case .animation: AnimationPage()
        case .streaming: StreamingPage()
        case .bytes: BytesPage()
        case .accessibility: AccessibilityPage()
        case .lifetime: LifetimePage()
        case .hostileText: HostileTextPage()
        }
    }
}
