/** An envelope tied with thread: the empty outbox. */
export function EmptyOutboxArt() {
  return (
    <svg width="200" height="124" viewBox="0 0 200 124" aria-hidden="true" focusable="false">
      <rect
        x="48"
        y="26"
        width="104"
        height="72"
        rx="10"
        fill="var(--weft-surface)"
        stroke="var(--weft-line-strong)"
        strokeWidth="1.5"
      />
      <path d="M50 34l44 34a10 10 0 0 0 12 0l44-34" fill="none" stroke="var(--weft-line-strong)" strokeWidth="1.5" />
      <path d="M100 26v72M48 78h104" stroke="var(--weft-waiting)" strokeWidth="2.5" />
      <path
        d="M100 78c-14-16-26-2-12 2s24 14 36 4-6-20-24-6z"
        fill="var(--weft-waiting-soft)"
        stroke="var(--weft-waiting)"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}
