package import Foundation

/// A converter that makes a stream of mono PCM samples of 16 bits longer or shorter at the same pitch.
///
/// WSOLA: pieces of 30 ms get another distance in the output than in the input; a search fits each to the end of the last.
/// Source: Verhelst and Roelands, *An overlap-add technique based on waveform similarity*, ICASSP 1993.
///
/// ```
///   input    |--piece--|    |--piece--|    |--piece--|        distance hop ÷ factor, moved by the search
///   output   |--piece--|--piece--|--piece--|                  distance hop: each overlaps the next by half
/// ```
package struct TimeStretch: Sendable {
    /// The range of factors that sound natural.
    package static let factors = 0.5...2.0
    /// The distance of pieces in the output, in seconds: half a piece.
    private static let hopTime = 0.015
    /// The reach of the search on both sides, in seconds: a period of a deep voice.
    private static let reachTime = 0.010
    /// The search compares every fourth sample, at every second place.
    private static let (sampleStep, placeStep) = (4, 2)

    private let factor: Double
    private let hop: Int
    private let reach: Int
    /// The rising half of the window; the falling half is its complement.
    private let rise: [Float]
    /// Input samples, the first at ``start``.
    private var pending: [Float] = []
    private var start = 0
    private var inputCount = 0
    private var outputCount = 0
    /// The count of pieces taken, and the position in the input at which the last piece would continue.
    private var pieceCount = 0
    private var continuation = 0
    private var oddByte: UInt8?

    /// - Parameters:
    ///   - factor: The duration of the output as a multiple of the input's, in ``factors``.
    ///   - sampleRate: The sample rate in hertz, positive.
    package init(by factor: Double, sampleRate: Int) {
        precondition(Self.factors.contains(factor) && sampleRate > 0, "a factor in \(Self.factors) and a positive rate")
        self.factor = factor
        hop = max(Int(Self.hopTime * Double(sampleRate)), 1)
        reach = Int(Self.reachTime * Double(sampleRate))
        rise = (0..<hop).map { [hop] in Float(0.5 - 0.5 * cos(.pi * (Double($0) + 0.5) / Double(hop))) }
    }

    /// Stretches the next samples. The output lags behind by some 50 ms until ``finish()``.
    package mutating func process(_ samples: Data) -> Data {
        var samples = samples
        if let byte = oddByte { samples = Data([byte]) + samples }
        oddByte = samples.count % PCM16.sampleSize == 0 ? nil : samples.last
        let input = PCM16.samples(samples)
        inputCount += input.count
        pending.append(contentsOf: input.lazy.map { Float($0) })
        return PCM16.data(drain(upTo: .max))
    }

    /// Returns the rest of the output, and resets the stretch.
    package mutating func finish() -> Data {
        let wanted = Int((Double(inputCount) * factor).rounded())
        pending.append(contentsOf: repeatElement(0, count: 4 * hop + 2 * reach))
        let output = drain(upTo: wanted)
        self = TimeStretch(by: factor, sampleRate: Int((Double(hop) / Self.hopTime).rounded()))
        return PCM16.data(output)
    }

    /// Returns the outputs whose pieces have all of their inputs, up to a total of `limit` since the start of the stream.
    private mutating func drain(upTo limit: Int) -> [Int16] {
        var output: [Int16] = []
        while outputCount < limit {
            let wanted = Int(Double(pieceCount * hop) / factor)
            // The input must hold the falling half of the last piece, and the rising half of the next.
            let end = max(wanted + reach, continuation) + hop
            guard end <= start + pending.count else { break }
            let place = pieceCount == 0 ? 0 : bestPlace(near: wanted)
            let count = min(hop, limit - outputCount)
            for index in 0..<count {
                let next = pending[place + index - start]
                let last = pieceCount == 0 ? next : pending[continuation + index - start]
                output.append(Int16(min(max((last + (next - last) * rise[index]).rounded(), -32_768), 32_767)))
            }
            outputCount += count
            pieceCount += 1
            continuation = place + hop
            let unused = min(continuation, max(Int(Double(pieceCount * hop) / factor) - reach, 0)) - start
            if unused > 0 {
                pending.removeFirst(unused)
                start += unused
            }
        }
        return output
    }

    /// Returns the position near `wanted` whose samples are most similar to the continuation of the last piece.
    private func bestPlace(near wanted: Int) -> Int {
        pending.withUnsafeBufferPointer { pending in
            let target = continuation - start
            var (best, bestLikeness) = (wanted - start, -Float.infinity)
            for place in stride(from: max(wanted - reach - start, 0), through: wanted + reach - start, by: Self.placeStep) {
                var (product, energy): (Float, Float) = (0, 1)
                var index = 0
                while index < hop {
                    let sample = pending[place &+ index]
                    product += sample * pending[target &+ index]
                    energy += sample * sample
                    index &+= Self.sampleStep
                }
                let likeness = product / energy.squareRoot()
                if likeness > bestLikeness { (best, bestLikeness) = (place, likeness) }
            }
            return best + start
        }
    }
}
