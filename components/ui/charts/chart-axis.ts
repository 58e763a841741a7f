/** A round number that is at least as large, for the top of an axis. */
export function roundUpAxisTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return step * power;
}

/** A line through the known values, interrupted where one is missing: an SVG path in a box of this size. */
export function svgLinePath(values: (number | null)[], top: number, width: number, height: number): string {
  const step = width / Math.max(1, values.length);
  let isDrawing = false;
  return values
    .flatMap((value, index) => {
      if (value === null) {
        isDrawing = false;
        return [];
      }
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      const x = (index + 0.5) * step;
      const y = roundToHundredths(height - (value / top) * height);
      const isAlone = command === 'M' && (values[index + 1] ?? null) === null;
      // A single point is drawn as a short line.
      return [
        isAlone
          ? `M${roundToHundredths(x - step / 5)} ${y}h${roundToHundredths((step * 2) / 5)}`
          : `${command}${roundToHundredths(x)} ${y}`,
      ];
    })
    .join('');
}

const roundToHundredths = (value: number) => Math.round(value * 100) / 100;
