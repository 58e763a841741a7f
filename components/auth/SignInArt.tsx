const PITCH = 44;
const COLUMNS = Array.from({ length: 26 }, (_, index) => index);
const ROWS = Array.from({ length: 26 }, (_, index) => index);
/** Colours of the horizontal threads, row by row. */
const DYES = ['#435fae', '#e7b84b', '#435fae', '#2f9069', '#435fae', '#435fae', '#de6a5c', '#435fae', '#435fae'];

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
        {COLUMNS.map((x) => (
          <path key={x} d={`M${x * PITCH} 0V1100`} />
        ))}
      </g>
      {ROWS.map((y) => (
        <g key={y} stroke={DYES[y % DYES.length]} strokeWidth="20" strokeLinecap="round" opacity={0.9}>
          {COLUMNS.filter((x) => (x + y) % 2 === 0).map((x) => (
            <path key={x} d={`M${x * PITCH - 15} ${y * PITCH}h30`} />
          ))}
        </g>
      ))}
      <rect width="1100" height="1100" fill="url(#weave-fade)" />
    </svg>
  );
}
