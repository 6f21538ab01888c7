import SwiftUI

/// Linear, radial and angular gradients.
struct GradientsPage: View {
    private let colors: [Color] = [.yellow, .orange, .red, .purple]

    var body: some View {
        SamplePage {
            Sample("Linear") {
                box { LinearGradient(colors: colors, startPoint: .leading, endPoint: .trailing) }
                box { LinearGradient(colors: colors, startPoint: .top, endPoint: .bottom) }
                box { LinearGradient(colors: colors, startPoint: .topLeading, endPoint: .bottomTrailing) }
                box {
                    LinearGradient(
                        stops: [
                            .init(color: .blue, location: 0), .init(color: .white, location: 0.2), .init(color: .blue, location: 1),
                        ],
                        startPoint: .leading, endPoint: .trailing)
                }
            }
            Sample("Radial") { box { RadialGradient(colors: colors, center: .center, startRadius: 5, endRadius: 120) } }
            Sample("Angular") {
                AngularGradient(colors: colors + [.yellow], center: .center, startAngle: .zero, endAngle: .degrees(360))
                    .frame(width: 100, height: 100)
                    .clipShape(Circle())
            }
            Sample("Of one colour") {
                HStack {
                    ForEach([Color.red, .green, .blue], id: \.self) { color in
                        RoundedRectangle(cornerRadius: 12).fill(color.gradient).frame(height: 60)
                    }
                }
            }
            Sample("As the colour of a text") {
                Text("Colourful")
                    .font(.largeTitle)
                    .bold()
                    .foregroundStyle(LinearGradient(colors: [.blue, .pink], startPoint: .leading, endPoint: .trailing))
            }
        }
    }

    private func box(@ViewBuilder _ gradient: () -> some View) -> some View {
        gradient()
            .frame(height: 60)
            .clipShape(RoundedRectangle(cornerRadius: 12))
    }
}
