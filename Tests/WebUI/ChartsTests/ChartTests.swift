import Charts
import Foundation
import SwiftUI
import Testing

@Suite struct ChartTests {
    private struct Sale: Identifiable {
        let id: String
        let count: Double
    }

    private let sales = [Sale(id: "Tea", count: 30), Sale(id: "Coffee", count: 45), Sale(id: "Juice", count: 0)]

    /// The lengths of the bars and gaps in the outermost stack of lengths around the element.
    private func shares(around name: String, _ screen: ViewDriver) throws -> [Double] {
        let target = try screen.find(name)
        func contains(_ element: Element) -> Bool { element === target || element.pageChildren.contains(where: contains) }
        func search(_ element: Element) -> [Double]? {
            guard contains(element) else { return nil }
            let shares = element.pageChildren.flatMap(\.shares)
            return shares.isEmpty ? element.pageChildren.lazy.compactMap(search).first : shares
        }
        return search(screen.host.root) ?? []
    }

    @Test func everyBarHasALabelAndAValue() throws {
        let screen = ViewDriver(Chart(sales) { BarMark(x: .value("Cups", $0.count), y: .value("Drink", $0.id)) })
        let tea = try screen.find("Tea")
        #expect(tea.attributes[.accessibilityValue]?.text == "Cups 30")
        #expect(tea.attributes[.role]?.text == "image")
        #expect(screen.has("Coffee") && screen.has("Juice"))
    }

    @Test func lengthsAreInProportionToTheDomain() throws {
        let chart = Chart(sales) { BarMark(x: .value("Cups", $0.count), y: .value("Drink", $0.id)) }
        let screen = ViewDriver(chart.chartXScale(domain: 0...60))
        #expect(try shares(around: "Tea", screen) == [0.5, 0.5])
        #expect(try shares(around: "Coffee", screen) == [0.75, 0.25])
        #expect(try shares(around: "Juice", screen) == [0, 1])
    }

    @Test func verticalBarsGrowFromTheBottom() throws {
        let screen = ViewDriver(
            Chart(sales) { BarMark(x: .value("Drink", $0.id), y: .value("Cups", $0.count)) }.chartYScale(domain: 0...60))
        #expect(try shares(around: "Coffee", screen) == [0.25, 0.75])
    }

    @Test func barsOfOneCategoryAreStacked() throws {
        let screen = ViewDriver(
            Chart {
                BarMark(x: .value("Cups", 2), y: .value("Drink", "Tea")).accessibilityLabel(Text(verbatim: "Monday"))
                BarMark(x: .value("Cups", 3), y: .value("Drink", "Tea")).accessibilityLabel(Text(verbatim: "Tuesday"))
            }
            .chartXScale(domain: 0...10))
        let values = try shares(around: "Tuesday", screen)
        #expect(values.count == 3)
        #expect(zip(values, [0.2, 0.3, 0.5]).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test func negativeBarsEndAtZero() throws {
        let screen = ViewDriver(
            Chart { BarMark(x: .value("Balance", -5), y: .value("Month", "May")) }.chartXScale(domain: -10...10))
        #expect(try shares(around: "May", screen) == [0.25, 0.25, 0.5])
    }

    @Test func axisShowsRoundValuesAndCanBeHidden() throws {
        let chart = Chart(sales) { BarMark(x: .value("Cups", $0.count), y: .value("Drink", $0.id)) }
        let shown = ViewDriver(chart)
        #expect(shown.hiddenTexts.contains("Tea"))
        #expect(["0", "20", "40", "60"].allSatisfy(shown.hiddenTexts.contains))
        let hidden = ViewDriver(chart.chartXAxis(.hidden).chartYAxis(.hidden))
        #expect(hidden.hiddenTexts == [])
    }

    @Test(arguments: [0, .infinity, .nan, -.infinity] as [Double])
    func valuesThatCannotBeDrawnHaveNoLength(_ value: Double) throws {
        let screen = ViewDriver(Chart { BarMark(x: .value("Cups", value), y: .value("Drink", "Tea")) })
        #expect(try shares(around: "Tea", screen) == [0, 1])
    }

    @Test func annotationsAndWordsOfTheAppReplaceTheStandard() throws {
        let screen = ViewDriver(
            Chart {
                BarMark(x: .value("Cups", 2), y: .value("Drink", "Tea"), height: 12)
                    .foregroundStyle(.red)
                    .cornerRadius(6)
                    .annotation(position: .trailing) { Text(verbatim: "two") }
                    .accessibilityLabel(Text(verbatim: "Tea today"))
                    .accessibilityValue(Text(verbatim: "2 cups"))
                    .accessibilityIdentifier("bar")
                if sales.isEmpty { BarMark(x: .value("Cups", 9), y: .value("Drink", "Water")) }
            })
        let bar = try screen.find("bar")
        #expect(bar.attributes[.accessibilityLabel]?.text == "Tea today")
        #expect(bar.attributes[.accessibilityValue]?.text == "2 cups")
        #expect(screen.has("two") && !screen.has("Water"))
        let shape = try #require(bar.first(.shape) { $0.style.contains(.corners(.radius(6))) })
        #expect(shape.style.contains(.background(.color(.red))))
    }
}

extension Element {
    /// The lengths that the element itself sets in its stack.
    fileprivate var shares: [Double] { style.compactMap { if case .share(let part) = $0 { part } else { nil } } }

    /// The first descendant of this kind.
    fileprivate func first(_ kind: ElementKind, where matches: (Element) -> Bool) -> Element? {
        for child in pageChildren {
            if child.kind == kind, matches(child) { return child }
            if let found = child.first(kind, where: matches) { return found }
        }
        return nil
    }
}

extension ViewDriver {
    /// The texts that assistive technology does not read.
    fileprivate var hiddenTexts: [String] {
        var texts: [String] = []
        func walk(_ element: Element, _ isHidden: Bool) {
            let isHidden = isHidden || element.attributes[.accessibilityHidden] == .on
            if isHidden, let text = element.attributes[.text]?.text, text != " " { texts.append(text) }
            for child in element.pageChildren { walk(child, isHidden) }
        }
        walk(host.root, false)
        return texts
    }
}
