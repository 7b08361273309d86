// Marks of an axis at round numbers.

/**
 * The multiples of 1, 2 or 5 times a power of ten from `low` to `high`: as many as fit, up to `most`, each with the
 * decimals that it needs.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 * @returns {[number, string][]}
 */
export function roundTicks(low, high, most) {
  if (!Number.isFinite(low) || !Number.isFinite(high) || low >= high) return [];
  for (let power = Math.floor(Math.log10((high - low) / most)); ; power++) {
    for (const digit of [1, 2, 5]) {
      const step = digit * 10 ** power;
      // A bound that is a multiple itself is not lost to a rounding error.
      const first = Math.ceil(low / step - 1e-9);
      const last = Math.floor(high / step + 1e-9);
      if (last - first + 1 > most) continue;
      return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => {
        const value = (first + index) * step;
        return [value, value.toFixed(Math.max(-power, 0))];
      });
    }
  }
}
