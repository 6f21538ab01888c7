import Charts
import SwiftUI

/// Bars.
struct ChartsPage: View {
    private struct Sale: Identifiable {
        let drink: String
        let place: String
        let cups: Double
        var id: String { drink + place }
    }

    private let sales = [
        Sale(drink: "Tea", place: "Terrace", cups: 30), Sale(drink: "Tea", place: "Bar", cups: 15),
        Sale(drink: "Coffee", place: "Terrace", cups: 62), Sale(drink: "Juice", place: "Bar", cups: 9),
    ]
    private let balances = [("May", 4), ("June", -3), ("July", 7)]

    var body: some View {
        List {
            Section("Horizontal, stacked") {
                Chart(sales) { sale in
                    BarMark(x: .value("Cups", sale.cups), y: .value("Drink", sale.drink))
                        .foregroundStyle(sale.place == "Bar" ? .orange : .teal)
                        .accessibilityLabel(Text("\(sale.drink), \(sale.place)"))
                }
                .frame(height: 180)
            }
            Section("Vertical, below zero") {
                Chart(balances, id: \.0) { month, balance in
                    BarMark(x: .value("Month", month), y: .value("Balance", balance))
                        .foregroundStyle(balance < 0 ? .red : .green)
                }
                .frame(height: 200)
            }
            Section("Without axes, with annotations") {
                Chart(sales) { sale in
                    BarMark(x: .value("Cups", sale.cups), y: .value("Place", sale.id), height: 14)
                        .cornerRadius(7)
                        .annotation(position: .trailing) { Text(sale.cups, format: .number).font(.caption) }
                }
                .chartXScale(domain: 0...80)
                .chartXAxis(.hidden)
                .chartYAxis(.hidden)
                .frame(height: 120)
            }
        }
    }
}
