/** A loose thread: pages that are missing or failed. */
export function PageErrorArt() {
  return (
    <svg width="200" height="110" viewBox="0 0 200 110" aria-hidden="true" focusable="false">
      <g fill="none" strokeLinecap="round" strokeWidth="3">
        <path d="M8 62h58c30 0 34-36 58-30s8 44-20 38-16-42 12-46" stroke="var(--weft-running)" />
        <path d="M132 30c22 2 26 40 60 40" stroke="var(--weft-failed)" strokeDasharray="1 8" />
      </g>
      <circle cx="128" cy="27" r="5" fill="var(--weft-failed-soft)" stroke="var(--weft-failed)" strokeWidth="2" />
    </svg>
  );
}
