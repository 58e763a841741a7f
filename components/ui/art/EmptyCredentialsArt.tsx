/** A key on a thread: no credentials, API keys or sign-in providers. */
export function EmptyCredentialsArt() {
  return (
    <svg width="200" height="124" viewBox="0 0 200 124" aria-hidden="true" focusable="false">
      <path
        d="M22 86c26 14 34-40 58-30"
        fill="none"
        stroke="var(--weft-running)"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <g fill="var(--weft-surface)" stroke="var(--weft-line-strong)" strokeWidth="1.5">
        <circle cx="92" cy="58" r="22" />
        <circle cx="92" cy="58" r="9" fill="var(--weft-running-soft)" />
        <path d="M113 53h56v10h-8v10h-10V63h-8v8h-9v-8h-21z" />
      </g>
      <g fill="none" stroke="var(--weft-line-strong)" strokeWidth="1.5" strokeDasharray="4 4">
        <circle cx="30" cy="34" r="10" />
        <circle cx="166" cy="102" r="8" />
      </g>
    </svg>
  );
}
