const FOCUSABLE =
  'input:not([type=hidden], [type=radio]), textarea, select, [contenteditable=true], button[data-picker]';

/** `cases[0].port` → `cases[0]` → `cases` → undefined. */
const around = (path: string): string | undefined => /^(.+?)(?:\.[^.[\]]+|\[\d+\])$/.exec(path)?.[1];

/** Scrolls to a field, or to the nearest one around it, and focuses its control. False: the form has none of them. */
export function focusField(form: HTMLElement, path: string): boolean {
  for (let at: string | undefined = path; at !== undefined; at = around(at)) {
    const field = form.querySelector<HTMLElement>(`[data-field="${CSS.escape(at)}"]`);
    if (!field) continue;
    field.scrollIntoView({ block: 'center' });
    const control =
      field.querySelector<HTMLElement>('[aria-invalid="true"]') ?? field.querySelector<HTMLElement>(FOCUSABLE);
    control?.focus({ preventScroll: true });
    return true;
  }
  return false;
}

/** Focuses the first control of a form that is no credential. */
export function focusFirstField(form: HTMLElement): void {
  const fields = [...form.querySelectorAll<HTMLElement>('[data-field]:not([data-field="credentialId"])')];
  const controls = fields.flatMap((field) => field.querySelector<HTMLElement>(FOCUSABLE) ?? []);
  controls[0]?.focus({ preventScroll: true });
}
