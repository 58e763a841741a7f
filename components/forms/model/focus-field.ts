const FOCUSABLE = 'input:not([type=hidden]), textarea, select, [contenteditable=true]';

/** `cases[0].port` → `cases[0]` → `cases` → undefined. */
const around = (path: string): string | undefined => /^(.+?)(?:\.[^.[\]]+|\[\d+\])$/.exec(path)?.[1];

/** Scrolls to a field, or to the nearest one around it, and focuses its control. False: the form has none of them. */
export function focusField(form: HTMLElement, path: string): boolean {
  for (let at: string | undefined = path; at !== undefined; at = around(at)) {
    const field = form.querySelector<HTMLElement>(`[data-field="${CSS.escape(at)}"]`);
    if (!field) continue;
    field.scrollIntoView({ block: 'center' });
    field.querySelector<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true });
    return true;
  }
  return false;
}
