const THREAD_SPACING = 44;
const VERTICAL_THREADS = Array.from({ length: 26 }, (_, index) => index);
const HORIZONTAL_THREADS = Array.from({ length: 26 }, (_, index) => index);
/** Colours of the horizontal threads, row by row. */
const WEFT_COLORS = ['#435fae', '#e7b84b', '#435fae', '#2f9069', '#435fae', '#435fae', '#de6a5c', '#435fae', '#435fae'];

/** The picture beside the sign-in form: a woven pattern. */
export function SignInArt() {
  return (
    <svg
      width="100%"
      height="100%"
      viewBox="0 0 1100 1100"
      preserveAspectRatio="xMidYMin slice"
      aria-hidden="true"
      style={{ position: 'absolute', inset: 0 }}
    >
      <defs>
        <linearGradient id="weave-fade" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0.25" stopColor="#1f2d56" stopOpacity="0.1" />
          <stop offset="0.85" stopColor="#1f2d56" />
        </linearGradient>
      </defs>
      <g stroke="#2c4078" strokeWidth="22">
        {VERTICAL_THREADS.map((x) => (
          <path key={x} d={`M${x * THREAD_SPACING} 0V1100`} />
        ))}
      </g>
      {HORIZONTAL_THREADS.map((y) => (
        <g key={y} stroke={WEFT_COLORS[y % WEFT_COLORS.length]} strokeWidth="20" strokeLinecap="round" opacity={0.9}>
          {VERTICAL_THREADS.filter((x) => (x + y) % 2 === 0).map((x) => (
            <path key={x} d={`M${x * THREAD_SPACING - 15} ${y * THREAD_SPACING}h30`} />
          ))}
        </g>
      ))}
      <rect width="1100" height="1100" fill="url(#weave-fade)" />
    </svg>
  );
}
