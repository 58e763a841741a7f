/** Three threads over and under three: the weave that gave the name. Decorative: the name stands beside it. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#2c4078" />
      <g strokeWidth="4" strokeLinecap="round" fill="none">
        <path d="M9 6.5v19M16 6.5v19M23 6.5v19" stroke="#b9c8ea" />
        <path d="M6.5 9.5h5M13.5 16h5M20.5 9.5h5M20.5 22.5h5M6.5 22.5h5" stroke="#e7b84b" />
        <path d="M6.5 16h1M24.5 16h1M15.5 9.5h1M15.5 22.5h1" stroke="#e7b84b" strokeOpacity="0" />
      </g>
    </svg>
  );
}
