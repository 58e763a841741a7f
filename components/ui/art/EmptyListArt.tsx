/** A full spool: no runs or no audit entries. */
export function EmptyListArt() {
  return (
    <svg width="200" height="124" viewBox="0 0 200 124" aria-hidden="true" focusable="false">
      <path
        d="M118 66c24 4 30 30 58 26"
        fill="none"
        stroke="var(--weft-running)"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <rect x="66" y="30" width="54" height="64" rx="6" fill="var(--weft-running-soft)" />
      <g stroke="var(--weft-running)" strokeWidth="2" strokeLinecap="round" opacity="0.55">
        <path d="M66 42l54-6M66 52l54-6M66 62l54-6M66 72l54-6M66 82l54-6M66 90l54-6" />
      </g>
      <g fill="var(--weft-surface)" stroke="var(--weft-line-strong)" strokeWidth="1.5">
        <rect x="54" y="16" width="78" height="16" rx="8" />
        <rect x="54" y="92" width="78" height="16" rx="8" />
      </g>
      <g fill="none" stroke="var(--weft-line-strong)" strokeWidth="1.5" strokeDasharray="4 4">
        <circle cx="32" cy="52" r="11" />
        <circle cx="170" cy="44" r="8" />
      </g>
    </svg>
  );
}
