import { createHash } from 'node:crypto';

/** The style of all pages. The policy names its hash, so that no other style applies. */
export const FORM_STYLE_CSS = `
:root { color-scheme: light dark; --page: #faf8f5; --surface: #fff; --line: #cfc8bd; --ink: #24211e; --muted: #6c655c; --accent: #374f94;
  --on-accent: #fff; --failed: #a8382b; --failed-soft: #fbe4e0; --sunken: #f4f1ec; }
@media (prefers-color-scheme: dark) {
  :root { --page: #191716; --surface: #211f1d; --line: #5d5750; --ink: #ece8e2; --muted: #aca69d; --accent: #a4b8e6; --on-accent: #191716;
    --failed: #f0a298; --failed-soft: #47211c; --sunken: #1c1a19; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 40rem; margin: 2.5rem auto; padding: 2rem; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
main > :last-child { margin-bottom: 0; }
a { color: var(--accent); }
.text { white-space: pre-wrap; }
.muted, .help { color: var(--muted); font-size: .875rem; }
.help { margin: 0 0 .25rem; }
.field { margin: 0 0 1.25rem; padding: 0; border: 0; min-width: 0; }
label, legend { display: block; padding: 0; margin: 0 0 .25rem; font-weight: 600; }
.mark { color: var(--failed); }
input:not([type=checkbox]), select, textarea { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit;
  background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
textarea { min-height: 7rem; resize: vertical; }
.box { display: flex; gap: .625rem; align-items: flex-start; margin: 0 0 .25rem; padding: .375rem 0; font-weight: 400; }
.box input { flex: none; width: 1.25rem; height: 1.25rem; margin: .125rem 0 0; accent-color: var(--accent); }
[aria-invalid=true] { border-color: var(--failed) !important; }
.error { margin: .25rem 0 0; color: var(--failed); font-size: .875rem; }
.notice { margin: 0 0 1.25rem; padding: .75rem 1rem; color: var(--failed); background: var(--failed-soft); border-radius: 8px; }
.notice a { color: inherit; }
.notice ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.trap { position: absolute; left: -9999px; width: 1px; height: 1px; overflow: hidden; }
button, .button { width: 100%; min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: var(--on-accent);
  background: var(--accent); border: 0; border-radius: 8px; cursor: pointer; }
.button { display: inline-flex; align-items: center; justify-content: center; text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
pre { margin: 0 0 1rem; padding: 1rem; max-height: 60vh; overflow: auto; white-space: pre-wrap; background: var(--sunken);
  border-radius: 8px; font: .875rem/1.5 ui-monospace, monospace; }
@media (max-width: 44rem) { main { margin: 0; padding: 1.25rem; border: 0; border-radius: 0; min-height: 100vh; } }
`;

export const FORM_STYLE_HASH = `'sha256-${createHash('sha256').update(FORM_STYLE_CSS).digest('base64')}'`;
