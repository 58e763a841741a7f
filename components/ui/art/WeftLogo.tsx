const WARP_THREADS = [9, 16, 23];
const WEFT_THREADS = [9, 16, 23];

/** The logo: a weave of three by three threads. Decorative: the name is next to it. */
export function WeftLogo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#2c4078" />
      <g strokeWidth="4" strokeLinecap="round">
        {WARP_THREADS.map((x) => (
          <path key={x} d={`M${x} 6v20`} stroke="#94aade" />
        ))}
        {WEFT_THREADS.map((y) => (
          <path key={y} d={`M6 ${y}h20`} stroke="#e7b84b" />
        ))}
      </g>
      {/* Every other crossing: the vertical thread on top, with a gap beside it. */}
      {WARP_THREADS.flatMap((x, column) =>
        WEFT_THREADS.filter((_, row) => (row + column) % 2 === 0).map((y) => (
          <g key={`${x}-${y}`}>
            <path d={`M${x} ${y - 3.2}v6.4`} stroke="#2c4078" strokeWidth="6" />
            <path d={`M${x} ${y - 3.6}v7.2`} stroke="#94aade" strokeWidth="4" />
          </g>
        )),
      )}
    </svg>
  );
}
