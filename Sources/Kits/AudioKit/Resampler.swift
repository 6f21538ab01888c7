package import Foundation

/// A converter of a stream of mono PCM samples of 16 bits to another sample rate.
///
/// A sinc low-pass in a Kaiser window, evaluated at the fractional positions of the output: everything up to 80 % of the lower of
/// the two Nyquist frequencies passes, and aliases are attenuated by at least 60 dB. The output is aligned with the input.
package struct Resampler: Sendable {
    /// Count of zero crossings on each side of the filter.
    private static let crossings = 24
    /// The frequency at which the filter's gain is one half, as a fraction of the lower Nyquist frequency.
    private static let cutoff = 0.91
    /// The shape parameter of the window, for an attenuation of 70 dB.
    private static let beta = 7.0
    /// Maximum fractional positions in the table. Rates that need more use the nearest position.
    private static let maximumPhaseCount = 1_024

    /// The rates, divided by their greatest common divisor.
    private let inputRate: Int
    private let outputRate: Int
    private let phaseCount: Int
    /// The filter coefficients, ``length`` for each phase.
    private let table: [Float]
    /// Count of coefficients of one phase.
    private let length: Int
    /// Input samples around the next output, the first at ``start``.
    private var pending: [Float]
    /// The index of the first pending sample, from the start of the stream. Negative before the start.
    private var start: Int
    private var inputCount = 0
    private var outputCount = 0
    /// The first byte of a sample that was cut by the end of a chunk.
    private var oddByte: UInt8?

    /// - Parameters: The sample rates in hertz, both positive.
    package init(from input: Int, to output: Int) {
        precondition(input > 0 && output > 0, "sample rates are positive")
        let divisor = Self.greatestCommonDivisor(input, output)
        inputRate = input / divisor
        outputRate = output / divisor
        phaseCount = min(outputRate, Self.maximumPhaseCount)
        let scale = Self.cutoff * min(1, Double(output) / Double(input))
        let reach = Int((Double(Self.crossings) / scale).rounded(.up))
        length = 2 * reach
        table = Self.table(phaseCount: phaseCount, reach: reach, scale: scale)
        pending = Array(repeating: 0, count: reach)
        start = -reach
    }

    /// Converts the next samples. The output lags behind by the reach of the filter, a few milliseconds, until ``finish()``.
    package mutating func process(_ samples: Data) -> Data {
        var samples = samples
        if let byte = oddByte { samples = Data([byte]) + samples }
        oddByte = samples.count % PCM16.sampleSize == 0 ? nil : samples.last
        let input = PCM16.samples(samples)
        inputCount += input.count
        guard inputRate != outputRate else { return PCM16.data(input) }
        pending.append(contentsOf: input.lazy.map { Float($0) })
        return PCM16.data(drain(upTo: .max))
    }

    /// Returns the rest of the output, and resets the resampler.
    package mutating func finish() -> Data {
        let wanted = (inputCount * outputRate + inputRate - 1) / inputRate
        var output: [Int16] = []
        if inputRate != outputRate {
            pending.append(contentsOf: repeatElement(0, count: length))
            output = drain(upTo: wanted)
        }
        pending = Array(repeating: 0, count: length / 2)
        start = -length / 2
        (inputCount, outputCount, oddByte) = (0, 0, nil)
        return PCM16.data(output)
    }

    /// Returns the outputs whose filter has all of its inputs, up to a total of `limit` since the start of the stream.
    private mutating func drain(upTo limit: Int) -> [Int16] {
        var output: [Int16] = []
        let reach = length / 2
        pending.withUnsafeBufferPointer { pending in
            table.withUnsafeBufferPointer { table in
                while outputCount < limit {
                    var position = outputCount * inputRate / outputRate
                    var phase = ((outputCount * inputRate) % outputRate * phaseCount + outputRate / 2) / outputRate
                    if phase == phaseCount { (position, phase) = (position + 1, 0) }
                    let first = position - reach + 1 - start
                    guard first + length <= pending.count else { return }
                    let row = phase * length
                    var sum: Float = 0
                    // A loop over a range costs a call for each tap in a build without optimization.
                    var tap = 0
                    while tap < length {
                        sum += pending[first &+ tap] * table[row &+ tap]
                        tap &+= 1
                    }
                    output.append(Int16(min(max(sum.rounded(), -32_768), 32_767)))
                    outputCount += 1
                }
            }
        }
        let unused = min(outputCount * inputRate / outputRate - reach + 1 - start, pending.count)
        if unused > 0 {
            pending.removeFirst(unused)
            start += unused
        }
        return output
    }

    private static func table(phaseCount: Int, reach: Int, scale: Double) -> [Float] {
        var table: [Float] = []
        table.reserveCapacity(phaseCount * reach * 2)
        let edge = bessel(beta)
        for phase in 0..<phaseCount {
            let fraction = Double(phase) / Double(phaseCount)
            var row = (0..<2 * reach).map { tap -> Double in
                let distance = Double(tap - reach + 1) - fraction
                let share = distance / Double(reach)
                guard abs(share) < 1 else { return 0 }
                let angle = Double.pi * distance * scale
                let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
                return sinc * bessel(beta * (1 - share * share).squareRoot()) / edge
            }
            // Every phase has the same gain at zero, so that a constant stays constant.
            let sum = row.reduce(0, +)
            for tap in row.indices { row[tap] /= sum }
            table.append(contentsOf: row.map { Float($0) })
        }
        return table
    }

    /// Returns the modified Bessel function of the first kind, order 0.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        let square = x * x / 4
        for index in 1..<40 {
            term *= square / Double(index * index)
            sum += term
            if term < sum * 1e-10 { break }
        }
        return sum
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
