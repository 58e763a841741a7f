/** Nodes on a loom: no workflows or no workspace. */
export function EmptyWorkflowsArt() {
  return (
    <svg width="220" height="132" viewBox="0 0 220 132" aria-hidden="true" focusable="false">
      <g stroke="var(--weft-line-strong)" strokeWidth="1.5">
        {[30, 50, 70, 90, 110, 130, 150, 170, 190].map((x) => (
          <path key={x} d={`M${x} 12v108`} />
        ))}
      </g>
      <path d="M16 12h188M16 120h188" stroke="var(--weft-line-strong)" strokeWidth="4" strokeLinecap="round" />
      <g fill="none" strokeWidth="3" strokeLinecap="round">
        <path d="M64 44c30 0 24 36 52 36h8" stroke="var(--weft-running)" />
        <path d="M64 44c34 0 34-8 58-8h22" stroke="var(--weft-done)" strokeDasharray="1 7" />
        <path d="M164 80h14c14 0 10-22 26-22" stroke="var(--weft-waiting)" />
      </g>
      <g fill="var(--weft-surface)" stroke="var(--weft-line-strong)" strokeWidth="1.5">
        <rect x="24" y="30" width="40" height="28" rx="8" />
        <rect x="124" y="66" width="40" height="28" rx="8" />
        <rect x="144" y="22" width="40" height="28" rx="8" strokeDasharray="4 4" />
      </g>
      <circle cx="44" cy="44" r="6" fill="var(--weft-running-soft)" stroke="var(--weft-running)" strokeWidth="1.5" />
      <path
        d="M138 80l4 4 8-8"
        fill="none"
        stroke="var(--weft-done)"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
